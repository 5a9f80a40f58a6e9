/// Keys that belong together: those of a pane, those that move, those that work everywhere.
@MainActor
struct KeyGroup {
  let title: String
  var keys: [KeyBinding]

  /// The keys whose names or labels contain a text, in any case; `nil` where there are none.
  func matching(_ text: String) -> KeyGroup? {
    let text = text.lowercased()
    let found = keys.filter { key in
      key.label.lowercased().contains(text)
        || key.keys.contains { $0.description.lowercased() == text }
    }
    return found.isEmpty ? nil : KeyGroup(title: title, keys: found)
  }
}

extension FrameBuilder {
  /// The bindings that really get their keys, each key once.
  func keysInForce(layer: Int) -> [KeyBinding] { declaredInForce(layer: layer).map(\.binding) }

  private func declaredInForce(layer: Int) -> [DeclaredBinding] {
    var taken: Set<KeyPress> = []
    var declared = bindingsInForce(layer: layer).compactMap { declared in
      declared.keeping { taken.insert($0).inserted }
    }
    if hasSeveralStops(layer: layer), !taken.contains(.tab) { declared.append(nextStop(layer)) }
    return declared
  }

  private func hasSeveralStops(layer: Int) -> Bool {
    declarations.focusables.lazy.filter { $0.layer == layer }.prefix(2).count == 2
  }

  /// What Tab does by itself: a sheet has fields, the screen behind it panes.
  private func nextStop(_ layer: Int) -> DeclaredBinding {
    let label = layer == 0 ? "next pane" : "next field"
    return DeclaredBinding(
      binding: KeyBinding(keys: [.tab, .backTab], label: label, footer: .ifRoom) {},
      path: .root, layer: layer, reach: .focus, section: .root, sectionTitle: nil)
  }

  /// The keys of a layer: those of the pane that has the focus, of the others, those that move, and
  /// those that work in every pane.
  func keyGroups(layer: Int) -> [KeyGroup] {
    let place = declarations.focusables.first { $0.layer == layer && $0.path == focus[layer] }
    let section = place?.section ?? .root
    var pane = KeyGroup(title: "Here", keys: [])
    var moving = KeyGroup(title: "Moving", keys: [])
    var everywhere = KeyGroup(title: "Everywhere", keys: [])
    for declared in declaredInForce(layer: layer) {
      let isInPane = declared.section == section && declared.path.isWithin(section)
      if declared.binding.footer == .never || declared.binding.keys.contains(.tab) {
        moving.keys.append(declared.binding)
      } else if isInPane, section != .root {
        if let title = declared.sectionTitle { pane = KeyGroup(title: title, keys: pane.keys) }
        pane.keys.append(declared.binding)
      } else {
        everywhere.keys.append(declared.binding)
      }
    }
    return ([pane] + otherPanes(layer: layer, than: section) + [moving, everywhere])
      .filter { !$0.keys.isEmpty }
  }

  /// The keys of the panes that do not have the focus.
  private func otherPanes(layer: Int, than section: ViewPath) -> [KeyGroup] {
    var groups: [(section: ViewPath, group: KeyGroup, taken: Set<KeyPress>)] = []
    for declared in declarations.bindings
    where declared.layer == layer && declared.section != section && declared.section != .root
      && declared.path.isWithin(declared.section) && declared.binding.footer != .never
    {
      guard let title = declared.sectionTitle else { continue }
      if !groups.contains(where: { $0.section == declared.section }) {
        groups.append((declared.section, KeyGroup(title: title, keys: []), []))
      }
      guard let index = groups.firstIndex(where: { $0.section == declared.section }),
        let binding = declared.binding.keeping({ groups[index].taken.insert($0).inserted })
      else { continue }
      groups[index].group.keys.append(binding)
    }
    return groups.map(\.group)
  }
}
