/// The front matter of a Markdown text: lines with a name and a value between two lines of `---` or
/// `+++`, as site generators use it.
struct FrontMatter {
  private(set) var title: String?
  private(set) var date: String?
  private(set) var author: String?
  /// The index at which the text begins.
  private(set) var end = 0

  /// The longest front matter, in bytes.
  private static let limit = 64 << 10

  /// Parses the front matter, which may be missing.
  init(_ text: [UInt8]) {
    let head = text.prefix(Self.limit)
    guard let fence = ["---", "+++"].first(where: { head.starts(with: $0.utf8) }) else { return }
    var values: [String: String] = [:]
    var isFirst = true
    var start = 0
    while start < head.count {
      let stop = head[start...].firstIndex(of: 0x0A) ?? head.count
      let line = String(decoding: head[start..<stop], as: UTF8.self).trimmingWhiteSpace()
      start = stop + 1
      if isFirst {
        guard line == fence else { return }
        isFirst = false
      } else if line == fence || line == "..." {
        (title, date, author) = (values["title"], values["date"], values["author"])
        end = min(start, text.count)
        return
      } else if let mark = line.firstIndex(where: { $0 == ":" || $0 == "=" }) {
        let name = String(line[..<mark]).trimmingWhiteSpace().lowercased()
        let value = Self.unquoted(String(line[line.index(after: mark)...]).trimmingWhiteSpace())
        if !value.isEmpty { values[name] = values[name] ?? value }
      }
    }
  }

  private static func unquoted(_ text: String) -> String {
    guard let first = text.first, first == "\"" || first == "'", text.last == first,
      text.count > 1
    else { return text }
    let inner = String(text.dropFirst().dropLast())
    return first == "'"
      ? inner.replacing("''", with: "'")
      : inner.replacing("\\\"", with: "\"").replacing("\\\\", with: "\\")
  }
}
