/// A scrolling window on content that may be taller than the window.
///
/// A ``RichText`` in it stays at the row being read when it is laid out again at another width.
public struct ScrollView<Content: View>: PlacedView {
  let proxy: ScrollProxy?
  let content: Content
  private var isFitting = false

  /// Creates a window on `content`; `proxy` reports its scroll position and can scroll it.
  public init(_ proxy: ScrollProxy? = nil, @ViewBuilder content: () -> Content) {
    self.proxy = proxy
    self.content = content()
  }

  /// Creates a window that is no taller than `content`; content that takes whatever height it gets,
  /// as a list does, gets no window.
  init(fitting content: Content) {
    proxy = nil
    self.content = content
    isFitting = true
  }

  func makeNodes(_ context: ViewContext) -> [Node] {
    let node = context.child(.role(.content)).within(.vertical).node(content)
    if isFitting, node.expands(.vertical) { return [node] }
    if let stack = node.base as? LazyStackNode {
      return [
        LazyScrollNode(context, stack: stack, box: context.box { PlaceBox(ListPlace()) })
      ]
    }
    // With another proxy the position starts over: content must not begin where its placeholder was
    // scrolled to.
    let key = ItemID(proxy.map(ObjectIdentifier.init))
    let place = context.box(key: key) { PlaceBox(ScrollPlace()) }
    return [ScrollNode(context, node, place: place, proxy: proxy, isFitting: isFitting)]
  }
}

struct ScrollPlace: Equatable {
  /// The number of rows scrolled away.
  var offset = 0
  /// The anchor of the first visible row, and the number of rows between them.
  var anchor: Int?
  var rowsIntoAnchor = 0
  /// The position of the proxy when this place was found; another view of the proxy may move it.
  var known: ScrollPosition?
  /// Whether the window stays at the end as the content grows.
  var isEnd = false
  /// The size of the window when it was drawn.
  var size: Size?
}

private final class ScrollNode: WrapperNode {
  private let place: PlaceBox<ScrollPlace>
  private let proxy: ScrollProxy?
  private let isFitting: Bool

  init(
    _ context: ViewContext, _ content: Node, place: PlaceBox<ScrollPlace>, proxy: ScrollProxy?,
    isFitting: Bool
  ) {
    self.place = place
    self.proxy = proxy
    self.isFitting = isFitting
    super.init(context, content)
  }

  override func expands(_ axis: Axis) -> Bool { !isFitting }

  /// Content with more rows than this is not searched for its next focusable view: a text that long
  /// is read, not filled in, and other content would take too long to draw.
  private var longestForm: Int { text == nil ? 2_000 : Self.longestSearched }
  private static let longestSearched = 100

  // Reserved whether the bar shows or not, so that a text is not laid out twice to find out.
  private static let barWidth = ScrollBar.width + 1

  private func contentWidth(_ width: Int) -> Int { max(1, width - Self.barWidth) }

  /// The text in the window, whose scroll position does not depend on the width.
  private var text: RichTextNode? { content.base as? RichTextNode }

  override func measure(_ proposal: ProposedSize) -> Size {
    let inner = content.size(ProposedSize(width: proposal.width.map(contentWidth)))
    return Size(
      width: proposal.width ?? inner.width + Self.barWidth,
      height: proposal.height ?? inner.height)
  }

  override func draw(in region: Region) {
    let (width, height) = (contentWidth(region.rect.width), region.rect.height)
    var total = content.size(ProposedSize(width: width)).height
    var state = place.value
    let text = text
    // The text's length, its keys and its headings are declared here.
    if text != nil { frame.drawWhole() }
    let layout = text?.laidOut(width)
    if let anchor = state.anchor, state.known == proxy?.position {
      state.offset = layout?.row(state.rowsIntoAnchor, of: anchor) ?? state.offset
    } else if let start = proxy?.position {
      state.offset = text?.row(of: .position(start), width: width) ?? 0
    }
    let isEnd = state.isEnd
    if let layout {
      state.offset = layout.prepare(row: state.offset, height: height, isEnd: isEnd)
      total = layout.height
    }
    let limit = max(0, total - height)
    if let size = state.size, size != region.rect.size, limit > 0 {
      state.offset = offset(
        showingFocusFrom: state.offset, height: height, total: total, width: width)
    }
    state = at(isEnd ? limit : min(limit, state.offset), width: width)
    // Content that is wholly visible has no end to stay at.
    state.isEnd = isEnd && limit > 0
    state.size = region.rect.size
    let bar = limit > 0 ? ScrollBar(first: state.offset, shown: height, total: total) : nil
    let scroll: @MainActor (ScrollStep) -> Void = { [self, offset = state.offset] step in
      let window = RowWindow(count: limit + height, height: height) { _ in 1 }
      let wanted = window.position(after: step, from: .init(row: offset), showing: [])
      var state = at(wanted.row, width: width)
      if case .end = step { state.isEnd = true }
      place.move(to: state, of: self)
    }
    // Focusable if there is something to scroll or nothing else to focus. A text with a proxy
    // always is: its keys apply to all of it, not only to its first part that declares some.
    context.declareFocusable(
      region, yieldsAtFirst: proxy == nil, isFallback: limit == 0 && proxy == nil)
    context.declareScrollRegion(region, bar: bar, in: place, go: scroll)
    content.draw(
      in: region.part(
        Rect(
          x: region.rect.minX, y: region.rect.minY - state.offset, width: width, height: total)))
    frame.declare(.action(.afterPresenting) { [place] in place.settle(state) })
    place.draw(bar, in: region, of: self)
    declareKeys(height: height, offset: state.offset, limit: limit, width: width, go: scroll)
    guard !environment.isInert, let text else { return }
    text.declareKeys(context, shown: state.offset..<(state.offset + height))
    declareJumps(in: text, offset: state.offset, height: height, width: width)
  }

  private func declareJumps(in text: RichTextNode, offset: Int, height: Int, width: Int) {
    let scroll: @MainActor (Int) -> Void = { [self] row in
      place.move(to: at(row, width: width), of: self)
    }
    let goToHeading: @MainActor (Bool, Int) -> Void = { isForwards, count in
      let layout = text.laidOut(width)
      var row: Int?
      for _ in 0..<count {
        let next = layout.heading(from: row ?? offset, isForwards: isForwards)
        guard let next, next.row != row else { break }
        row = next.row
      }
      if let row { scroll(row) }
    }
    if !text.laidOut(width).headings.isEmpty {
      for (action, isForwards) in [(KeyAction.nextHeading, true), (.previousHeading, false)] {
        context.declare(action: action, counted: { goToHeading(isForwards, $0) }) {
          goToHeading(isForwards, 1)
        }
      }
    }
    guard let proxy else { return }
    frame.declare(
      .action(.afterPresenting) { [place] in
        let layout = text.laidOut(width)
        let heading = layout.heading(from: offset + 1, isForwards: false)
        let position = layout.position(ofRow: offset)
        // The proxy outlives the view and must not keep it alive.
        proxy.settle(position, heading: heading?.index) { [weak self] target in
          guard let self else { return false }
          self.jump(to: target, from: offset, height: height, width: width)
          return true
        }
        var settled = place.value
        settled.known = proxy.position
        place.settle(settled)
      })
  }

  private func jump(
    to target: ScrollProxy.Target, from offset: Int, height: Int, width: Int
  ) {
    guard var row = text?.row(of: target, width: width) else { return }
    if case .match = target {
      // Show the lines before the match, too.
      if offset..<(offset + height) ~= row { return }
      row -= height / 3
    }
    place.move(to: at(row, width: width), of: self)
  }

  // Not limited to the last row: the next frame limits it.
  private func at(_ offset: Int, width: Int) -> ScrollPlace {
    let offset = max(0, offset)
    let layout = text?.laidOut(width)
    let anchor = layout?.part(atRow: offset)
    let start = anchor.flatMap { layout?.parts[$0].start } ?? offset
    return ScrollPlace(
      offset: offset, anchor: anchor, rowsIntoAnchor: offset - start, known: proxy?.position,
      size: place.value.size)
  }

  /// The offset nearest to this one that shows the focused view of the content, which would
  /// otherwise lose the focus to another when the window becomes smaller.
  private func offset(showingFocusFrom offset: Int, height: Int, total: Int, width: Int) -> Int {
    guard let focus = frame.focus[frame.layer], focus != context.path,
      focus.isWithin(context.path), total <= longestForm, !environment.isInert, !frame.isTrial
    else { return offset }
    let whole = drawnWhole(Rect(x: 0, y: 0, width: width, height: total))
    guard let stop = whole.focusables.first(where: { $0.path == focus }) else { return offset }
    return self.offset(showing: stop, from: offset, height: height)
  }

  private func offset(showing stop: Focusable, from offset: Int, height: Int) -> Int {
    min(max(offset, stop.rect.maxY - height), stop.rect.minY)
  }

  /// Scrolls to a focusable view of the content, which need not be visible yet; `toTop`, as near to
  /// the top as possible, so that a message below it is visible too.
  private func scroll(
    toTop: Bool, from offset: Int, height: Int, width: Int, pick: ([ViewPath]) -> Int?
  ) -> ViewPath? {
    let total = content.size(ProposedSize(width: width)).height
    // A wish for the focus is tried again with each frame until the view is there.
    guard !toTop || total <= Self.longestSearched else { return nil }
    let found = drawnWhole(Rect(x: 0, y: 0, width: width, height: total))
    for link in found.actions(.focusLink, .focusSettled) { link() }
    let stops = found.focusables
    guard let index = pick(stops.map(\.path)), stops.indices.contains(index) else { return nil }
    let top =
      toTop
      ? stops[index].rect.minY
      : self.offset(showing: stops[index], from: offset, height: height)
    place.move(to: at(min(top, max(0, total - height)), width: width), of: self)
    return stops[index].path
  }

  /// The declarations of the whole content, found by drawing it off screen.
  private func drawnWhole(_ whole: Rect) -> Declarations {
    frame.trial(whole.size) {
      content.draw(in: Region(rect: whole, clip: whole, frame: frame))
    }
  }

  private func declareKeys(
    height: Int, offset: Int, limit: Int, width: Int, go: @escaping @MainActor (ScrollStep) -> Void
  ) {
    if limit > 0, limit + height <= longestForm, !environment.isInert {
      frame.declare(
        .scroll(
          ScrolledFocus(path: context.path, layer: frame.layer) { [self] toTop, pick in
            scroll(toTop: toTop, from: offset, height: height, width: width, pick: pick)
          }))
    }
    // In a sheet, the sheet's own keys come first in the footer.
    let hint = frame.layer == 0 ? FooterPlace.first : .ifRoom
    context.declareScrollKeys(isText: true, footer: limit > 0 ? hint : .never, go: go)
  }
}
