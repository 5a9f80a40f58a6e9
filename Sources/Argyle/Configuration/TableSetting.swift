/// A value of the configuration file that is a table of its own and may occur any number of times:
/// `[[rule]]`, `[[command]]`.
protocol TableSetting {
  /// The name between the brackets.
  static var header: String { get }
  /// The names of the settings in the table.
  static var names: [String] { get }
  /// A few sentences that the default file contains as a comment.
  static var comment: String { get }
  /// The lines of an example, for a file without such a table.
  static var example: [String] { get }
  /// A name that no other table may have, with a noun for messages; nil if names need not be
  /// unique.
  var uniqueName: (noun: String, name: String)? { get }

  /// Reads the table; nil if it has a mistake, which the reader then records.
  init?(_ table: inout TableReader)
  /// The lines of the table in a configuration file, without the header.
  var toml: [String] { get }
}

extension TableSetting {
  var uniqueName: (noun: String, name: String)? { nil }
}

/// All tables with one header, and the conversion between the file's text and the program's values.
struct TableKind: Sendable {
  let header: String
  /// Adds the values of the tables to the configuration; returns the lines of the valid ones.
  let read: @Sendable ([TOMLValue], inout Configuration, inout [ConfigurationProblem]) -> [Int]
  /// Returns the comment and the lines of the tables for a file.
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

  /// The kinds of all headers, in the order of the file.
  static let all = [
    TableKind(\.display.ownThemes), TableKind(\.searches), TableKind(\.rules),
    TableKind(\.commands), TableKind(\.macros),
    TableKind(\.fullTextSites), TableKind(\.feedPrograms),
  ]
}

/// Reads a table: each value by its name, recording every mistake with its line.
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

  /// Whether everything that was read so far is valid.
  var isGood: Bool { problems.isEmpty }

  func has(_ name: String) -> Bool { entries[name] != nil }

  /// Records a mistake in a value, or in the whole table if `name` is nil.
  mutating func refuse(_ name: String?, at line: Int? = nil, _ message: String) {
    let place = line ?? name.flatMap { entries[$0]?.value.line } ?? self.line
    let key = name.map { "\(header).\($0)" } ?? header
    problems.append(ConfigurationProblem(line: place, key: key, message: message))
  }

  /// Returns a value of a kind; nil if it is missing or not of that kind.
  mutating func value<Value>(_ name: String, _ kind: SettingKind<Value>) -> Value? {
    guard let value = entries[name]?.value else { return nil }
    do throws(TableProblem) {
      return try kind.value(of: value)
    } catch {
      refuse(name, at: value.line, error.message)
      return nil
    }
  }

  /// Converts each element of a list; a value that is not a list counts as its only element.
  mutating func values<Value>(
    _ name: String, wanted: String, _ read: (String) -> Value?
  ) -> [Value] {
    each(name) { (value) throws(TableProblem) in
      guard let taken = value.content.text.flatMap(read) else {
        throw TableProblem(message: "this is \(value.description); \(wanted)")
      }
      return taken
    }
  }

  /// The same, for conversions that give their own message about an invalid element.
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

/// Why a value is invalid.
struct TableProblem: Error {
  let message: String
}

extension SettingKind<String> {
  /// Accepts a string that is not blank.
  static let name = SettingKind(
    wanted: "it must be a string that is not empty",
    read: { $0.text.flatMap { $0.allSatisfy(\.isWhitespace) ? nil : $0 } }, write: \.toml)
}

extension SettingKind<[String]> {
  /// Accepts a program with its arguments.
  static let program = SettingKind(
    wanted: "it must be a list of strings: a program and its arguments",
    read: { $0.texts.flatMap { $0.first?.isEmpty == false ? $0 : nil } }, write: \.toml)
}

extension TOMLValue {
  /// The elements of a list; for anything else, the value itself.
  var elements: [TOMLValue] {
    if case .array(let elements) = content { elements } else { [self] }
  }
}
