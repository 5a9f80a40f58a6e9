/// Which keys do what: each action's own, but for those that a user gave others.
///
/// ```swift
/// var environment = EnvironmentValues()
/// environment.keyMap = KeyMap([.first: [KeySequence("g", "g")], .reload: ["t"], .details: []])
/// ```
public struct KeyMap: Hashable, Sendable {
  // Looked up by every binding of every frame: the keys that always work are in it already.
  private let chosen: [String: [KeySequence]]

  /// Every action's own keys, but for `chosen`; an empty list leaves an action without keys, except
  /// for those that always work.
  public init(_ chosen: [KeyAction: [KeySequence]] = [:]) {
    self.chosen = Dictionary(
      uniqueKeysWithValues: chosen.map { action, keys in
        (action.name, keys + action.always.filter { !keys.contains($0) })
      })
  }

  /// The keys of an action, the one to be shown first.
  public subscript(action: KeyAction) -> [KeySequence] {
    chosen.isEmpty ? action.keys : chosen[action.name] ?? action.keys
  }
}

extension View {
  /// Does something when a key of an action is pressed while it, or a view inside it, has the focus.
  ///
  /// Which keys those are is what ``EnvironmentValues/keyMap`` says. The footer shows `label`, or
  /// else the label of the first action, beside the first of the keys; without `inFooter` only where
  /// there is room beside the others. While `isActive` does not hold, the keys mean nothing here.
  public func onKeyPress(
    action actions: KeyAction..., label: String? = nil, inFooter: Bool = true,
    when isActive: Bool = true, perform: @escaping @MainActor () -> Void
  ) -> some View {
    onKeyPress(
      actions: actions, label: label, footer: inFooter ? .first : .ifRoom, reach: .focus,
      when: isActive, perform: perform)
  }

  /// Does something when a key of an action is pressed while it, or a view inside it, has the focus,
  /// with its label at a place of the footer, or in the list of keys alone.
  public func onKeyPress(
    action: KeyAction, label: String? = nil, footer: FooterPlace, when isActive: Bool = true,
    perform: @escaping @MainActor () -> Void
  ) -> some View {
    onKeyPress(
      actions: [action], label: label, footer: footer, reach: .focus, when: isActive,
      perform: perform)
  }

  /// Does something as often as the user says, when a key of an action is pressed while it, or a view
  /// inside it, has the focus.
  ///
  /// `perform` is given the number that was typed before the key, as in `5j`, and 1 without one.
  public func onKeyPress(
    counted action: KeyAction, label: String? = nil, footer: FooterPlace = .ifRoom,
    when isActive: Bool = true, perform: @escaping @MainActor (Int) -> Void
  ) -> some View {
    onKeyPress(
      actions: [action], label: label, footer: footer, reach: .focus, when: isActive,
      counted: perform
    ) { perform(1) }
  }

  func onKeyPress(
    actions: [KeyAction], label: String? = nil, footer: FooterPlace = .first,
    reach: DeclaredBinding.Reach, when isActive: Bool = true,
    counted: (@MainActor (Int) -> Void)? = nil, perform: @escaping @MainActor () -> Void
  ) -> some View {
    Modified(self, role: .content) { context, node in
      guard isActive else { return node }
      let binding = KeyBinding(
        keys: context.keys(of: actions), label: label ?? actions.first?.label ?? "",
        footer: footer, actions: actions.map(\.name), counted: counted, action: perform)
      return KeyBindingNode(context, node, [binding], reach: reach)
    }
  }
}

extension ViewContext {
  /// The keys of some actions, in their order.
  func keys(of actions: [KeyAction]) -> [KeySequence] {
    // As it is kept, where there is nothing to put together.
    if actions.count == 1 { return environment.keyMap[actions[0]] }
    return actions.flatMap { environment.keyMap[$0] }
  }

  /// Declares what a key of an action does; what can be done several times is `counted`.
  func declare(
    action: KeyAction, also other: KeyAction? = nil, label: String? = nil,
    footer: FooterPlace = .never, counted: (@MainActor (Int) -> Void)? = nil,
    perform: @escaping @MainActor () -> Void
  ) {
    var (keys, names) = (environment.keyMap[action], [action.name])
    if let other {
      keys += environment.keyMap[other]
      names.append(other.name)
    }
    declare(
      KeyBinding(
        keys: keys, label: label ?? action.label, footer: footer, actions: names,
        isOfView: true, counted: counted, action: perform))
  }
}
