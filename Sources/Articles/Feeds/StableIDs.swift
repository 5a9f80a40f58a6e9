import Foundation

/// Gives every entry of a feed a unique id that stays the same in later fetches.
enum StableIDs {
  /// The longest id, in bytes; longer ones are replaced with a hash.
  static let limit = 500

  /// Returns the articles with unique ids; of articles with the same id, link and title, only the
  /// first is kept.
  static func unique(_ articles: [ParsedArticle]) -> [ParsedArticle] {
    var articles = articles
    for index in articles.indices { articles[index].guid = id(of: articles[index]) }

    // Some feeds give all entries the same id. Then other fields are added to the ids of all these
    // entries alike, so that no id depends on the order of the entries.
    var first: [String: Int] = [:]
    var repeated: Set<String> = []
    var duplicates: Set<Int> = []
    for index in articles.indices {
      let guid = articles[index].guid
      guard let earlier = first[guid] else {
        first[guid] = index
        continue
      }
      if isSame(articles[earlier], articles[index]) {
        duplicates.insert(index)
      } else {
        repeated.insert(guid)
      }
    }
    guard !repeated.isEmpty || !duplicates.isEmpty else { return articles }
    var seen: Set<String> = []
    return articles.indices.compactMap { index in
      var article = articles[index]
      if repeated.contains(article.guid) {
        article.guid += "#" + hash([article.link ?? "", article.title])
      } else if duplicates.contains(index) {
        return nil
      }
      return seen.insert(article.guid).inserted ? article : nil
    }
  }

  private static func isSame(_ one: ParsedArticle, _ other: ParsedArticle) -> Bool {
    one.link == other.link && one.title == other.title
  }

  private static func id(of article: ParsedArticle) -> String {
    if !article.guid.isEmpty {
      return article.guid.utf8.count <= limit ? article.guid : hash([article.guid])
    }
    if let link = article.link { return link.utf8.count <= limit ? link : hash([link]) }
    // An entry with a title is still the same after its text was corrected.
    let date = article.published.map { String(Int($0.timeIntervalSince1970)) } ?? ""
    return hash([article.title, date, article.title.isEmpty ? article.html : ""])
  }

  /// FNV-1a with 64 bits: short, and the same on every machine and in every version.
  static func hash(_ texts: [String]) -> String {
    "hash:" + String(fnv1a(texts), radix: 16)
  }

  static func fnv1a(_ texts: [String]) -> UInt64 {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for text in texts {
      for byte in text.utf8 {
        hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3
      }
      hash = (hash ^ 0xFF) &* 0x100_0000_01B3
    }
    return hash
  }
}
