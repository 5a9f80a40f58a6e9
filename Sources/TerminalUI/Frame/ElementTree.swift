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
  // What has left since a frame was presented, or is kept without being shown; some of it is back.
  private var absent: [Element] = []
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
    guard let absence = element.absence else { return }
    element.absence = nil
    // A list that is made again asks for its rows in the same frame: those that nothing has marked are
    // as they were.
    if absence == .before || element.isOutdatedInside { element.forget() }
  }

  func noteAbsence(_ element: Element) {
    element.absence = .now
    absent.append(element)
  }

  func noteKeeper(_ element: Element) {
    if !keepers.contains(where: { $0 === element }) { keepers.append(element) }
  }

  /// Begins a frame: what has left in the last one is out of sight.
  func begin() {
    for element in absent where element.absence == .now { element.absence = .before }
  }

  /// Ends what the frame that was presented does not have.
  func endAbsent() {
    keepers.removeAll { $0.keptPaths.isEmpty || elements[$0.context.path] !== $0 }
    absent.removeAll { element in
      guard element.absence != nil else { return true }
      let path = element.context.path
      if keepers.contains(where: { $0.keptPaths.contains(where: path.isWithin) }) { return false }
      element.absence = nil
      element.end { element in
        let path = element.context.path
        if elements[path] === element { elements[path] = nil }
      }
      return true
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

  func noteDrawing(_ element: Element) {
    guard !element.isNotedToDraw else { return }
    element.isNotedToDraw = true
    toDraw.append(element)
  }

  /// What is to be drawn again, once.
  func takeDrawing() -> [Element] {
    defer { toDraw = [] }
    for element in toDraw { element.isNotedToDraw = false }
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
