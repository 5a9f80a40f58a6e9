import CGumbo
import Limits

/// The article of a web page, without the rest of the page.
struct ExtractedText: Sendable, Hashable {
  /// Contains only text, links, pictures, lists, tables and code.
  let html: String
  /// The base of its relative addresses.
  let base: String?
}

/// Finds the article in a web page with the method of Mozilla's Readability.
///
/// Paragraphs give points to the elements that contain them; class names and links raise or lower
/// these. The best element is the article, together with similar siblings and without unrelated
/// parts.
///
/// ```swift
/// let text = ArticleExtractor.text(of: html, address: page, title: article.title)
/// ```
enum ArticleExtractor {
  /// The largest page, in bytes; a longer one is cut.
  static let sizeLimit = 8 << 20
  /// If an attempt finds fewer characters, another one is made that removes less of the page.
  static let enough = 500

  /// - Parameters:
  ///   - address: the address of the page.
  ///   - title: the article's title, which is removed from the beginning of the text.
  /// - Returns: nil when there is no text, or the page cannot be parsed within its budget.
  static func text(
    of html: String, address: String, title: String = "", budget: Budget? = nil
  ) -> ExtractedText? {
    read(html, address: address, budget) { tree, budget in
      best(of: tree, titles: [title, tree.title], budget)
    }
  }

  /// Returns the elements that match some selectors, without those that match others.
  ///
  /// - Returns: nil when nothing matches.
  static func text(
    of html: String, address: String, selecting selectors: [PageSelector],
    removing removed: [PageSelector] = [], budget: Budget? = nil
  ) -> ExtractedText? {
    read(html, address: address, budget) { tree, budget in
      var attempt = ExtractionAttempt(tree, budget: budget)
      let found = PageSelector.matches(selectors, in: tree, budget)
      attempt.remove(PageSelector.matches(removed, in: tree, budget))
      // Elements inside another match are already included.
      var roots: [Int] = []
      for index in found where roots.last.map({ !tree.contains($0, index) }) ?? true {
        roots.append(index)
      }
      return attempt.written(roots)
    }
  }

  private static func read(
    _ html: String, address: String, _ budget: Budget?,
    _ extract: (PageTree, Budget) -> String?
  ) -> ExtractedText? {
    let html = cut(html)
    let budget = budget ?? Budget(bytes: html.utf8.count)
    guard let tree = PageTree(html, budget: budget) else { return nil }
    guard let text = extract(tree, budget), !budget.isSpent else { return nil }
    let base = tree.base.flatMap { WebAddress.web($0, against: address) } ?? address
    return ExtractedText(html: text, base: base)
  }

  private static func cut(_ html: String) -> String {
    guard html.utf8.count > sizeLimit else { return html }
    return String(decoding: html.utf8.prefix(sizeLimit), as: UTF8.self)
  }

  /// Returns the first attempt that finds enough, or else the one that finds most.
  private static func best(of tree: PageTree, titles: [String], _ budget: Budget) -> String? {
    var best: (html: String, length: Int)?
    for caution in ExtractionAttempt.Caution.inOrder {
      var attempt = ExtractionAttempt(tree, caution: caution, titles: titles, budget: budget)
      let roots = attempt.article()
      guard !budget.isSpent else { return nil }
      let length = attempt.clean(roots)
      if length > best?.length ?? 0, let html = attempt.written(roots) { best = (html, length) }
      if length >= enough { break }
    }
    return best?.html
  }
}
