import TerminalUI

/// Several actions by one key: a table `[[macro]]` of the configuration file.
struct Macro: Hashable, Sendable {
  let name: String
  let keys: [KeySequence]
  /// In their order; macros are no actions, so that none can do itself.
  let actions: [KeyAction]

  /// More than anybody needs for one thing.
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
      guard case .string(let name) = value.content else {
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
      line("key", keys.map(\.name)), "name = \(name.toml)",
      line("actions", actions.map(\.name)),
    ]
  }
}

// MARK: Conflicts

extension Configuration {
  /// The keys of commands and macros that would mean two things.
  ///
  /// - Parameter lines: where their tables begin, by header.
  func keyConflicts(_ lines: [String: [Int]]) -> [ConfigurationProblem] {
    let map = KeyMap(keys)
    var taken = KeyTable.program.actions.map { action in
      (name: action.name, screens: KeyTable.program.screens(of: action), keys: map[action])
    }
    var problems: [ConfigurationProblem] = []
    func check(
      _ header: String, _ index: Int, _ name: String, _ screens: KeyTable.Screens,
      _ keys: [KeySequence]
    ) {
      for key in keys {
        let other = taken.lazy.filter { !$0.screens.isDisjoint(with: screens) }
          .compactMap { other in
            other.keys.first(where: key.excludes).map { (name: other.name, key: $0) }
          }.first
        guard let other, let line = lines[header]?[index] else { continue }
        problems.append(
          ConfigurationProblem(
            line: line, key: "\(header).key",
            message: KeyChoices.conflict(of: key, with: other.key, of: other.name)))
      }
      taken.append(("“\(name)”", screens, keys))
    }
    for (index, command) in commands.enumerated() {
      check(
        ArticleCommand.header, index, command.name, [.articles, .article], command.keys)
    }
    for (index, macro) in macros.enumerated() {
      check(Macro.header, index, macro.name, .everywhere, macro.keys)
    }
    return problems
  }
}
