import TerminalUI

/// The keys that the user chose for actions: the table `[keys]` of the configuration file.
struct KeyChoices {
  private struct Choice {
    let key: KeyPress
    let line: Int
  }

  private let table: KeyTable
  private var choices: [KeyAction: [Choice]] = [:]
  private(set) var problems: [ConfigurationProblem] = []

  /// The keys of actions that are not to have their own.
  var keys: [KeyAction: [KeyPress]] {
    choices.mapValues { $0.map(\.key) }.filter { $0.value != $0.key.keys }
  }

  init(_ entries: TOMLTable, in table: KeyTable) {
    self.table = table
    let actions = Dictionary(uniqueKeysWithValues: table.actions.map { ($0.name, $0) })
    for entry in entries.entries where problems.count < ConfigurationProblems.limit {
      if let action = actions[entry.key] {
        choices[action] = read(entry)
      } else {
        let suggestion =
          Suggestion.name(for: entry.key, among: actions.keys.sorted())
          .map { "did you mean \($0)" } ?? "argyle config --print-default lists all actions"
        refuse(entry.line, entry.key, "unknown action; \(suggestion)")
      }
    }
    findConflicts()
  }

  private mutating func refuse(_ line: Int, _ name: String, _ message: String) {
    problems.append(ConfigurationProblem(line: line, key: "keys.\(name)", message: message))
  }

  // MARK: Keys

  private mutating func read(_ entry: TOMLTable.Entry) -> [Choice] {
    var values = [entry.value]
    if case .array(let list) = entry.value.content { values = list }
    var choices: [Choice] = []
    var keys: Set<KeyPress> = []
    for value in values where problems.count < ConfigurationProblems.limit {
      do throws(KeyProblem) {
        let key = try KeyPress(toml: value)
        if keys.insert(key).inserted { choices.append(Choice(key: key, line: value.line)) }
      } catch {
        refuse(value.line, entry.key, error.message)
      }
    }
    return choices
  }

  static let keyNames =
    "a key is a character or one of "
    + (KeyPress.names.map(\.name) + ["f1 to f12", "ctrl-x", "alt-x"]).joined(separator: ", ")

  /// Why no action may have a key; nil where one may.
  static func refusal(of key: KeyPress) -> String? {
    switch key {
    case .enter: return "it opens what is selected"
    case .tab, .backTab: return "it goes to the next pane"
    case .control("c"), .control("z"), .control("\\"):
      return "the terminal uses it to end or stop a program"
    case .control("i"): return "a terminal sends it for Tab"
    case .control("m"), .control("j"): return "a terminal sends it for Enter"
    case .control("["): return "a terminal sends it for Esc"
    default: break
    }
    if case .character(let character) = key.key, key.modifiers.contains(.shift) {
      return "a terminal sends \(character.uppercased()) for it"
    }
    return nil
  }

  // MARK: Conflicts

  /// Refuses keys that would mean two things on one screen.
  private mutating func findConflicts() {
    let map = KeyMap(choices.mapValues { $0.map(\.key) })
    let actions = table.actions
    var holders: [KeyPress: [KeyAction]] = [:]
    for action in actions {
      for key in map[action] { holders[key, default: []].append(action) }
    }
    for (key, actions) in holders where actions.count > 1 {
      for (index, one) in actions.enumerated() {
        for other in actions[(index + 1)...] { checkConflict(one, other, of: key) }
      }
    }
  }

  private mutating func checkConflict(_ one: KeyAction, _ other: KeyAction, of key: KeyPress) {
    guard !table.screens(of: one).isDisjoint(with: table.screens(of: other)) else { return }
    // What shares a key from the start does so on purpose, like Esc, which cancels or else goes back.
    guard !(one.keys.contains(key) && other.keys.contains(key)) else { return }
    let lines = [one, other].map { action in
      (action: action, line: choices[action]?.first { $0.key == key }?.line)
    }.sorted { $0.line ?? 0 < $1.line ?? 0 }
    guard let line = lines[1].line else { return }
    let place = lines[0].line.map { "line \($0)" } ?? "by default"
    refuse(
      line, lines[1].action.name,
      "\(key) is also the key of \(lines[0].action.name) (\(place)), on the same screen")
  }
}
