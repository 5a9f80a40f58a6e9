/// A value of the configuration file that is a table of its own, of which there may be any number:
/// `[[rule]]`, `[[command]]`.
protocol TableSetting {
  /// What stands between the brackets.
  static var header: String { get }
  /// The settings in it.
  static var names: [String] { get }
  /// A few sentences for the file.
  static var comment: String { get }
  /// The lines of one, for a file that has none.
  static var example: [String] { get }
  /// What only one of them may be called, with a noun before it; nil where that does not matter.
  var uniqueName: (noun: String, name: String)? { get }

  /// Nil where it cannot be taken, which the table has been told then.
  init?(_ table: inout TableReader)
  /// Its lines in a configuration file, without the header.
  var toml: [String] { get }
}

extension TableSetting {
  var uniqueName: (noun: String, name: String)? { nil }

  /// A line of a list of strings.
  func line(_ name: String, _ texts: [String]) -> String {
    "\(name) = [\(texts.map(\.toml).joined(separator: ", "))]"
  }
}

/// The tables of a header, and the way between the file's text and the program's values.
struct TableKind: Sendable {
  let header: String
  /// Adds what the tables say; returns the lines of those that could be taken.
  let read: @Sendable ([TOMLValue], inout Configuration, inout [ConfigurationProblem]) -> [Int]
  /// The lines of a file, with what is said of them.
  let write: @Sendable (Configuration) -> (comment: String, lines: [String])

  init<Value: TableSetting & Sendable>(
    _ path: WritableKeyPath<Configuration, [Value]> & Sendable
  ) {
    header = Value.header
    read = { elements, configuration, problems in
      var (lines, names): ([Int], Set<String>) = ([], [])
      for element in elements where problems.count < ConfigurationProblems.limit {
        var table = TableReader(element, Value.header, names: Value.names)
        let value = Value(&table)
        if let (noun, name) = value?.uniqueName, !names.insert(name).inserted {
          table.refuse("name", at: element.line, "there is already \(noun) “\(name)” above")
        }
        problems += table.problems
        guard let value, table.problems.isEmpty else { continue }
        configuration[keyPath: path].append(value)
        lines.append(element.line)
      }
      return lines
    }
    write = { configuration in
      let values = configuration[keyPath: path]
      guard !values.isEmpty else {
        return (Value.comment, (["[[\(Value.header)]]"] + Value.example).map { "# \($0)" })
      }
      let lines = values.map { ["[[\(Value.header)]]"] + $0.toml }
      return (Value.comment, Array(lines.joined(separator: [""])))
    }
  }

  /// Every header, in the order of the file.
  static let all = [
    TableKind(\.display.ownThemes), TableKind(\.searches), TableKind(\.rules),
    TableKind(\.commands), TableKind(\.macros),
    TableKind(\.fullTextSites), TableKind(\.feedPrograms),
  ]
}

/// A table while it is read: each value by its name, and all that cannot be taken, with its line.
struct TableReader {
  private let header: String
  private let line: Int
  private var entries = TOMLTable(.header)
  private(set) var problems: [ConfigurationProblem] = []

  init(_ element: TOMLValue, _ header: String, names: [String]) {
    self.header = header
    line = element.line
    if case .table(let table) = element.content {
      entries = table
    } else {
      refuse(nil, "this must be a table with the header [[\(header)]]")
    }
    for entry in entries.entries where !names.contains(entry.key) {
      let advice = Suggestion.advice(for: entry.key, among: names)
      refuse(entry.key, at: entry.line, "unknown setting; \(advice)")
    }
  }

  /// Whether everything that was read so far can be taken.
  var isGood: Bool { problems.isEmpty }

  func has(_ name: String) -> Bool { entries[name] != nil }

  /// Says what is wrong with a value, or with the whole table where it has no name.
  mutating func refuse(_ name: String?, at line: Int? = nil, _ message: String) {
    let place = line ?? name.flatMap { entries[$0]?.value.line } ?? self.line
    let key = name.map { "\(header).\($0)" } ?? header
    problems.append(ConfigurationProblem(line: place, key: key, message: message))
  }

  /// Says what a value is, and what it must be.
  private mutating func refuse(_ name: String, _ value: TOMLValue, _ wanted: String) {
    refuse(name, at: value.line, "this is \(value.description); \(wanted)")
  }

  /// A value of a kind; nil where there is none, or one that cannot be taken.
  mutating func value<Value>(_ name: String, _ kind: SettingKind<Value>) -> Value? {
    guard let value = entries[name]?.value else { return nil }
    guard let taken = kind.read(value.content) else {
      refuse(name, value, kind.wanted)
      return nil
    }
    return taken
  }

  /// What each element of a list is; a value that is no list is one of its own.
  mutating func values<Value>(
    _ name: String, wanted: String, _ read: (String) -> Value?
  ) -> [Value] {
    each(name) { (value) throws(TableProblem) in
      guard case .string(let text) = value.content, let taken = read(text) else {
        throw TableProblem(message: "this is \(value.description); \(wanted)")
      }
      return taken
    }
  }

  /// The same, where there is more to be said of what cannot be taken.
  mutating func each<Value>(
    _ name: String, _ read: (TOMLValue) throws(TableProblem) -> Value
  ) -> [Value] {
    var taken: [Value] = []
    for value in entries[name]?.value.elements ?? [] {
      do throws(TableProblem) {
        taken.append(try read(value))
      } catch {
        refuse(name, at: value.line, error.message)
      }
    }
    return taken
  }
}

/// Why a value of a table cannot be taken.
struct TableProblem: Error {
  let message: String
}

extension SettingKind<String> {
  /// A text of more than spaces.
  static let name = SettingKind(
    wanted: "it must be a string that is not empty",
    read: { content in
      if case .string(let text) = content, text.contains(where: { !$0.isWhitespace }) {
        text
      } else {
        nil
      }
    }, write: \.toml)
}

extension SettingKind<[String]> {
  /// A program with its arguments.
  static let program = SettingKind(
    wanted: "it must be a list of strings: a program and its arguments",
    read: { content in
      guard case .array(let elements) = content else { return nil }
      let words = elements.compactMap {
        if case .string(let text) = $0.content { text } else { nil }
      }
      return words.count == elements.count && words.first?.isEmpty == false ? words : nil
    }, write: { "[" + $0.map(\.toml).joined(separator: ", ") + "]" })
}

extension TOMLValue {
  /// Of a list, its elements; anything else is one of its own.
  var elements: [TOMLValue] {
    if case .array(let elements) = content { elements } else { [self] }
  }
}
