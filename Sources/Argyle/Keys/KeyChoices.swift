import TerminalUI

/// The keys that the user chose for actions: the table `[keys]` of the configuration file.
struct KeyChoices {
  private struct Choice {
    let keys: KeySequence
    let line: Int
  }

  private let table: KeyTable
  private var choices: [KeyAction: [Choice]] = [:]
  private(set) var problems: [ConfigurationProblem] = []

  /// The keys of actions that are not to have their own.
  var keys: [KeyAction: [KeySequence]] {
    choices.mapValues { $0.map(\.keys) }.filter { $0.value != $0.key.keys }
  }

  init(_ entries: TOMLTable, in table: KeyTable) {
    self.table = table
    let actions = Dictionary(uniqueKeysWithValues: table.actions.map { ($0.name, $0) })
    for entry in entries.entries where problems.count < ConfigurationProblems.limit {
      if let action = actions[entry.key] {
        choices[action] = read(entry)
      } else {
        refuse(entry.line, entry.key, "unknown action; \(Self.advice(for: entry.key))")
      }
    }
    findConflicts()
  }

  private mutating func refuse(_ line: Int, _ name: String, _ message: String) {
    problems.append(ConfigurationProblem(line: line, key: "keys.\(name)", message: message))
  }

  // MARK: Keys

  /// What somebody may have meant who named an action that there is not.
  static func advice(for name: String) -> String {
    Suggestion.name(for: name, among: KeyTable.program.actions.map(\.name).sorted())
      .map { "did you mean \($0)" } ?? "argyle config --print-default lists all actions"
  }

  private mutating func read(_ entry: TOMLTable.Entry) -> [Choice] {
    var choices: [Choice] = []
    var seen: Set<KeySequence> = []
    for value in entry.value.elements where problems.count < ConfigurationProblems.limit {
      do throws(TableProblem) {
        let keys = try KeySequence(toml: value)
        if seen.insert(keys).inserted { choices.append(Choice(keys: keys, line: value.line)) }
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
    let map = KeyMap(choices.mapValues { $0.map(\.keys) })
    var holders: [KeyPress: [(action: KeyAction, keys: KeySequence)]] = [:]
    for action in table.actions {
      for keys in map[action] { holders[keys.first, default: []].append((action, keys)) }
    }
    for holders in holders.values where holders.count > 1 {
      for (index, one) in holders.enumerated() {
        for other in holders[(index + 1)...]
        where one.action != other.action && one.keys.excludes(other.keys) {
          checkConflict(one, other)
        }
      }
    }
  }

  private mutating func checkConflict(
    _ one: (action: KeyAction, keys: KeySequence), _ other: (action: KeyAction, keys: KeySequence)
  ) {
    guard !table.screens(of: one.action).isDisjoint(with: table.screens(of: other.action)) else {
      return
    }
    // What shares a key from the start does so on purpose, like Esc, which cancels or else goes back; also
    // where one of them has more keys after it now.
    let shared = one.action.keys.filter(other.action.keys.contains)
    guard
      !shared.contains(where: {
        one.keys.begins(with: $0.keys) && other.keys.begins(with: $0.keys)
      })
    else { return }
    let lines = [one, other].map { holder in
      (
        holder: holder,
        line: choices[holder.action]?.first { $0.keys == holder.keys }?.line
      )
    }.sorted { $0.line ?? 0 < $1.line ?? 0 }
    guard let line = lines[1].line else { return }
    let place = lines[0].line.map { "line \($0)" } ?? "by default"
    refuse(
      line, lines[1].holder.action.name,
      Self.conflict(
        of: lines[1].holder.keys, with: lines[0].holder.keys,
        of: "\(lines[0].holder.action.name) (\(place))"))
  }

  /// Why something cannot have its keys beside what has others.
  static func conflict(
    of keys: KeySequence, with other: KeySequence, of name: String
  ) -> String {
    keys == other
      ? "\(keys) is also the key of \(name), on the same screen"
      : "\(keys) cannot be told from \(other), the key of \(name), on the same screen"
  }
}

extension KeySequence {
  /// More than anybody remembers.
  private static let longest = 5

  /// Keys that may be chosen for something.
  init(toml value: TOMLValue) throws(TableProblem) {
    guard case .string(let names) = value.content else {
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
