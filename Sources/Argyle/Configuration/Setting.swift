/// A setting of the configuration file: its name, its comment, and the conversion between the
/// file's text and the program's value.
struct Setting: Sendable {
  let section: String
  let name: String
  /// A sentence or two that the default file contains as a comment.
  let comment: String
  /// Reads a value into the configuration.
  let read: @Sendable (TOMLValue, inout Configuration) throws(TableProblem) -> Void
  /// Returns the value as TOML.
  let write: @Sendable (Configuration) -> String

  init<Value>(
    _ section: String, _ name: String,
    _ path: WritableKeyPath<Configuration, Value> & Sendable, _ kind: SettingKind<Value>,
    _ comment: String
  ) {
    self.section = section
    self.name = name
    self.comment = comment
    read = { value, configuration throws(TableProblem) in
      configuration[keyPath: path] = try kind.value(of: value)
    }
    write = { kind.write($0[keyPath: path]) }
  }
}

extension Setting {
  init(
    section: String, name: String, comment: String,
    read: @escaping @Sendable (TOMLValue, inout Configuration) throws(TableProblem) -> Void,
    write: @escaping @Sendable (Configuration) -> String
  ) {
    (self.section, self.name, self.comment) = (section, name, comment)
    (self.read, self.write) = (read, write)
  }
}

/// The kind of values that a setting accepts.
struct SettingKind<Value>: Sendable {
  /// The requirement as a clause for messages: `it must be true or false`.
  let wanted: String
  /// Converts a TOML value; nil if it is not of this kind.
  let read: @Sendable (TOMLValue.Content) -> Value?
  let write: @Sendable (Value) -> String
  /// Describes a value that is not of this kind.
  var describe: @Sendable (TOMLValue) -> String = { $0.description }

  /// Converts a TOML value.
  func value(of value: TOMLValue) throws(TableProblem) -> Value {
    if let taken = read(value.content) { return taken }
    throw TableProblem(message: "this is \(describe(value)); \(wanted)")
  }
}

extension SettingKind<Bool> {
  static let flag = SettingKind(
    wanted: "it must be true or false",
    read: { if case .boolean(let value) = $0 { value } else { nil } }, write: { "\($0)" })
}

extension SettingKind<Int> {
  static func integer(_ range: ClosedRange<Int>) -> SettingKind {
    SettingKind(
      wanted: "it must be a whole number from \(range.lowerBound) to \(range.upperBound)",
      read: { if case .integer(let value) = $0, range ~= value { value } else { nil } },
      write: { "\($0)" })
  }
}

extension SettingKind<Int?> {
  /// Accepts a number in a range, or 0 for nil.
  static func integerOrNone(_ range: ClosedRange<Int>) -> SettingKind {
    SettingKind(
      wanted: SettingKind<Int>.integer(range).wanted + ", or 0",
      read: { content in
        if case .integer(0) = content { return .some(nil) }
        return SettingKind<Int>.integer(range).read(content).map { $0 }
      }, write: { "\($0 ?? 0)" })
  }
}

extension SettingKind<Double> {
  static func number(_ range: ClosedRange<Double>) -> SettingKind {
    SettingKind(
      wanted: "it must be a number from \(range.lowerBound.toml) to \(range.upperBound.toml)",
      read: { content in
        let value: Double
        switch content {
        case .integer(let number): value = Double(number)
        case .number(let number): value = number
        default: return nil
        }
        return range ~= value ? value : nil
      }, write: \.toml)
  }
}

extension SettingKind<String> {
  static let text = SettingKind(
    wanted: "it must be a string",
    read: \.text, write: \.toml)
}

extension SettingKind<[String]> {
  /// Accepts a list of strings that are not empty.
  static let texts = SettingKind(
    wanted: "it must be a list of strings, such as [\"a\", \"b\"]",
    read: { $0.texts.flatMap { $0.contains("") ? nil : $0 } }, write: \.toml)
}

extension SettingKind where Value: RawRepresentable<String> & CaseIterable & Sendable {
  /// Accepts one of the cases.
  static var choice: SettingKind {
    let names = Value.allCases.map(\.rawValue).joined(separator: ", ")
    return SettingKind(
      wanted: "the choices are \(names)",
      read: { $0.text.flatMap(Value.init(rawValue:)) },
      write: \.rawValue.toml)
  }
}

extension SettingKind {
  /// Accepts a list with at least one of the cases, without duplicates.
  static func choices<Case: RawRepresentable<String> & CaseIterable & Hashable & Sendable>()
    -> SettingKind where Value == [Case]
  {
    let names = Case.allCases.map(\.rawValue.toml).joined(separator: ", ")
    return SettingKind(
      wanted: "it must be a list with at least one of \(names), and none of them twice",
      read: { content in
        guard let texts = SettingKind<[String]>.texts.read(content) else { return nil }
        let cases = texts.compactMap(Case.init(rawValue:))
        return cases.isEmpty || Set(cases).count < texts.count ? nil : cases
      }, write: { $0.map(\.rawValue).toml },
      describe: { value in
        guard case .array(let entries) = value.content else { return value.description }
        var seen: Set<Case> = []
        for entry in entries {
          guard let named = entry.content.text.flatMap(Case.init(rawValue:)) else {
            return "a list with \(entry.description)"
          }
          guard seen.insert(named).inserted else {
            return "a list with \(entry.description) twice"
          }
        }
        return value.description
      })
  }
}

extension Double {
  /// The number as TOML, without a fraction if it is whole.
  fileprivate var toml: String { self == rounded() ? "\(Int(self))" : "\(self)" }
}

extension String {
  /// The string in quotes, as TOML reads it.
  var toml: String {
    let escaped = unicodeScalars.reduce(into: "") { text, scalar in
      switch scalar {
      case "\"", "\\": text += "\\\(scalar)"
      case _ where scalar.value < 0x20 || scalar.value == 0x7F:
        let digits = String(scalar.value, radix: 16)
        text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: text.unicodeScalars.append(scalar)
      }
    }
    return "\"\(escaped)\""
  }
}

extension [String] {
  /// The list as TOML reads it.
  var toml: String { "[" + map(\.toml).joined(separator: ", ") + "]" }
}

extension TOMLValue.Content {
  /// The text of a string; nil for anything else.
  var text: String? { if case .string(let text) = self { text } else { nil } }

  /// The texts of a list of strings; nil for anything else.
  var texts: [String]? {
    guard case .array(let values) = self else { return nil }
    let texts = values.compactMap(\.content.text)
    return texts.count == values.count ? texts : nil
  }
}

extension TOMLValue {
  /// The value in a message about a wrong value.
  var description: String {
    switch content {
    case .string(let text): "“\(text)”"
    case .integer(let number): "\(number)"
    case .number(let number): "\(number)"
    case .boolean(let value): "\(value)"
    case .date: "a date"
    case .array(let values): values.isEmpty ? "an empty list" : "a list"
    case .table: "a table"
    }
  }
}
