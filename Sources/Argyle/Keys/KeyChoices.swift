import TerminalUI

/// The keys that the user chose for actions: the table `[keys]` of the configuration file.
struct KeyChoices {
  /// The chosen keys of each action that the table names.
  private(set) var keys: [KeyAction: [KeySequence]] = [:]
  private(set) var claims: [KeyClaim] = []
  private(set) var problems: [ConfigurationProblem] = []

  init(_ entries: TOMLTable, in table: KeyTable) {
    let actions = Dictionary(uniqueKeysWithValues: table.actions.map { ($0.name, $0) })
    for entry in entries.entries where problems.count < ConfigurationProblems.limit {
      if let action = actions[entry.key] {
        keys[action] = []
        read(entry, for: action, on: table.screens(of: action))
      } else {
        refuse(entry.line, entry.key, "unknown action; \(Self.advice(for: entry.key))")
      }
    }
  }

  private mutating func refuse(_ line: Int, _ name: String, _ message: String) {
    problems.append(ConfigurationProblem(line: line, key: "keys.\(name)", message: message))
  }

  // MARK: Keys

  /// Returns advice about an unknown action name, such as the known name that is most like it.
  static func advice(for name: String) -> String {
    Suggestion.name(for: name, among: KeyTable.program.actions.map(\.name).sorted())
      .map { "did you mean \($0)?" } ?? "argyle config --print-default lists all actions"
  }

  private mutating func read(
    _ entry: TOMLTable.Entry, for action: KeyAction, on screens: KeyTable.Screens
  ) {
    var chosen: Set<KeySequence> = []
    for value in entry.value.elements where problems.count < ConfigurationProblems.limit {
      do throws(TableProblem) {
        let sequence = try KeySequence(toml: value)
        guard chosen.insert(sequence).inserted else { continue }
        keys[action]?.append(sequence)
        claims.append(
          KeyClaim(
            holder: .action(action), screens: screens, keys: sequence,
            place: (value.line, "keys.\(entry.key)")))
      } catch {
        refuse(value.line, entry.key, error.message)
      }
    }
  }

  static let keyNames =
    "a key is a character or one of "
    + (KeyPress.names.map(\.name) + ["f1 to f20", "ctrl-x", "alt-x"]).joined(separator: ", ")

  /// Returns why the key cannot be chosen for any action; nil if it can.
  static func refusal(of key: KeyPress) -> String? {
    switch key {
    case .enter: return "it opens what is selected"
    case .tab, .backTab: return "it goes to the next pane"
    case .control("c"), .control("z"), .control("\\"):
      return "the terminal uses it to end or stop a program"
    case .control("s"), .control("q"):
      return "the terminal uses it to stop its output and to go on"
    case .control("i"): return "a terminal sends it for Tab"
    case .control("m"), .control("j"): return "a terminal sends it for Enter"
    case .control("["): return "a terminal sends it for Esc"
    case .control("h"): return "a terminal sends it for Backspace"
    default: break
    }
    if case .character(let character) = key.key, key.modifiers.contains(.shift) {
      return "a terminal sends \(character.uppercased()) for it"
    }
    return nil
  }
}

extension KeySequence {
  /// The most keys in a sequence: more than anyone would remember.
  private static let longest = 5

  /// Reads a sequence of keys that may be chosen for an action.
  init(toml value: TOMLValue) throws(TableProblem) {
    guard let names = value.content.text else {
      throw TableProblem(
        message: "this is \(value.description); keys must be a list of strings, such as "
          + "[\"n\", \"ctrl-n\"]")
    }
    let keys = names == " " ? ["space"] : names.split(separator: " ").map(String.init)
    guard 1...Self.longest ~= keys.count, let sequence = KeySequence(named: names) else {
      let unknown = keys.first { KeyPress(named: $0) == nil } ?? names
      throw TableProblem(
        message: keys.count > Self.longest
          ? "no more than \(Self.longest) keys can be pressed one after another"
          : "unknown key “\(unknown)”; \(KeyChoices.keyNames)")
    }
    for key in sequence.keys {
      if let reason = KeyChoices.refusal(of: key) {
        throw TableProblem(message: "\(key) cannot be chosen: \(reason)")
      }
    }
    if !sequence.rest.isEmpty, sequence.keys.contains(.escape) {
      throw TableProblem(message: "Esc cannot be one of several keys: it ends what was typed")
    }
    self = sequence
  }
}
