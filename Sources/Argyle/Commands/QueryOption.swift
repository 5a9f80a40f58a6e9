import ArgumentParser
import Articles
import Terminal

/// Parses a query on the command line.
enum QueryOption {
  static let explanation = """
    A query is made of words (-word excludes one), of unread, starred, muted, is:read and is:shared (in \
    several feeds), and of fields: title:, author:, text:, feed:, folder:, tag:, link:, age<7d (h, d, w or y), date>=2026-11-19, minutes<5. They are combined \
    with and, or, not and parentheses; a value with spaces stands in double quotes.
    """

  /// Parses the query.
  ///
  /// - Parameter isLast: whether the last word may be only the beginning of a word in the article.
  /// - Throws: `ValidationError`, with the part of the query that is wrong.
  static func condition(_ text: String, isLast: Bool = false) throws -> ArticleCondition? {
    do {
      return try ArticleCondition(text, lastWordIsWhole: !isLast)
    } catch {
      let scalars = Array(text.unicodeScalars)
      let place = error.place.clamped(to: 0..<scalars.count)
      let (before, meant) = (
        columns(of: Self.text(scalars[..<place.lowerBound])), columns(of: Self.text(scalars[place]))
      )
      throw ValidationError(
        """
        \(error.what) \(error.advice)
          \(Self.text(scalars[...]))
          \(String(repeating: " ", count: before))\(String(repeating: "^", count: max(meant, 1)))
        """)
    }
  }

  private static func text(_ scalars: ArraySlice<Unicode.Scalar>) -> String {
    printable(String(String.UnicodeScalarView(scalars)))
  }
}
