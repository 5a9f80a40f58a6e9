/// A change to the configuration file that the program makes itself.
enum ConfigurationEdit: Hashable, Sendable {
  /// Adds a search before the one that is at an index now, or else as the last one.
  case add(SavedSearch, at: Int = .max)
  case remove(SavedSearch)
  case rename(SavedSearch, to: String)

  /// What became of an edit.
  enum Outcome: Hashable, Sendable {
    case stored
    /// The file was as the edit would have made it, or without what it changes.
    case unnecessary
    /// The file could not be changed, with the message that says why.
    case failed(String)
  }

  /// Returns a file's text with the change made, and every other line as it was.
  ///
  /// - Returns: nil if the file is written in a way that only the user can change.
  /// - Throws: the mistakes in the file, which the user has to correct first.
  func applied(to text: String) throws(ConfigurationProblems) -> String? {
    let configuration = try Configuration(toml: text)
    var wanted = configuration
    let edited: String?
    switch self {
    case .add(let search, let index):
      guard !wanted.searches.contains(search) else { return text }
      let index = min(index, wanted.searches.endIndex)
      wanted.searches.insert(search, at: index)
      edited =
        index == configuration.searches.endIndex
        ? Self.adding(search, to: text) : Self.inserting(search, at: index, in: text)
    case .remove(let search):
      guard let index = wanted.searches.firstIndex(of: search) else { return text }
      wanted.searches.remove(at: index)
      edited = Self.removingSearch(at: index, from: text)
    case .rename(let search, let name):
      guard let index = wanted.searches.firstIndex(of: search) else { return text }
      wanted.searches[index].name = name
      edited = Self.renamingSearch(at: index, from: search.name, to: name, in: text)
    }
    // Parsed again before it is written, so that an edit with another effect in this file is
    // refused.
    guard let edited, (try? Configuration(toml: edited)) == wanted else { return nil }
    return edited
  }

  private static func adding(_ search: SavedSearch, to text: String) -> String {
    var text = text
    if !text.isEmpty {
      if text.utf8.last != 0x0A { text += "\n" }
      text += "\n"
    }
    return text + table(of: search).map { $0 + "\n" }.joined()
  }

  /// Returns the text with a search before the one at an index.
  private static func inserting(
    _ search: SavedSearch, at index: Int, in text: String
  ) -> String? {
    var lines = lines(of: text)
    guard var start = searchTable(at: index, in: text, lines)?.lowerBound else { return nil }
    // The comments right above a table belong to it.
    while start > 0, lines[start - 1].trimmed.hasPrefix("#") { start -= 1 }
    lines.insert(contentsOf: table(of: search) + [""], at: start)
    return lines.joined(separator: "\n")
  }

  private static func table(of search: SavedSearch) -> [String] { ["[[search]]"] + search.toml }

  /// Returns the text without the lines of a search, and without the blank line before it.
  private static func removingSearch(at index: Int, from text: String) -> String? {
    var lines = lines(of: text)
    guard let table = searchTable(at: index, in: text, lines) else { return nil }
    var (start, end) = (table.lowerBound, table.upperBound)
    // The comments right above the next table belong to that table.
    while end > start + 1, lines[end - 1].trimmed.isEmpty || lines[end - 1].trimmed.hasPrefix("#") {
      end -= 1
    }
    if start > 0, lines[start - 1].trimmed.isEmpty { start -= 1 }
    lines.removeSubrange(start..<end)
    return lines.joined(separator: "\n")
  }

  /// Returns the text with another name in the line of a search's name; nil if the name is not
  /// written there as the program writes it.
  private static func renamingSearch(
    at index: Int, from old: String, to new: String, in text: String
  ) -> String? {
    var lines = lines(of: text)
    guard let table = searchTable(at: index, in: text, lines),
      let line = table.first(where: { lines[$0].trimmed.hasPrefix("name") }),
      let value = lines[line].range(of: old.toml)
    else { return nil }
    lines[line].replaceSubrange(value, with: new.toml)
    return lines.joined(separator: "\n")
  }

  private static func lines(of text: String) -> [String] {
    // Split by scalars, because a carriage return with a line feed is a single character.
    text.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
  }

  /// Returns the lines from a search's header to the next table.
  private static func searchTable(
    at index: Int, in text: String, _ lines: [String]
  ) -> Range<Int>? {
    guard case .array(let searches)? = (try? TOMLReader.read(text))?["search"]?.value.content,
      searches.indices.contains(index), lines.indices.contains(searches[index].line - 1)
    else { return nil }
    let start = searches[index].line - 1
    let end = lines[(start + 1)...].firstIndex { $0.trimmed.hasPrefix("[") }
    return start..<(end ?? lines.count)
  }
}

extension String {
  fileprivate var trimmed: Substring {
    var text = self[...]
    while text.first?.isWhitespace == true { text.removeFirst() }
    while text.last?.isWhitespace == true { text.removeLast() }
    return text
  }
}
