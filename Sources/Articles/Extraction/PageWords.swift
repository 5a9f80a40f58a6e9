/// The words in the class and the id of an element that hint at its contents.
///
/// The words were collected by Mozilla's Readability; they also count as parts of longer words.
struct PageWords: OptionSet, Sendable {
  let rawValue: UInt8

  /// Typical of the surroundings of an article.
  static let unlikely = PageWords(rawValue: 1)
  /// Typical of articles too: an element with such a word is kept although it also has an
  /// ``unlikely`` one.
  static let maybe = PageWords(rawValue: 2)
  /// Typical of an article.
  static let good = PageWords(rawValue: 4)
  /// Typical of other parts of a page.
  static let bad = PageWords(rawValue: 8)
  /// The author's line.
  static let byline = PageWords(rawValue: 16)

  /// Returns the kinds of words in a text in lower case.
  static func found(in text: [UInt8]) -> PageWords {
    var found: PageWords = []
    for index in text.indices {
      for (word, kind) in byFirst[Int(text[index])] {
        guard index + word.count <= text.count else { continue }
        var length = 1
        while length < word.count, text[index + length] == word[length] { length += 1 }
        if length == word.count { found.formUnion(kind) }
      }
    }
    return found
  }

  private static let byFirst: [[(word: [UInt8], kind: PageWords)]] = {
    let lists: [(PageWords, String)] = [
      (
        .unlikely,
        """
        -ad- ad-break agegate ai2html banner breadcrumb combx comment community cookie cover-wrap \
        disqus extra footer gdpr header legends menu newsletter pager pagination popup related remark \
        replies rss shoutbox sidebar skyscraper social sponsor supplemental yom-remote
        """
      ), (.maybe, "and article body column content main mathjax shadow"),
      (.good, "article blog body content entry hentry main page pagination post story text"),
      (
        .bad,
        """
        -ad- banner combx com- comment contact footer gdpr hidden masthead media meta outbrain promo \
        related scroll share shopping shoutbox sidebar skyscraper sponsor tags widget
        """
      ), (.byline, "byline author dateline writtenby"),
    ]
    var byFirst = [[(word: [UInt8], kind: PageWords)]](repeating: [], count: 256)
    for (kind, words) in lists {
      for word in words.split(separator: " ") {
        byFirst[Int(word.utf8.first ?? 0)].append((Array(word.utf8), kind))
      }
    }
    return byFirst
  }()
}

extension PageTree.Node {
  private static let weightOfWords = 25

  /// How strongly its names suggest an article.
  var weight: Int {
    [classWords, idWords].reduce(0) { sum, words in
      sum - (words.contains(.bad) ? Self.weightOfWords : 0)
        + (words.contains(.good) ? Self.weightOfWords : 0)
    }
  }

  /// The words of its class and its id.
  var words: PageWords { classWords.union(idWords) }
}
