/// A step by which keys, the wheel or the scroll bar scroll a window.
enum ScrollStep {
  case lines(Int)
  case pages(Int)
  case start
  case end
  /// The item at an index, in the unit that the scroll bar counts: lines or rows.
  case item(Int)
}

extension ViewContext {
  /// Declares the keys that scroll content longer than its window.
  ///
  /// - Parameters:
  ///   - isText: whether the keys scroll a text rather than move a selection.
  ///   - footer: where the footer shows the key for the next page.
  func declareScrollKeys(
    isText: Bool = false, footer: FooterPlace = .never,
    go: @escaping @MainActor (ScrollStep) -> Void
  ) {
    func step(
      _ action: KeyAction, also other: KeyAction? = nil, label: String? = nil,
      footer: FooterPlace = .never, once: ScrollStep, _ counted: @escaping (Int) -> ScrollStep
    ) {
      declare(
        action: action, also: other, label: label, footer: footer, counted: { go(counted($0)) }
      ) { go(once) }
    }
    step(.down, once: .lines(1)) { .lines($0) }
    step(.up, once: .lines(-1)) { .lines(-$0) }
    step(.pageDown, also: .readOn, footer: footer, once: .pages(1)) { .pages($0) }
    step(.pageUp, once: .pages(-1)) { .pages(-$0) }
    // As in vi, a number typed before these keys is the number of the row to go to.
    step(.first, label: isText ? "top" : nil, once: .start) { .item($0 - 1) }
    step(.last, label: isText ? "end" : nil, once: .end) { .item($0 - 1) }
  }

  /// Declares the effects of the wheel, of the mouse on the scroll bar, and of a press.
  ///
  /// Called before the content is drawn: what is declared later comes first, so that a button in a
  /// row can be pressed. The wheel over content that is wholly visible scrolls what is around it.
  ///
  /// - Parameters:
  ///   - box: remembers whether the bar was pressed, for the drag that follows.
  ///   - wheel: how many lines one notch of the wheel scrolls.
  ///   - press: called for a press outside the bar; returns whether it handled the press.
  func declareScrollRegion<Place>(
    _ region: Region, bar: ScrollBar?, in box: PlaceBox<Place>, wheel: Int = 3,
    go: @escaping @MainActor (ScrollStep) -> Void,
    press: @escaping @MainActor (Point) -> Bool = { _ in false }
  ) {
    let size = region.rect.size
    let shownBar = environment.hasScrollBars ? bar : nil
    declarePointerRegion(region) { event in
      switch event.kind {
      case .wheelDown where bar != nil: go(.lines(wheel))
      case .wheelUp where bar != nil: go(.lines(-wheel))
      case .press, .drag:
        if event.kind == .press {
          box.dragsBar = shownBar != nil && event.location.x >= size.width - ScrollBar.width
        }
        guard box.dragsBar, let bar = shownBar else {
          return event.kind == .press && press(event.location)
        }
        go(.item(bar.first(atRow: event.location.y, height: size.height)))
      case .wheelDown, .wheelUp, .release: return false
      }
      return true
    }
  }
}

/// The mark at the right edge of a window that shows which part of its content is visible; plain
/// mode does not show it.
struct ScrollBar: Equatable {
  /// The columns that the bar takes.
  static let width = 1

  /// The index of the first visible item, the number of visible items, and the number of all items.
  let first: Int
  let shown: Int
  let total: Int

  /// The rows that the thumb covers.
  func thumb(height: Int) -> Range<Int> {
    let length = min(height, max(1, height * shown / max(1, total)))
    let start = (height - length) * min(first, total - shown) / max(1, total - shown)
    return start..<(start + length)
  }

  /// Returns the index of the first visible item when the thumb is dragged to a row.
  func first(atRow row: Int, height: Int) -> Int {
    max(0, total - shown) * max(0, min(height - 1, row)) / max(1, height - 1)
  }

  @MainActor func draw(in region: Region, _ style: Style) {
    for y in thumb(height: region.rect.height) {
      region.write("▐", x: region.rect.width - Self.width, y: y, style: style)
    }
  }
}

extension EnvironmentValues {
  /// Whether a column is reserved for a scroll bar; inert copies reserve it too.
  var hasScrollBars: Bool { !isPlain }
}
