import Foundation
import GRDB

/// Computes the keys by which an article is recognised in several feeds: from its address, its id,
/// and its title and text.
///
/// The keys are hashes that the store keeps, so their algorithm must not change. If two copies get
/// different keys, the article is shown twice; if two articles get the same key, one of them is
/// hidden. So nothing that could be equal by chance becomes a key.
enum DuplicateKeys {
  /// The least text that becomes a key, in bytes: a shorter one, such as "New episode", may be
  /// equal by chance.
  private static let leastText = 200
  /// How much of a text is compared, in bytes.
  private static let comparedText = 4_000

  /// The SQL function `articleKeys(guid, link, title, html, site)`: a JSON array.
  static let function = DatabaseFunction("articleKeys", argumentCount: 5, pure: true) { values in
    let texts = values.map(String.fromDatabaseValue)
    let keys = keys(
      guid: texts[0] ?? "", link: texts[1], title: texts[2] ?? "", html: texts[3] ?? "",
      home: texts[4].flatMap(key(ofLink:)))
    return "[\(keys.map(String.init).joined(separator: ","))]"
  }

  /// - Parameter home: the key of the feed's web site, which does not identify an article.
  static func keys(of article: ParsedArticle, home: Int64?) -> [Int64] {
    keys(
      guid: article.guid, link: article.link, title: article.title, html: article.html, home: home)
  }

  private static func keys(
    guid: String, link: String?, title: String, html: String, home: Int64?
  ) -> [Int64] {
    var keys: Set<Int64> = []
    if let link, let key = key(ofLink: link), key != home { keys.insert(key) }
    // Most feeds give the address as the id, too.
    if guid != link, let key = key(ofLink: guid) ?? key(ofName: guid), key != home {
      keys.insert(key)
    }
    let text = HTMLText.text(html, limit: comparedText)
    if text.utf8.count >= leastText, !title.isEmpty {
      var digest = ContentDigest()
      digest.combine(FoldedText.folded(title))
      digest.combine(text)
      keys.insert(Int64(bitPattern: digest.value))
    }
    return keys.sorted()
  }

  /// The key of a link; nil if it is not the address of a page, such as that of a whole site.
  static func key(ofLink link: String) -> Int64? {
    guard let address = WebAddress.web(link) else { return nil }
    let parts = WebAddress.Parts(address)
    var host = parts.authority?.lowercased() ?? ""
    if host.hasPrefix("www.") { host.removeFirst(4) }
    var path = parts.path
    while path.last == "/" { path.removeLast() }
    let query = parts.query.map(withoutTracking) ?? ""
    guard !path.isEmpty || !query.isEmpty else { return nil }
    // A fragment may identify an article: a release in a list of changes, for example.
    let fragment = parts.fragment.map(withoutTracking) ?? ""
    var digest = ContentDigest()
    for text in [host, String(path), query, fragment] { digest.combine(text) }
    return Int64(bitPattern: digest.value)
  }

  /// The key of a globally unique id; nil for any other id, such as a number.
  private static func key(ofName guid: String) -> Int64? {
    // Each server of accounts numbers its own articles.
    guard !guid.hasPrefix(RemoteID.prefix) else { return nil }
    var digest = ContentDigest()
    if guid.prefix(4).lowercased() == "tag:" {
      digest.combine(guid)
    } else {
      // In bytes, alone or after `urn:uuid:`.
      guard guid.utf8.count == 36 || guid.utf8.count == 45 else { return nil }
      let name = guid.lowercased()
      let uuid = name.hasPrefix("urn:uuid:") ? String(name.dropFirst(9)) : name
      guard UUID(uuidString: uuid) != nil else { return nil }
      digest.combine(uuid)
    }
    return Int64(bitPattern: digest.value)
  }

  /// Parameters that record where a visitor comes from, and do not identify the page.
  private static let tracking: Set<String> = [
    "fbclid", "gclid", "gclsrc", "dclid", "msclkid", "yclid", "twclid", "igshid", "mc_cid",
    "mc_eid", "mkt_tok", "_hsenc", "_hsmi", "cmpid", "ncid", "s_cid", "ref_src", "wt_mc",
    "at_medium", "at_campaign", "xtor",
  ]

  private static func withoutTracking(_ query: Substring) -> String {
    query.split(separator: "&").filter { pair in
      let name = pair.prefix { $0 != "=" }.lowercased()
      return !name.hasPrefix("utm_") && !tracking.contains(name)
    }.joined(separator: "&")
  }
}
