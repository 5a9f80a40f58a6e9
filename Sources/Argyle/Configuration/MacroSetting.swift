import TerminalUI

/// A key that performs several actions: a table `[[macro]]` of the configuration file.
struct Macro: Hashable, Sendable {
  let name: String
  let keys: [KeySequence]
  /// The actions, in order.
  ///
  /// Macros are not actions, so a macro cannot run itself.
  let actions: [KeyAction]

  /// How many actions a macro may have: the maximum is more than anyone needs.
  static let lengths = 1...20
}

extension Macro: TableSetting {
  static let header = "macro"
  static let names = ["key", "name", "actions"]
  static let comment =
    "A macro: several actions by one key, by their names in [keys]. Each is done once the one before has "
    + "taken effect; one that cannot be done there ends it, as does any key. There may be any number of "
    + "these:"
  static let example = [
    "key = \", n\"", "name = \"star, next\"", "actions = [\"toggle-star\", \"next-unread\"]",
  ]

  init?(_ table: inout TableReader) {
    let name = table.value("name", .name)
    let keys = table.each("key") { (value) throws(TableProblem) in try KeySequence(toml: value) }
    let known = KeyTable.program.actions
    let actions = table.each("actions") { (value) throws(TableProblem) in
      guard let name = value.content.text else {
        throw TableProblem(
          message: "this is \(value.description); it must be a list of names of actions")
      }
      guard let action = known.first(where: { $0.name == name }) else {
        throw TableProblem(message: "unknown action “\(name)”; \(KeyChoices.advice(for: name))")
      }
      return action
    }
    guard table.isGood else { return nil }
    guard let name, !keys.isEmpty, Self.lengths ~= actions.count else {
      table.refuse(nil, "a macro must have a key, a name and from 1 to 20 actions")
      return nil
    }
    self.init(name: name, keys: keys, actions: actions)
  }

  var toml: [String] {
    [
      "key = \(keys.map(\.name).toml)", "name = \(name.toml)",
      "actions = \(actions.map(\.name).toml)",
    ]
  }
}
