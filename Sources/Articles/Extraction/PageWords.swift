/// What the class and the id of an element say about what is in it.
///
/// The words are those that authors of pages use, as Mozilla's Readability has collected them; a part of
/// a longer word counts.
struct PageWords: OptionSet, Sendable {
  let rawValue: UInt8

  /// What stands around an article.
  static let unlikely = PageWords(rawValue: 1)
  /// What may be an article all the same.
  static let maybe = PageWords(rawValue: 2)
  /// An article.
  static let good = PageWords(rawValue: 4)
  /// Everything else.
  static let bad = PageWords(rawValue: 8)
  /// The line that says who wrote it.
  static let byline = PageWords(rawValue: 16)

  /// The kinds of words that are in a text of small letters.
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

  /// How much its names speak for an article.
  var weight: Int {
    [classWords, idWords].reduce(0) { sum, words in
      sum - (words.contains(.bad) ? Self.weightOfWords : 0)
        + (words.contains(.good) ? Self.weightOfWords : 0)
    }
  }

  /// What its class and its id say together.
  var words: PageWords { classWords.union(idWords) }
}
