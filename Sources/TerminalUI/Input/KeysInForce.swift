/// Determines which bindings of a layer receive which keys.
///
/// The bindings are ordered, and indexed by key, on first use. The next frame reuses both if the
/// focus has not moved and the bindings that it puts in force are the same.
@MainActor
final class KeysInForce {
  let layer: Int
  /// All bindings; those of other panes are only listed.
  private let declared: [DeclaredBinding]
  /// The bindings of views around the focus, and those that act on its whole pane.
  private let candidates: [DeclaredBinding]
  /// The indices of the candidates among all bindings.
  private let positions: [Int]
  /// The view that has the focus of the layer, and its pane.
  private let focus: ViewPath?
  private let section: ViewPath
  /// Whether characters are text.
  let isTyping: Bool
  /// What Tab moves to: the panes of a screen, or else fields; nil if there is no other.
  private let nextStopLabel: String?
  /// Whether the candidates are those of the previous frame, with the same labels and order.
  let areKept: Bool
  private let order: Order

  /// The order of the candidates, given by their indices and computed on first use.
  private final class Order {
    /// The bindings in force, in order of precedence.
    var indices: [Int]?
    /// Their key sequences by first key, in the same order.
    var table: [KeyPress: [(index: Int, keys: KeySequence)]]?
  }

  init(_ declarations: Declarations, layer: Int, focus: ViewPath?, after last: KeysInForce?) {
    self.layer = layer
    // Loops, here and below: a closure of the main actor that is passed to the standard library
    // checks the actor in each call.
    let bindings = declarations.bindings
    var declared: [DeclaredBinding] = []
    declared.reserveCapacity(bindings.count)
    for binding in bindings {
      if let binding = binding.inForce(in: layer) { declared.append(binding) }
    }
    self.declared = declared
    var (place, nextStopLabel): (Focusable?, String?)
    var pane: ViewPath?
    for other in declarations.focusables where other.layer == layer {
      if let pane, nextStopLabel != "next pane" {
        nextStopLabel = other.section == pane ? "next field" : "next pane"
      }
      pane = other.section
      if place == nil, other.path == focus { place = other }
    }
    // The path as this frame declares it: paths of one frame share their prefixes and compare fast,
    // while those of different frames are compared step by step.
    self.focus = place?.path ?? focus
    section = place?.section ?? .root
    self.nextStopLabel = nextStopLabel
    isTyping = declarations.textInput(focused: focus, layer: layer) != nil
    let hasMoved =
      last?.layer != layer || last?.focus != self.focus || last?.section != section
      || last?.isTyping != isTyping || last?.nextStopLabel != nextStopLabel
    let before = hasMoved ? nil : last
    if let before, Self.areSame(declared, before.declared) {
      positions = before.positions
    } else {
      let way = self.focus?.prefixes
      var positions: [Int] = []
      for (index, binding) in declared.enumerated()
      where Self.isOnWay(binding, way) || binding.reach.isPane && binding.section == section {
        positions.append(index)
      }
      self.positions = positions
    }
    var candidates: [DeclaredBinding] = []
    candidates.reserveCapacity(positions.count)
    for index in positions { candidates.append(declared[index]) }
    self.candidates = candidates
    if let before, Self.areSame(candidates, before.candidates) {
      (areKept, order) = (true, before.order)
    } else {
      (areKept, order) = (false, Order())
    }
  }

  /// Whether the view of a binding contains the focus; without a focus, every binding is in force.
  private static func isOnWay(_ binding: DeclaredBinding, _ way: [ViewPath]?) -> Bool {
    guard let way else { return true }
    let depth = binding.path.depth
    return depth < way.count && way[depth] == binding.path
  }

  private static func areSame(_ these: [DeclaredBinding], _ others: [DeclaredBinding]) -> Bool {
    guard these.count == others.count else { return false }
    for (one, other) in zip(these, others) where !one.isSame(as: other) { return false }
    return true
  }

  private var indices: [Int] {
    if let known = order.indices { return known }
    let found = findOrder()
    order.indices = found
    return found
  }

  private var table: [KeyPress: [(index: Int, keys: KeySequence)]] {
    if let known = order.table { return known }
    var table: [KeyPress: [(index: Int, keys: KeySequence)]] = [:]
    for index in indices {
      for keys in candidates[index].binding.keys where isKey(keys) {
        table[keys.first, default: []].append((index, keys))
      }
    }
    order.table = table
    return table
  }

  /// Whether a key sequence is not text: no field has the focus, or its first key types nothing.
  private func isKey(_ keys: KeySequence) -> Bool { !isTyping || keys.first.printable == nil }

  /// The bindings in force; the first one with a key receives it.
  private(set) lazy var bindings: [DeclaredBinding] = {
    let bindings = indices.map { candidates[$0] }
    return isTyping ? bindings.compactMap { $0.keeping { isKey($0) } } : bindings
  }()

  /// The effect of a sequence of keys.
  enum Meaning {
    case nothing
    /// The beginning of a longer sequence.
    case begins
    case does(DeclaredBinding, KeySequence)
  }

  /// Returns the meaning of keys: the first binding that has them, or has a sequence beginning with
  /// them, decides.
  func meaning(of keys: [KeyPress]) -> Meaning {
    guard let first = keys.first, let known = table[first] else { return .nothing }
    let fitting = known.filter { $0.keys.begins(with: keys) }
    guard let index = fitting.first?.index else { return .nothing }
    let whole = fitting.first { $0.index == index && $0.keys.rest.count + 1 == keys.count }
    return whole.map { .does(candidates[index], $0.keys) } ?? .begins
  }

  /// Returns the first binding that performs an action, whatever its keys.
  func binding(of action: KeyAction) -> DeclaredBinding? {
    for index in indices where candidates[index].binding.actions.contains(action.name) {
      return candidates[index]
    }
    return nil
  }

  /// Performs a binding; if it reaches a whole pane, all bindings of the same key in the pane.
  func perform(_ first: DeclaredBinding, count: Int?, isSame: (KeyBinding) -> Bool) {
    guard first.reach.isPane, focus?.isWithin(first.path) != true else {
      return first.binding.perform(count)
    }
    for index in indices where candidates[index].reach.isPane {
      if isSame(candidates[index].binding) { candidates[index].binding.perform(count) }
    }
  }

  private func findOrder() -> [Int] {
    let way = focus?.prefixes
    var onWay: [[Int]] = Array(repeating: [], count: way?.count ?? 0)
    // Those elsewhere in the pane; the hinted ones by the depth of the innermost view that contains
    // them and the focus.
    var (hinted, around): ([Int: [Int]], [Int]) = ([:], [])
    for (index, other) in candidates.enumerated() {
      if Self.isOnWay(other, way) {
        while other.path.depth >= onWay.count { onWay.append([]) }
        onWay[other.path.depth].append(index)
      } else if let focus, other.reach == .paneByHint {
        hinted[other.path.commonDepth(with: focus), default: []].append(index)
      } else {
        around.append(index)
      }
    }
    // The innermost come first. The pane's bindings go between those of views inside the pane and
    // those of the screens around it; one that a hint shows precedes those of the views that contain
    // it.
    var (inside, outside): ([Int], [Int]) = ([], [])
    for (depth, indices) in onWay.enumerated().reversed() {
      if let others = hinted[depth] { inside += others }
      if depth >= section.depth { inside += indices } else { outside += indices }
    }
    return inside + around + outside
  }

  /// The bindings with only the keys that they actually receive, so that each key appears once.
  private(set) lazy var distinct: [DeclaredBinding] = {
    var taken = TakenKeys()
    var distinct = bindings.compactMap { declared in declared.keeping { taken.take($0) } }
      .filter { !$0.binding.isUnnamed && isAvailable($0.binding.neededAction) }
    if let nextStopLabel, taken.take(KeySequence(.tab)) {
      distinct.append(
        DeclaredBinding(
          KeyBinding(keys: [.tab, .backTab], label: nextStopLabel, footer: .ifRoom) {},
          path: .root, layer: layer, reach: .focus, section: .root, sectionTitle: nil))
    }
    return distinct
  }()
}

extension KeysInForce {
  private func isAvailable(_ action: KeyAction?) -> Bool {
    action.map { binding(of: $0) != nil } ?? true
  }
}

// MARK: In groups

/// Keys that belong together: those of a pane, those that move, or those that work everywhere.
@MainActor
struct KeyGroup {
  let title: String
  var keys: [KeyBinding]

  /// Returns the keys whose label contains a text or whose name equals it, ignoring case; `nil` if
  /// there are none.
  func matching(_ text: String) -> KeyGroup? {
    let text = text.lowercased()
    let found = keys.filter { key in
      key.label.lowercased().contains(text)
        || key.keys.contains { $0.description.lowercased() == text }
    }
    return found.isEmpty ? nil : KeyGroup(title: title, keys: found)
  }
}

extension KeysInForce {
  /// The keys of the focused pane or of the sheet, of the other panes, those that move, and those
  /// that work in every pane.
  var groups: [KeyGroup] {
    var pane = KeyGroup(title: "Here", keys: [])
    var moving = KeyGroup(title: "Moving", keys: [])
    var everywhere = KeyGroup(title: "Everywhere", keys: [])
    for declared in distinct {
      let isInPane = declared.section == section && declared.path.isWithin(section)
      if declared.binding.moves {
        moving.keys.append(declared.binding)
      } else if isInPane, section != .root || layer > 0 {
        if let title = declared.sectionTitle { pane = KeyGroup(title: title, keys: pane.keys) }
        pane.keys.append(declared.binding)
      } else {
        everywhere.keys.append(declared.binding)
      }
    }
    return ([pane] + otherPanes + [moving, everywhere]).filter { !$0.keys.isEmpty }
  }

  /// The keys of the panes that do not have the focus, without those that do the same in the pane
  /// that has it.
  private var otherPanes: [KeyGroup] {
    var groups: [(section: ViewPath, group: KeyGroup, taken: TakenKeys)] = []
    for declared in declared
    where declared.section != section && declared.section != .root
      && declared.path.isWithin(declared.section) && declared.binding.footer != .never
    {
      guard let title = declared.sectionTitle else { continue }
      if !groups.contains(where: { $0.section == declared.section }) {
        groups.append((declared.section, KeyGroup(title: title, keys: []), TakenKeys()))
      }
      guard let index = groups.firstIndex(where: { $0.section == declared.section }),
        let kept = declared.keeping({ groups[index].taken.take($0) }), !doesNow(kept.binding)
      else { continue }
      groups[index].group.keys.append(kept.binding)
    }
    return groups.map(\.group)
  }

  /// Whether a key in force has the label of this binding.
  private func doesNow(_ other: KeyBinding) -> Bool {
    distinct.contains { declared in
      declared.binding.label == other.label
        && declared.binding.keys.contains(where: other.keys.contains)
    }
  }
}

extension KeyBinding {
  /// Performs the action, `count` times if it can be counted.
  fileprivate func perform(_ count: Int?) {
    if let counted, let count { counted(count) } else { action() }
  }

  /// Whether it is a key that every view of its kind has: no footer shows it, and it is no action
  /// of the program.
  fileprivate var moves: Bool {
    footer == .never && isOfView || keys.contains { $0.isKey(.tab) }
  }
}

/// The keys already assigned: each goes to the first binding that wants it.
private struct TakenKeys {
  private var taken: [KeyPress: [KeySequence]] = [:]

  /// Takes a key sequence; returns `false` if it can no longer be typed.
  mutating func take(_ keys: KeySequence) -> Bool {
    if taken[keys.first]?.contains(where: keys.excludes) == true { return false }
    taken[keys.first, default: []].append(keys)
    return true
  }
}
