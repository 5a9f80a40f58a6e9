import Loading

/// The elements of all views that are there, by place, and what of them is out of date.
///
/// Whatever changes marks elements: a model that they have read, the focus, the time, a size. Before a
/// frame is drawn those are made again; a child whose value and environment are what they were is left
/// as it is. What leaves ends when a frame without it is presented.
@MainActor
final class ElementTree {
  private var elements: [ViewPath: Element] = [:]
  private var toMake: [Element] = []
  private var toDraw: [Element] = []
  // What left in this frame, and what left in one before and is kept.
  private var orphans: [ObjectIdentifier: Element] = [:]
  private var hidden: [ObjectIdentifier: Element] = [:]
  private var keepers: [Element] = []

  var count: Int { elements.count }

  // MARK: Places

  func element(at path: ViewPath) -> Element? { elements[path] }

  func add(_ element: Element) {
    if let other = elements.updateValue(element, forKey: element.context.path) {
      assert(other !== element.parent, "a view stands at the place of the one around it")
      // A view of another type.
      other.parent?.release(other)
      other.end { _ in }
    }
  }

  /// Takes note that an element is wanted: where it was out of sight, it is made again.
  func take(_ element: Element) {
    let id = ObjectIdentifier(element)
    let wasHidden = hidden.removeValue(forKey: id) != nil
    // A list that is made again asks for its rows again: they may have missed their turn, at most.
    if orphans.removeValue(forKey: id) != nil || wasHidden, wasHidden || element.isOutdatedInside {
      element.forget()
    }
  }

  func orphan(_ element: Element) { orphans[ObjectIdentifier(element)] = element }

  func noteKeeper(_ element: Element) {
    if !keepers.contains(where: { $0 === element }) { keepers.append(element) }
  }

  /// Begins a frame: what the last one left behind, and nobody has seen go, is out of sight.
  func begin() {
    hidden.merge(orphans) { $1 }
    orphans = [:]
  }

  /// Ends what the frame that was presented does not have.
  func endOrphans() {
    begin()
    guard !hidden.isEmpty else { return }
    keepers.removeAll { $0.keptPaths.isEmpty || elements[$0.context.path] !== $0 }
    for (id, orphan) in hidden {
      let path = orphan.context.path
      guard !keepers.contains(where: { $0.keptPaths.contains(where: path.isWithin) }) else {
        continue
      }
      hidden[id] = nil
      orphan.end { element in
        let path = element.context.path
        if elements[path] === element { elements[path] = nil }
      }
    }
  }

  /// Has everything be made again.
  func forgetAll() { for element in elements.values { element.setNeedsMaking() } }

  /// Has be made again what `isAffected` says.
  func invalidate(where isAffected: (Element) -> Bool) {
    for element in elements.values where isAffected(element) { element.setNeedsMaking() }
  }

  /// Has be made, or drawn, again what depends on where the focus is.
  func focusChanged() {
    for element in elements.values {
      if element.dependsOnFocus { element.setNeedsMaking() }
      if element.drawsFocus { element.setNeedsDrawing() }
    }
  }

  // MARK: Marks

  func noteMaking(_ element: Element) { toMake.append(element) }
  func noteDrawing(_ element: Element) { toDraw.append(element) }

  /// What is to be drawn again, once.
  func takeDrawing() -> [Element] {
    defer { toDraw = [] }
    return toDraw
  }

  /// Makes what is out of date, from the root on: what is inside of it may be made with it, or be gone.
  func makeAll() {
    while !toMake.isEmpty {
      let waiting = toMake.sorted { $0.context.path.depth < $1.context.path.depth }
      toMake = []
      for element in waiting where element.needsMaking && isAttached(element) { remake(element) }
    }
  }

  private func remake(_ element: Element) {
    let (wasSingle, proposals) = (element.isSingle, element.askedProposals)
    let before = element.traits(proposals)
    element.make()
    if !wasSingle || !element.isSingle {
      // Its nodes stand among those of the element around it.
      element.parent?.setNeedsMaking()
    } else if element.traits(proposals) != before {
      element.sizesChanged()
    }
  }

  private func isAttached(_ element: Element) -> Bool {
    var element = element
    while let parent = element.parent { element = parent }
    return element.context.path == .root
  }
}
