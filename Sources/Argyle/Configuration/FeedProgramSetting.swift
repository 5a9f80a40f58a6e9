import Articles

/// A program that may write a feed: a table `[[exec]]` of the configuration file.
struct FeedProgramSetting: Hashable, Sendable {
  let name: String
  let program: FeedProgram

  private static let names = ["name", "run", "timeout"]
  private static let times = 1...3_600

  /// - Throws: everything in it that cannot be taken.
  init(toml element: TOMLValue) throws(ConfigurationProblems) {
    var problems: [ConfigurationProblem] = []
    func refuse(_ line: Int, _ name: String?, _ message: String) {
      problems.append(
        ConfigurationProblem(
          line: line, key: name.map { "exec.\($0)" } ?? "exec", message: message))
    }
    var (name, words, time): (String?, [String], Int) = (nil, [], 30)
    guard case .table(let table) = element.content else {
      refuse(element.line, nil, "this must be a table with the header [[exec]]")
      throw ConfigurationProblems(all: problems)
    }
    for entry in table.entries {
      let value = entry.value
      switch (entry.key, value.content) {
      case ("name", .string(let text)) where FeedProgram.isName(text): name = text
      case ("name", _):
        refuse(
          value.line, entry.key,
          "this is \(value.description); it must be a name of letters, digits, - and _")
      case ("run", .array(let elements)):
        words = elements.compactMap { if case .string(let text) = $0.content { text } else { nil } }
        if words.count < elements.count || words.first?.isEmpty != false { fallthrough }
      case ("run", _):
        refuse(
          value.line, entry.key,
          "this is \(value.description); it must be a list of strings: a program and its arguments")
      case ("timeout", .integer(let seconds)) where Self.times ~= seconds: time = seconds
      case ("timeout", _):
        refuse(
          value.line, entry.key,
          "this is \(value.description); it must be a number of seconds from 1 to 3600")
      default:
        let advice = Suggestion.advice(for: entry.key, among: Self.names)
        refuse(entry.line, entry.key, "unknown setting; \(advice)")
      }
    }
    if problems.isEmpty, name == nil || words.isEmpty {
      refuse(element.line, nil, "a program must have a name and what to run")
    }
    guard problems.isEmpty, let name else { throw ConfigurationProblems(all: problems) }
    self.name = name
    program = FeedProgram(command: words, time: .seconds(time))
  }

  /// Its lines in a configuration file.
  var toml: [String] {
    let words = program.command.map(\.toml).joined(separator: ", ")
    return [
      "[[exec]]", "name = \(name.toml)", "run = [\(words)]",
      "timeout = \(program.time.components.seconds)",
    ]
  }
}
