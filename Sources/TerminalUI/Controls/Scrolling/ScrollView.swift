/// A window on a content that is higher than the room there is.
///
/// A content that says what its rows are (see `ScrollAnchoring`) stays where it was read when it
/// is laid out again for another width.
public struct ScrollView<Content: View>: PlacedView {
  let proxy: ScrollProxy?
  let content: Content

  /// A window on `content`, which `proxy` may look at and move.
  public init(_ proxy: ScrollProxy? = nil, @ViewBuilder content: () -> Content) {
    self.proxy = proxy
    self.content = content()
  }

  func makeNodes(_ context: ViewContext) -> [Node] {
    let node = context.child(.role(.content)).node(content)
    if let stack = node.base as? LazyStackNode {
      let place = context.box { PlaceBox(LazyScrollNode.Place()) }
      return [LazyScrollNode(context, stack: stack, place: place)]
    }
    // Another proxy is another place: what a placeholder scrolled is not where the content begins.
    let key = AnyHashable(proxy.map(ObjectIdentifier.init))
    let place = context.box(key: key) { PlaceBox(ScrollPlace()) }
    return [ScrollNode(context, node, place: place, proxy: proxy)]
  }
}

struct ScrollPlace: Equatable {
  /// Rows that are scrolled away.
  var offset = 0
  /// What the first row on the screen belongs to, and how many rows into it that is.
  var anchor: AnyHashable?
  var rowsIntoAnchor = 0
  /// Whether the end is to be shown, also of what the content gets longer by.
  var isEnd = false
}

/// A content whose rows belong to things with an identity.
@MainActor
protocol ScrollAnchoring {
  /// The thing that row `row` belongs to, and its first row.
  func anchor(atRow row: Int, width: Int) -> (id: AnyHashable, firstRow: Int)?
  /// A row of a thing, or its last one where it has fewer.
  func row(_ rowsInto: Int, of id: AnyHashable, width: Int) -> Int?
  /// Makes what is to be shown from a row on, or at the end, and what may be shown next: rows whose
  /// number was a guess before. Says which row is the first then, and how many there are.
  func prepare(row: Int, height: Int, isEnd: Bool, width: Int) -> (row: Int, total: Int)
  /// Whether there are rows that the user jumps between.
  var hasHeadings: Bool { get }
  /// The next of those, and which of them it is.
  func heading(from row: Int, isForwards: Bool, width: Int) -> (index: Int, row: Int)?
  /// The place of a row.
  func position(ofRow row: Int, width: Int) -> ScrollPosition?
  /// The row of a place.
  func row(of target: ScrollProxy.Target, width: Int) -> Int?
  /// Declares keys of its own where the scroll view's are in force; these rows of it show.
  func declareKeys(_ context: ViewContext, shown: Range<Int>)
}

private final class ScrollNode: WrapperNode {
  private let place: PlaceBox<ScrollPlace>
  private let proxy: ScrollProxy?

  init(
    _ context: ViewContext, _ content: Node, place: PlaceBox<ScrollPlace>, proxy: ScrollProxy?
  ) {
    self.place = place
    self.proxy = proxy
    super.init(context, content)
  }

  override func expands(_ axis: Axis) -> Bool { true }

  /// How many rows are looked through for the next stop.
  private static let longestForm = 100

  // The bar has its column and a gap, shown or not: a text is not laid out twice to find out.
  private static let barWidth = ScrollBar.width + 1

  private func contentWidth(_ width: Int) -> Int { max(1, width - Self.barWidth) }

  override func measure(_ proposal: ProposedSize) -> Size {
    let inner = content.size(ProposedSize(width: proposal.width.map(contentWidth)))
    return Size(
      width: proposal.width ?? inner.width + Self.barWidth,
      height: proposal.height ?? inner.height)
  }

  override func draw(in region: Region) {
    let slot = frame.declareSlot()
    let (width, height) = (contentWidth(region.rect.width), region.rect.height)
    var total = content.size(ProposedSize(width: width)).height
    var state = place.value
    let anchoring = content.base as? any ScrollAnchoring
    if let anchor = state.anchor {
      state.offset =
        anchoring?.row(state.rowsIntoAnchor, of: anchor, width: width) ?? state.offset
    } else if let start = proxy?.position {
      state.offset = anchoring?.row(of: .position(start), width: width) ?? 0
    }
    let isEnd = state.isEnd
    if let anchoring {
      (state.offset, total) = anchoring.prepare(
        row: state.offset, height: height, isEnd: isEnd, width: width)
    }
    let limit = max(0, total - height)
    state = at(isEnd ? limit : min(limit, state.offset), width: width)
    // What shows as a whole has no end to stay at.
    state.isEnd = isEnd && limit > 0
    content.draw(
      in: region.part(
        Rect(
          x: region.rect.minX, y: region.rect.minY - state.offset, width: width, height: total)))
    // A stop of its own where there is something to scroll, or nothing else to stop at; and always
    // where a text is read: its keys are for all of it, not for the first part that has some.
    if limit > 0 || proxy != nil || !frame.hasStops(since: slot) {
      context.declareFocusable(region, in: slot)
    }
    frame.declare(.afterPresenting { [place] in place.settle(state) })
    let bar =
      limit > 0 && environment.hasScrollBars
      ? ScrollBar(first: state.offset, shown: height, total: total) : nil
    place.draw(bar, in: region, of: self)
    declareInput(in: region, offset: state.offset, limit: limit, bar: bar)
    guard !environment.isInert, let anchoring else { return }
    anchoring.declareKeys(context, shown: state.offset..<(state.offset + height))
    declareJumps(anchoring, offset: state.offset, height: height, width: width)
  }

  private func declareJumps(_ anchoring: any ScrollAnchoring, offset: Int, height: Int, width: Int)
  {
    let scroll: @MainActor (Int) -> Void = { [self] row in
      place.move(to: at(row, width: width), of: self)
    }
    let goToHeading: @MainActor (Bool, Int) -> Void = { isForwards, count in
      var row: Int?
      for _ in 0..<count {
        let next = anchoring.heading(from: row ?? offset, isForwards: isForwards, width: width)
        guard let next, next.row != row else { break }
        row = next.row
      }
      if let row { scroll(row) }
    }
    if anchoring.hasHeadings {
      for (action, isForwards) in [(KeyAction.nextHeading, true), (.previousHeading, false)] {
        context.declare(action: action, counted: { goToHeading(isForwards, $0) }) {
          goToHeading(isForwards, 1)
        }
      }
    }
    guard let proxy else { return }
    frame.declare(
      .afterPresenting {
        let heading = anchoring.heading(from: offset + 1, isForwards: false, width: width)
        let position = anchoring.position(ofRow: offset, width: width)
        // The proxy outlives the view, which it must not keep.
        proxy.settle(position, heading: heading?.index) { [weak self] target in
          guard let self else { return false }
          self.jump(to: target, from: offset, height: height, width: width)
          return true
        }
      })
  }

  private func jump(
    to target: ScrollProxy.Target, from offset: Int, height: Int, width: Int
  ) {
    guard var row = (content.base as? any ScrollAnchoring)?.row(of: target, width: width) else {
      return
    }
    if case .match = target {
      // With what stands around it.
      if offset..<(offset + height) ~= row { return }
      row -= height / 3
    }
    place.move(to: at(row, width: width), of: self)
  }

  // Not beyond the end: a frame finds out where that is.
  private func at(_ offset: Int, width: Int) -> ScrollPlace {
    let offset = max(0, offset)
    let anchor = (content.base as? any ScrollAnchoring)?.anchor(atRow: offset, width: width)
    return ScrollPlace(
      offset: offset, anchor: anchor?.id, rowsIntoAnchor: offset - (anchor?.firstRow ?? offset))
  }

  /// Goes from one stop in the content to the next, of which it need not show any, and scrolls
  /// there; nil where there is no next one.
  private func nextStop(
    from focus: ViewPath, by step: Int, offset: Int, height: Int, width: Int
  ) -> ViewPath? {
    let total = content.size(ProposedSize(width: width)).height
    let stops = stops(Rect(x: 0, y: 0, width: width, height: total))
    let index =
      focus == context.path ? (step > 0 ? -1 : stops.count) : stops.firstIndex { $0.path == focus }
    guard let index, stops.indices.contains(index + step) else { return nil }
    let stop = stops[index + step]
    let top = min(max(offset, stop.rect.maxY - height), stop.rect.minY)
    place.move(to: at(min(top, max(0, total - height)), width: width), of: self)
    return stop.path
  }

  /// Scrolls to the first stop that is wanted, so that what is said below it shows as well.
  private func reveal(
    _ isWanted: (ViewPath) -> Bool, height: Int, width: Int
  ) -> ViewPath? {
    let total = content.size(ProposedSize(width: width)).height
    let stops = stops(Rect(x: 0, y: 0, width: width, height: total))
    guard let stop = stops.first(where: { isWanted($0.path) }) else { return nil }
    place.move(to: at(min(stop.rect.minY, max(0, total - height)), width: width), of: self)
    return stop.path
  }

  /// All stops in the content, found by drawing the whole of it where nobody sees it; what is bound to
  /// the focus there knows them from then on.
  private func stops(_ whole: Rect) -> [Focusable] {
    let found = frame.trial(whole.size) {
      content.draw(in: Region(rect: whole, clip: whole, frame: frame))
    }
    for link in found.focusLinks { link() }
    return found.focusables
  }

  private func declareInput(in region: Region, offset: Int, limit: Int, bar: ScrollBar?) {
    let (width, height) = (contentWidth(region.rect.width), region.rect.height)
    // A longer text is read, not filled in.
    if limit > 0, limit + height <= Self.longestForm, !environment.isInert {
      frame.declare(
        .scroll(
          ScrolledFocus(path: context.path, layer: frame.layer) { [self] focus, step in
            nextStop(from: focus, by: step, offset: offset, height: height, width: width)
          } reveal: { [self] isWanted in
            reveal(isWanted, height: height, width: width)
          }))
    }
    let go: @MainActor (ScrollStep) -> Void = { [self] step in
      let wanted =
        switch step {
        case .lines(let lines): offset + lines
        case .pages(let pages): offset + pages * max(1, height - 1)
        case .start: 0
        case .end: limit
        case .item(let line): line
        }
      var state = at(min(limit, wanted), width: width)
      if case .end = step { state.isEnd = true }
      place.move(to: state, of: self)
    }
    // A sheet has keys of its own, which are wanted before.
    let hint = frame.layer == 0 ? FooterPlace.first : .ifRoom
    context.declareScrollKeys(isText: true, footer: limit > 0 ? hint : .never, go: go)
    context.declareScrollRegion(region, bar: bar, go: go)
  }
}
