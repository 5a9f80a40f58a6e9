import TerminalUI

/// A command of the configuration file: a table `[[command]]`.
extension ArticleCommand {
  private static let names = ["key", "name", "run", "input", "foreground", "wait"]

  /// - Throws: everything in it that cannot be taken.
  init(toml element: TOMLValue) throws(ConfigurationProblems) {
    var problems: [ConfigurationProblem] = []
    func refuse(_ line: Int, _ name: String?, _ message: String) {
      let key = name.map { "command.\($0)" } ?? "command"
      problems.append(ConfigurationProblem(line: line, key: key, message: message))
    }
    var (name, keys, words): (String?, [KeyPress], [String]) = (nil, [], [])
    var (input, isForeground): (Input?, Bool) = (nil, false)
    var wait: (value: Bool, line: Int)?
    guard case .table(let table) = element.content else {
      refuse(element.line, nil, "this must be a table with the header [[command]]")
      throw ConfigurationProblems(all: problems)
    }
    for entry in table.entries {
      let value = entry.value
      func refuseValue(_ wanted: String) {
        refuse(value.line, entry.key, "this is \(value.description); \(wanted)")
      }
      switch (entry.key, value.content) {
      case ("name", .string(let text)) where text.contains { !$0.isWhitespace }: name = text
      case ("name", _): refuseValue("it must be a string that is not empty")
      case ("key", _):
        for value in value.elements {
          do throws(KeyProblem) {
            keys.append(try KeyPress(toml: value))
          } catch {
            refuse(value.line, entry.key, error.message)
          }
        }
      case ("run", .array(let elements)):
        words = elements.compactMap { if case .string(let text) = $0.content { text } else { nil } }
        if words.count < elements.count || words.first?.isEmpty != false {
          refuseValue("it must be a list of strings: a program and its arguments")
        } else if OutsideCommand("", [words[0]]).hasPlaceholders {
          refuse(value.line, entry.key, "the program must not come from a feed")
        } else if let unknown = words.lazy.compactMap(OutsideCommand.unknownPlaceholder).first {
          refuse(
            value.line, entry.key,
            "there is no placeholder {\(unknown)}; the choices are "
              + OutsideCommand.Placeholder.allCases.map { "{\($0.rawValue)}" }
              .joined(separator: ", "))
        }
      case ("run", _): refuseValue("it must be a list of strings: a program and its arguments")
      case ("input", .string(let text)) where Input(rawValue: text) != nil:
        input = Input(rawValue: text)
      case ("input", _):
        refuseValue("the choices are \(Input.allCases.map(\.rawValue).joined(separator: ", "))")
      case ("foreground", .boolean(let value)): isForeground = value
      case ("wait", .boolean(let value)): wait = (value, entry.line)
      case ("foreground", _), ("wait", _): refuseValue("it must be true or false")
      default:
        let advice = Suggestion.advice(for: entry.key, among: Self.names)
        refuse(entry.line, entry.key, "unknown setting; \(advice)")
      }
    }
    if problems.isEmpty, name == nil || keys.isEmpty || words.isEmpty {
      refuse(element.line, nil, "a command must have a key, a name and what to run")
    }
    if problems.isEmpty, let wait, !isForeground {
      refuse(wait.line, "wait", "only a command with foreground = true has a terminal to wait on")
    }
    guard problems.isEmpty, let name, let program = words.first else {
      throw ConfigurationProblems(all: problems)
    }
    self.init(
      name: name, keys: keys, command: OutsideCommand(program, Array(words.dropFirst())),
      input: input, isForeground: isForeground, waits: wait?.value)
  }

  /// Its lines in a configuration file.
  var toml: [String] {
    let lists = [keys.map(\.name), [command.program] + command.templates].map {
      "[" + $0.map(\.toml).joined(separator: ", ") + "]"
    }
    return ["[[command]]", "key = \(lists[0])", "name = \(name.toml)", "run = \(lists[1])"]
      + (input.map { ["input = \($0.rawValue.toml)"] } ?? [])
      + (isForeground ? ["foreground = true"] : []) + (waits.map { ["wait = \($0)"] } ?? [])
  }
}

/// Why a key cannot be chosen.
struct KeyProblem: Error {
  let message: String
}

extension KeyPress {
  /// A key that may be chosen for something.
  init(toml value: TOMLValue) throws(KeyProblem) {
    guard case .string(let name) = value.content else {
      throw KeyProblem(
        message: "this is \(value.description); keys must be a list of strings, such as "
          + "[\"n\", \"ctrl-n\"]")
    }
    guard let key = KeyPress(named: name) else {
      throw KeyProblem(message: "unknown key “\(name)”; \(KeyChoices.keyNames)")
    }
    if let reason = KeyChoices.refusal(of: key) {
      throw KeyProblem(message: "\(key) cannot be chosen: \(reason)")
    }
    self = key
  }
}

extension TOMLValue {
  /// Of a list, its elements; anything else is one of its own.
  var elements: [TOMLValue] {
    if case .array(let elements) = content { elements } else { [self] }
  }
}

extension Configuration {
  /// The keys of commands that would mean two things.
  ///
  /// - Parameter lines: where the tables of the commands begin.
  func commandConflicts(_ lines: [Int]) -> [ConfigurationProblem] {
    let map = KeyMap(keys)
    let screens: KeyTable.Screens = [.articles, .article]
    let actions = KeyTable.program.actions.filter {
      !KeyTable.program.screens(of: $0).isDisjoint(with: screens)
    }
    var problems: [ConfigurationProblem] = []
    for (index, command) in commands.enumerated() {
      for key in command.keys {
        let other =
          actions.first { map[$0].contains(key) }?.name
          ?? commands[..<index].first { $0.keys.contains(key) }.map { "“\($0.name)”" }
        guard let other else { continue }
        problems.append(
          ConfigurationProblem(
            line: lines[index], key: "command.key",
            message: "\(key) is also the key of \(other), on the same screen"))
      }
    }
    return problems
  }
}
