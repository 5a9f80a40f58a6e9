import TerminalUI

/// The format of a list's rows: text, and fields in braces, as in `{date} {feed:20} {title}`.
///
/// A field may have a width, preceded by `>` to align it at the right. The title takes the columns
/// that the others leave; if those are too few, the last fields are left out.
struct RowFormat<Field: RowField>: Hashable, Sendable {
  /// A field with the text before it.
  struct Part: Hashable, Sendable {
    var text = ""
    let field: Field
    /// The width in columns; nil for the field's default.
    var width: Int?
    var alignment: HorizontalAlignment?
  }

  /// The format as it was typed; empty for the default rows.
  let text: String
  let parts: [Part]
  /// The text after the last field.
  let end: String

  /// Makes the format of the default rows.
  init() { self.init(text: "", parts: [], end: "") }

  private init(text: String, parts: [Part], end: String) {
    self.text = text
    self.parts = parts
    self.end = end
  }

  var isOwn: Bool { parts.isEmpty }

  /// The minimum width of the title: if it would be narrower, the last fields are left out.
  private static var titleWidth: Int { 12 }

  /// Returns the parts that fit into this many columns.
  func parts(in width: Int) -> [Part] {
    var kept = parts
    while kept.count > 1 {
      let taken = kept.reduce(columns(of: end)) { $0 + self.width(of: $1, in: width) }
      guard taken + Self.titleWidth > width,
        let last = kept.lastIndex(where: { $0.field != .title })
      else { return kept }
      // Otherwise the text before the field that was left out would precede the title.
      if last == 0 { kept[1].text = "" }
      kept.remove(at: last)
    }
    return kept
  }

  private func width(of part: Part, in width: Int) -> Int {
    columns(of: part.text) + (part.width ?? part.field.width(in: width))
  }
}

/// A field of the rows of a list.
protocol RowField: RawRepresentable<String>, CaseIterable, Hashable, Sendable {
  static var title: Self { get }
  /// Returns the default width of the field; for the title, the minimum.
  func width(in row: Int) -> Int
  /// Whether the field is aligned at the right of its columns.
  var isTrailing: Bool { get }
}

/// A field in a row of a list of articles.
enum ArticleField: String, RowField {
  case title, feed, author, date, minutes, tags, marks, star, unread
  /// The other feeds that contain the article, too.
  case alsoIn

  func width(in row: Int) -> Int {
    switch self {
    case .title: 0
    case .feed, .author, .tags, .alsoIn: min(20, row / 5)
    case .date, .marks, .star, .unread: constantWidth ?? 0
    case .minutes: 7
    }
  }

  var isTrailing: Bool { self == .date || self == .minutes }

  /// The width of every text of the field that is not empty; nil if it varies.
  var constantWidth: Int? {
    switch self {
    case .date: 10
    case .marks: 2
    case .star, .unread: 1
    case .title, .feed, .author, .minutes, .tags, .alsoIn: nil
    }
  }
}

/// A field in a row of the list of feeds.
enum FeedField: String, RowField {
  case title, state, unread

  func width(in row: Int) -> Int {
    switch self {
    case .title: 0
    case .state: row < 26 ? 1 : 5
    case .unread: 4
    }
  }

  var isTrailing: Bool { self != .title }
}

// MARK: Reading

extension RowFormat {
  /// Reads a format.
  ///
  /// - Throws: what is wrong in it, and where.
  init(_ text: String) throws(TableProblem) {
    guard !text.isEmpty else {
      self.init()
      return
    }
    var reader = Reader(text)
    let (parts, end) = try reader.read()
    for field in Field.allCases {
      if parts.count(where: { $0.field == field }) > 1 {
        throw TableProblem(message: "{\(field.rawValue)} can stand in it only once")
      }
    }
    guard parts.contains(where: { $0.field == .title }) else {
      throw TableProblem(message: "{title} must stand in it: rows could not be told apart")
    }
    self.init(text: text, parts: parts, end: end)
  }

  /// The widths that a field may have; wider ones would not fit into a row.
  private static var widths: ClosedRange<Int> { 1...80 }

  /// Reads a format from left to right.
  private struct Reader {
    private let characters: [Character]
    private var place = 0

    init(_ text: String) { characters = Array(text) }

    mutating func read() throws(TableProblem) -> (parts: [Part], end: String) {
      var (parts, text): ([Part], String) = ([], "")
      while place < characters.count {
        let character = characters[place]
        place += 1
        // A doubled brace stands for the brace itself.
        if character == "{" || character == "}", place < characters.count,
          characters[place] == character
        {
          text.append(character)
          place += 1
        } else if character == "{" {
          var part = try field()
          part.text = text
          text = ""
          parts.append(part)
        } else if character == "}" {
          throw problem(at: place, "a } without a { before it; }} shows one")
        } else if columns(of: String(character)) == 0 {
          throw problem(at: place, "a character that cannot be seen")
        } else {
          text.append(character)
        }
      }
      return (parts, text)
    }

    private func problem(at place: Int, _ message: String) -> TableProblem {
      TableProblem(message: "character \(place): \(message)")
    }

    /// Reads a field after its opening brace.
    private mutating func field() throws(TableProblem) -> Part {
      let start = place
      guard let end = characters[place...].firstIndex(of: "}") else {
        throw problem(at: start, "there is no } after this {")
      }
      place = end + 1
      let words = String(characters[start..<end]).split(
        separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
      let name = String(words.first ?? "")
      guard let field = Field(rawValue: name) else {
        let advice = Suggestion.advice(for: name, among: Field.allCases.map(\.rawValue))
        throw problem(at: start + 1, "there is no field “\(name)”; \(advice)")
      }
      guard words.count == 2 else { return Part(field: field) }
      var digits = words[1]
      var alignment: HorizontalAlignment?
      if let first = digits.first, first == "<" || first == ">" {
        alignment = first == "<" ? .leading : .trailing
        digits = digits.dropFirst()
      }
      guard let width = Int(digits), widths ~= width, digits.allSatisfy(\.isNumber) else {
        throw problem(
          at: start + 1,
          "“\(words[1])” is no width; one is a number from 1 to 80, or > and a number")
      }
      return Part(field: field, width: width, alignment: alignment)
    }
  }
}

extension Setting {
  /// Makes a setting for the format of a row.
  init<Field: RowField>(
    _ section: String, _ name: String,
    _ path: WritableKeyPath<Configuration, RowFormat<Field>> & Sendable, _ comment: String
  ) {
    self.init(
      section: section, name: name, comment: comment,
      read: { value, configuration throws(TableProblem) in
        configuration[keyPath: path] = try RowFormat(SettingKind.text.value(of: value))
      }, write: { $0[keyPath: path].text.toml })
  }
}

// MARK: Drawing

/// A row that shows its fields in the order of a format.
struct FormattedRow<Field: RowField, Content: View>: View {
  let format: RowFormat<Field>
  /// The width of the row, in columns.
  let width: Int
  @ViewBuilder let content: (Field) -> Content

  var body: some View {
    let parts = format.parts(in: width)
    HStack(spacing: 0) {
      ForEach(parts, id: \.field) { part in
        if !part.text.isEmpty { Text(part.text).foregroundStyle(\.secondary).lineLimit(1) }
        let isTitle = part.field == .title && part.width == nil
        let isTrailing = part.alignment.map { $0 == .trailing } ?? part.field.isTrailing
        if isTitle {
          content(part.field).frame(maxWidth: .infinity, alignment: .leading)
        } else {
          content(part.field).frame(
            width: part.width ?? part.field.width(in: width),
            alignment: isTrailing ? .trailing : .leading)
        }
      }
      if !format.end.isEmpty { Text(format.end).foregroundStyle(\.secondary).lineLimit(1) }
    }
  }
}
