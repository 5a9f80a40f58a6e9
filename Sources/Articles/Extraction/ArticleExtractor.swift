import CGumbo
import Limits

/// The article of a web page, without what is around it.
struct ExtractedText: Sendable, Hashable {
  /// With nothing but what is read: text, links, pictures, lists, tables and code.
  let html: String
  /// What its relative addresses are relative to.
  let base: String?
}

/// Finds the article in a web page, after the method of Mozilla's Readability: paragraphs give points to
/// the elements that they are in, names and links raise and lower them, and the best element is the
/// article, with those beside it that are like it and without what is in it that is not.
///
/// ```swift
/// let text = ArticleExtractor.text(of: html, address: page, title: article.title)
/// ```
enum ArticleExtractor {
  /// A longer page is cut here, in bytes.
  static let sizeLimit = 8 << 20
  /// With less than so many characters another attempt is made, which leaves more of the page in.
  static let enough = 500

  /// - Parameters:
  ///   - address: of the page.
  ///   - title: what is the article's title already, which its text need not begin with.
  /// - Returns: nil when there is nothing to read, or the page cannot be read within its budget.
  static func text(
    of html: String, address: String, title: String = "", budget: Budget? = nil
  ) -> ExtractedText? {
    read(html, address: address, budget) { tree, budget in
      best(of: tree, titles: [title, tree.title], budget)
    }
  }

  /// The elements that a selector finds, without those that others find.
  ///
  /// - Returns: nil when nothing is found.
  static func text(
    of html: String, address: String, selecting selectors: [PageSelector],
    removing removed: [PageSelector] = [], budget: Budget? = nil
  ) -> ExtractedText? {
    read(html, address: address, budget) { tree, budget in
      var attempt = ExtractionAttempt(tree, budget: budget)
      let found = PageSelector.matches(selectors, in: tree, budget)
      attempt.remove(PageSelector.matches(removed, in: tree, budget))
      // What is in another one is there already.
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

  /// The first attempt that finds enough, or else the one that finds most.
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
