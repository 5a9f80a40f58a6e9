import Testing

@testable import Articles

/// What is searched for and what rules say, which may come from a file of somebody else.
extension GrowthTests {
  static let queries: [Growth] = [
    query("a long word", "a"),
    query("words", "a "),
    query("words one after the other", "\"a b", end: "\""),
    query("parentheses", "(", end: "a"),
    query("parentheses that close nothing", "a) "),
    query("groups", "(a or b) "),
    query("nots", "not ", end: "a"),
    query("hyphens", "-", end: "a"),
    query("ors", "a or "),
    query("fields", "title:a "),
    query("fields that there are not", "a:b "),
    query("a field without an end", "a:"),
    query("comparisons", "age<>!=<=1d "),
    query("quotation marks", "\" "),
    query("blanks", " ", end: "a"),
    query("marks", "e" + marks),
    query("marks of a field", "link:" + marks),
    query("a script without spaces", "漢字"),
    query("control characters", "\u{1}a\u{200B}"),
  ]

  private static func query(_ name: String, _ piece: String, end: String = "") -> Growth {
    Growth(name: "query: " + name, count: 2_000, text: { times($0, piece) + end }) { bytes, _ in
      let text = String(decoding: bytes, as: UTF8.self)
      for isBeingTyped in [true, false] {
        do throws(QueryError) {
          _ = try ArticleCondition(text, isBeingTyped: isBeingTyped)
          Issue.record("\(name): not refused")
        } catch {
          // It is shown below what was typed, in a line.
          #expect(error.what.utf8.count <= 400 && error.place.upperBound <= 501, "\(name)")
        }
      }
      #expect(throws: QueryError.self) { try ArticleRule(when: text, actions: [.mute]) }
    }
  }
}
