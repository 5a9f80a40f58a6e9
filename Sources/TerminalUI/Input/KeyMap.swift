/// The keys of every action: its default keys, unless the user has chosen others.
///
/// ```swift
/// var environment = EnvironmentValues()
/// environment.keyMap = KeyMap([.first: [KeySequence("g", "g")], .reload: ["t"], .details: []])
/// ```
public struct KeyMap: Hashable, Sendable {
  // Includes the keys that always work, because every binding of every frame looks its keys up.
  private let chosen: [String: [KeySequence]]

  /// Creates a key map in which `chosen` replaces the default keys of some actions.
  ///
  /// An empty list leaves an action only the keys that always work.
  public init(_ chosen: [KeyAction: [KeySequence]] = [:]) {
    self.chosen = Dictionary(
      uniqueKeysWithValues: chosen.map { action, keys in
        (action.name, keys + action.always.filter { !keys.contains($0) })
      })
  }

  /// The keys of an action, beginning with the one to show.
  public subscript(action: KeyAction) -> [KeySequence] {
    chosen.isEmpty ? action.keys : chosen[action.name] ?? action.keys
  }
}

extension View {
  /// Runs an action when one of its keys is pressed while this view, or one inside it, has the
  /// focus.
  ///
  /// ``EnvironmentValues/keyMap`` determines the keys. The footer shows `label`, or by default the
  /// label of the first action, beside the first key, at the place that `footer` determines. While
  /// `isActive` is `false`, the keys do nothing here.
  public func onKeyPress(
    action actions: KeyAction..., label: String? = nil, footer: FooterPlace = .first,
    when isActive: Bool = true, perform: @escaping @MainActor () -> Void
  ) -> some View {
    onKeyPress(
      actions: actions, label: label, footer: footer, reach: .focus, when: isActive,
      perform: perform)
  }

  /// Runs an action that takes a count when one of its keys is pressed.
  ///
  /// The keys work while this view, or one inside it, has the focus. `perform` is given the number
  /// that was typed before the key, as in `5j`, or 1 if there was none.
  public func onKeyPress(
    counted action: KeyAction, label: String? = nil, footer: FooterPlace = .ifRoom,
    when isActive: Bool = true, perform: @escaping @MainActor (Int) -> Void
  ) -> some View {
    onKeyPress(
      actions: [action], label: label, footer: footer, reach: .focus, when: isActive,
      counted: perform
    ) { perform(1) }
  }

  /// Runs an action when one of its keys is pressed, also in the sheets of the views inside this one.
  ///
  /// The footer of a sheet does not show it.
  package func onKeyPressInSheetsToo(
    action: KeyAction, footer: FooterPlace = .first, when isActive: Bool = true,
    perform: @escaping @MainActor () -> Void
  ) -> some View {
    onKeyPress(
      actions: [action], footer: footer, reach: .focus, when: isActive, inSheets: true,
      perform: perform)
  }

  func onKeyPress(
    actions: [KeyAction], label: String? = nil, footer: FooterPlace = .first,
    reach: DeclaredBinding.Reach, when isActive: Bool = true, inSheets: Bool = false,
    counted: (@MainActor (Int) -> Void)? = nil, perform: @escaping @MainActor () -> Void
  ) -> Modified<Self> {
    bound(reach: reach) { context in
      guard isActive else { return [] }
      return [
        KeyBinding(
          keys: context.keys(of: actions), label: label ?? actions.first?.label ?? "",
          footer: footer, actions: actions.map(\.name), counted: counted, worksInSheets: inSheets,
          action: perform)
      ]
    }
  }
}

extension ViewContext {
  /// The keys of some actions, in the order of the actions.
  func keys(of actions: [KeyAction]) -> [KeySequence] {
    // A single action needs no new array.
    if actions.count == 1 { return environment.keyMap[actions[0]] }
    return actions.flatMap { environment.keyMap[$0] }
  }

  /// Declares a binding of the keys of an action; `counted` handles a number typed before them.
  func declare(
    action: KeyAction, also other: KeyAction? = nil, label: String? = nil,
    footer: FooterPlace = .never, counted: (@MainActor (Int) -> Void)? = nil,
    perform: @escaping @MainActor () -> Void
  ) {
    declare(
      KeyBinding(
        action, also: other, in: environment.keyMap, label: label, footer: footer,
        counted: counted, perform: perform))
  }
}

extension KeyBinding {
  /// Creates the binding of an action that belongs to a view of this module, with the keys of `map`.
  init(
    _ action: KeyAction, also other: KeyAction? = nil, in map: KeyMap, label: String? = nil,
    footer: FooterPlace = .first, counted: (@MainActor (Int) -> Void)? = nil,
    perform: @escaping @MainActor () -> Void
  ) {
    self.init(
      keys: other.map { map[action] + map[$0] } ?? map[action], label: label ?? action.label,
      footer: footer, actions: other.map { [action.name, $0.name] } ?? [action.name],
      isOfView: true, counted: counted, action: perform)
  }
}
