import Loading

/// The elements of all views by path, and which of them are out of date.
///
/// Every change marks elements: a change of a model that they have read, of the focus, the time or
/// a size. Before a frame is drawn, marked elements are made again; a child whose value and
/// environment have not changed is skipped. An element that was removed ends when a frame without
/// it is presented.
@MainActor
final class ElementTree {
  private var elements: [ViewPath: Element] = [:]
  private var toMake: [Element] = []
  private var toDraw: [Element] = []
  // Elements removed or kept without being shown since a frame was presented; some may have
  // returned.
  private var absent: [Element] = []
  private var keepers: [Element] = []

  var count: Int { elements.count }

  // MARK: Paths

  func element(at path: ViewPath) -> Element? { elements[path] }

  func add(_ element: Element) {
    if let other = elements.updateValue(element, forKey: element.context.path) {
      assert(other !== element.parent, "a view stands at the place of the one around it")
      // A view of another type replaces this one.
      other.parent?.release(other)
      other.end { _ in }
    }
  }

  /// Marks an element as shown again; if it was out of sight, it has to be made again.
  func take(_ element: Element) {
    if element.isOutOfDate {
      element.isOutOfDate = false
      element.forgetOutdated()
    }
    guard let absence = element.absence else { return }
    element.absence = nil
    // When a list is made again, it takes back its rows in the same frame; unmarked ones are still
    // valid.
    if absence == .before { element.forget() } else { element.forgetOutdated() }
  }

  func noteAbsence(_ element: Element) {
    element.absence = .now
    absent.append(element)
  }

  func noteKeeper(_ element: Element) {
    if !keepers.contains(where: { $0 === element }) { keepers.append(element) }
  }

  /// Begins a frame: elements that were removed in the last one have been out of sight since.
  func begin() {
    for element in absent where element.absence == .now { element.absence = .before }
  }

  /// Ends the elements that are not in the presented frame.
  func endAbsent() {
    keepers.removeAll { $0.keptPaths.isEmpty || elements[$0.context.path] !== $0 }
    if absent.isEmpty { return }
    let kept = keepers.flatMap(\.keptPaths).sorted { $0.depth > $1.depth }
    absent.removeAll { element in
      guard element.absence != nil else { return true }
      if element.context.path.isWithin(any: kept) { return false }
      element.absence = nil
      element.end { element in
        let path = element.context.path
        if elements[path] === element { elements[path] = nil }
      }
      return true
    }
  }

  /// Ends all elements.
  func endAll() {
    for element in elements.values where element.parent == nil { element.end { _ in } }
    elements = [:]
    (toMake, toDraw, absent, keepers) = ([], [], [], [])
  }

  /// Marks every element to be made again.
  func forgetAll() { for element in elements.values { element.setNeedsMaking() } }

  /// Marks the elements that `isAffected` selects to be made again.
  func invalidate(where isAffected: (Element) -> Bool) {
    for element in elements.values where isAffected(element) { element.setNeedsMaking() }
  }

  /// Marks the elements that read something about the focus that is different now to be made or
  /// drawn again.
  func focusChanged(to focus: [Int: ViewPath]) {
    for element in elements.values {
      if element.focusInMaking.contains(where: { $0(focus) }) { element.setNeedsMaking() }
      if element.focusInDrawing.contains(where: { $0(focus) }) { element.setNeedsDrawing() }
    }
  }

  // MARK: Marks

  func noteMaking(_ element: Element) { toMake.append(element) }

  func noteDrawing(_ element: Element) {
    guard !element.isNotedToDraw else { return }
    element.isNotedToDraw = true
    toDraw.append(element)
  }

  /// Returns the elements to draw, and empties the list.
  func takeDrawing() -> [Element] {
    defer { toDraw = [] }
    for element in toDraw { element.isNotedToDraw = false }
    return toDraw
  }

  /// Makes marked elements again, from the root on: making one may make or remove elements inside
  /// it.
  func makeAll() {
    while !toMake.isEmpty {
      let waiting = toMake.sorted { $0.context.path.depth < $1.context.path.depth }
      toMake = []
      for element in waiting where element.needsMaking && isUpToDate(element) { remake(element) }
    }
  }

  private func remake(_ element: Element) {
    let (wasSingle, wasEmpty, proposals) =
      (element.isSingle, element.nodes.isEmpty, element.askedProposals)
    let before = element.traits(proposals)
    element.make()
    // The parent goes on listing nothing of it.
    if wasEmpty, element.nodes.isEmpty { return }
    if !wasSingle || !element.isSingle {
      // The parent lists its nodes among its own, and how these looked before can no longer be
      // told.
      element.parent?.setNeedsMaking()
      element.sizesChanged()
    } else if element.traits(proposals) != before {
      element.sizesChanged()
    }
  }

  /// Whether it is in the tree, and no element around it is made only when it is drawn.
  private func isUpToDate(_ element: Element) -> Bool {
    var element = element
    while let parent = element.parent {
      if element.isOutOfDate { return false }
      element = parent
    }
    return element.context.path == .root
  }
}
