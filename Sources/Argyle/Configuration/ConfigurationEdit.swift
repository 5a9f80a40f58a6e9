/// A change to the configuration file that the program makes itself.
enum ConfigurationEdit: Hashable, Sendable {
  case add(SavedSearch)
  case remove(SavedSearch)

  /// Returns a file's text with the change made, and every other line as it was.
  ///
  /// - Returns: nil if the file is written in a way that only the user can change.
  /// - Throws: the mistakes in the file, which the user has to correct first.
  func applied(to text: String) throws(ConfigurationProblems) -> String? {
    let configuration = try Configuration(toml: text)
    var wanted = configuration
    let edited: String?
    switch self {
    case .add(let search):
      wanted.searches.append(search)
      edited = Self.adding(search, to: text)
    case .remove(let search):
      guard let index = wanted.searches.firstIndex(of: search) else { return text }
      wanted.searches.remove(at: index)
      edited = Self.removingSearch(at: index, from: text)
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
    return text + "[[search]]\nname = \(search.name.toml)\ntext = \(search.text.toml)\n"
  }

  /// Returns the text without the lines of a search, and without the blank line before it.
  private static func removingSearch(at index: Int, from text: String) -> String? {
    guard case .array(let searches)? = (try? TOMLReader.read(text))?["search"]?.value.content,
      searches.indices.contains(index)
    else { return nil }
    // Split by scalars, because a carriage return with a line feed is a single character.
    var lines = text.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false)
      .map(String.init)
    var start = searches[index].line - 1
    guard lines.indices.contains(start) else { return nil }
    var end = start + 1
    while end < lines.count, !lines[end].trimmed.hasPrefix("[") { end += 1 }
    // The comments right above the next table belong to that table.
    while end > start + 1, lines[end - 1].trimmed.isEmpty || lines[end - 1].trimmed.hasPrefix("#") {
      end -= 1
    }
    if start > 0, lines[start - 1].trimmed.isEmpty { start -= 1 }
    lines.removeSubrange(start..<end)
    return lines.joined(separator: "\n")
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
