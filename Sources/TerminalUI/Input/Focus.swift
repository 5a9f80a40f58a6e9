/// A region that can have the focus, recorded while a frame is built.
struct Focusable {
  let path: ViewPath
  let rect: Rect
  let layer: Int
  let section: ViewPath
  let isPreferred: Bool
  /// Whether a view inside it has the focus at first: a form begins at its first field.
  let yieldsAtFirst: Bool
  /// Whether it counts only if no view inside it can have the focus.
  let isFallback: Bool
}

/// A view whose content scrolls to where the focus goes, recorded while a frame is built.
struct ScrolledFocus {
  let path: ViewPath
  let layer: Int
  /// Scrolls to one of the focusable views and returns it; nil if there is no view at that index.
  ///
  /// All focus bindings of the content are linked before `pick` is called.
  let scroll: @MainActor (_ toTop: Bool, _ pick: ([ViewPath]) -> Int?) -> ViewPath?
}

extension View {
  /// Makes this view focusable: Tab moves the focus to it, and its keys work while it has the
  /// focus.
  public func focusable() -> some View { FocusableView(content: self) }

  /// Makes this view focusable unless a view inside it is.
  func focusableIfNothingInside() -> some View {
    FocusableView(content: self, yieldsToInside: true)
  }

  /// Gives this view the focus when its screen appears.
  ///
  /// A view that appears later, because its value had to be loaded, gets the focus then, unless the
  /// user presses a key, uses the mouse or pastes text first.
  public func defaultFocus() -> some View { transformEnvironment { $0.prefersFocus = true } }

  /// Makes this view a pane: a key that acts on “everything that failed here” acts only inside it.
  ///
  /// A ``KeyList`` shows the keys of a pane together, under `title`.
  public func focusSection(_ title: String? = nil) -> some View {
    FocusSectionView(content: self, title: title)
  }
}

struct FocusableView<Content: View>: PrimitiveView {
  let content: Content
  /// Whether it is focusable only if nothing inside it is.
  var yieldsToInside = false

  func makeNodes(_ context: ViewContext) -> [Node] {
    var inner = context.child(.role(.content))
    inner.environment.isFocused = context.hasFocus
    return [
      DrawnNode(context, inner.node(content)) { [yieldsToInside] context, content, region in
        context.declareFocusable(region, isFallback: yieldsToInside)
        if context.environment.isPlain, context.hasFocus {
          context.frame.declareCursor(region.clip.origin)
        }
        content.draw(in: region)
      }
    ]
  }
}

struct FocusSectionView<Content: View>: PrimitiveView {
  let content: Content
  let title: String?

  func makeNodes(_ context: ViewContext) -> [Node] {
    var inner = context.child(.role(.content))
    inner.environment.focusSection = inner.path
    inner.environment.focusSectionTitle = title
    return inner.resolve(content)
  }
}

extension ViewContext {
  /// Reads something about the focus of each layer in the frame that is being built: once that is
  /// different, what is made or drawn here is made or drawn again.
  func readingFocus<Answer: Equatable>(
    _ read: @escaping @MainActor (_ focus: [Int: ViewPath]) -> Answer
  ) -> Answer {
    let answer = read(frame.focus)
    owner.element?.noteFocus { read($0) != answer }
    return answer
  }

  /// Whether this view has the focus in the frame that is being built.
  var hasFocus: Bool {
    !environment.isInert && readingFocus { [layer = frame.layer, path] in $0[layer] == path }
  }

  /// Declares this view focusable; before the views inside it are drawn, so that it precedes them.
  func declareFocusable(
    _ region: Region, yieldsAtFirst: Bool = false, isFallback: Bool = false
  ) {
    guard environment.isEnabled, !environment.isInert, !environment.isMouseOnly, !region.isHidden
    else { return }
    frame.declare(
      .focusable(
        Focusable(
          path: path, rect: region.clip, layer: frame.layer, section: environment.focusSection,
          isPreferred: environment.prefersFocus, yieldsAtFirst: yieldsAtFirst,
          isFallback: isFallback)))
  }
}

extension FrameBuilder {
  /// The focus of each layer: the one before the size changed, the previous one, or the nearest
  /// focusable view if that was removed.
  func resolveFocus() -> [Int: ViewPath] {
    var resolved: [Int: ViewPath] = [:]
    for layer in 0...topLayer { resolved[layer] = resolveFocus(of: layer) }
    return resolved
  }

  private func resolveFocus(of layer: Int) -> ViewPath? {
    let candidates = declarations.focusables.filter { $0.layer == layer }
    if let before = host?.focusesBeforeResize[layer],
      candidates.contains(where: { $0.path == before })
    {
      return before
    }
    func found(_ first: Focusable?) -> ViewPath? {
      foundFocuses.insert(layer)
      guard let first, first.yieldsAtFirst else { return first?.path }
      let inside = candidates.first { !$0.yieldsAtFirst && $0.path.isWithin(first.path) }
      return (inside ?? first).path
    }
    if let late = lateDefault(among: candidates, layer: layer) { return found(late) }
    guard let lost = focus[layer] else {
      return found(candidates.first(where: \.isPreferred) ?? candidates.first)
    }
    if candidates.contains(where: { $0.path == lost }) { return lost }
    let before = declarations.uncovered.max {
      $0.commonDepth(with: lost) < $1.commonDepth(with: lost)
    }
    if let before, candidates.contains(where: { $0.path == before }) { return before }
    let depths = candidates.map { $0.path.commonDepth(with: lost) }
    let nearest = zip(candidates, depths).filter { $1 == depths.max() }.map(\.0)
    return neighbour(of: lost, among: Set(nearest.map(\.path)), layer: layer)
      ?? found(nearest.first(where: \.isPreferred) ?? nearest.first)
  }

  /// The preferred view that has appeared since the focus was found, unless that one is preferred.
  private func lateDefault(among candidates: [Focusable], layer: Int) -> Focusable? {
    guard let host, host.foundFocuses.contains(layer), host.focuses[layer] == focus[layer],
      !candidates.contains(where: { $0.path == focus[layer] && $0.isPreferred })
    else { return nil }
    let known = host.focusOrder(inLayer: layer)
    return candidates.first { $0.isPreferred && !known.contains($0.path) }
  }

  /// The next focusable view, or else the previous one, in the order in which they were last shown.
  private func neighbour(of lost: ViewPath, among paths: Set<ViewPath>, layer: Int) -> ViewPath? {
    let order = host?.focusOrder(inLayer: layer) ?? []
    guard let place = order.firstIndex(of: lost) else { return nil }
    return order[place...].first(where: paths.contains)
      ?? order[..<place].last(where: paths.contains)
  }
}
