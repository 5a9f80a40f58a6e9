import CGumbo
import Limits

/// A feed that a web page links to.
public struct FeedLink: Sendable, Hashable, Identifiable {
  public let address: String
  /// The page's title for the feed, sanitised and shortened; empty if it has none.
  public let title: String
  /// Whether the feed has the comments on the page instead of its articles.
  public let isOfComments: Bool

  public var id: String { address }

  public init(address: String, title: String = "", isOfComments: Bool = false) {
    self.address = address
    self.title = title
    self.isOfComments = isOfComments
  }
}

/// Finds the feeds of a web page in its links to alternate forms of itself.
enum FeedDiscovery {
  /// Returns the feeds that a page links to, best first, without duplicates.
  static func feeds(namedBy page: FeedDocument) -> [FeedLink] {
    let text = SourceText.utf8(page.bytes, charset: page.charset)
    let links =
      page.links.flatMap { headerLinks($0, base: page.address) }
      + pageLinks(String(decoding: text.prefix(headLimit), as: UTF8.self), base: page.address)
    // WordPress names each page's data as JSON, beside its feeds and before them.
    let certain = links.filter(\.isCertain)
    var addresses: Set<String> = []
    let feeds = (certain.isEmpty ? links : certain).map(\.feed)
      .filter { addresses.insert($0.address).inserted }
    // Among equally good feeds, keep the site's own order.
    return Array((feeds.filter { !$0.isOfComments } + feeds.filter(\.isOfComments)).prefix(limit))
  }

  /// More feeds than a user could choose from.
  private static let limit = 100

  /// How much of a page is searched, in bytes: feed links are in its head.
  private static let headLimit = 1 << 20

  /// A link that may be to a feed.
  struct Link {
    let feed: FeedLink
    /// Whether it is said to be one, and not only to have a type that feeds may have.
    let isCertain: Bool
  }

  /// The media types that only feeds have.
  fileprivate static let ownTypes: Set<String> = [
    "application/rss+xml", "application/atom+xml", "application/feed+json", "application/rdf+xml",
  ]

  /// The media types that feeds share with other documents.
  fileprivate static let sharedTypes: Set<String> = [
    "application/json", "application/xml", "text/xml",
  ]

  static func pageLinks(_ html: String, base: String, budget: Budget? = nil) -> [Link] {
    let budget = budget ?? Budget(bytes: html.utf8.count)
    guard let tree = HTMLTree(html, budget: budget), let root = tree.root else { return [] }
    return withExtendedLifetime(tree) {
      var base = base
      var links: [Link] = []
      // The whole tree is searched, because some pages have such links in the body.
      var nodes = [root]
      while let node = nodes.popLast(), budget.spend(node.steps) {
        guard case .element(let tag) = node.kind else { continue }
        switch tag {
        case GUMBO_TAG_BASE:
          if let address = node["href"] { base = WebAddress.web(address, against: base) ?? base }
        case GUMBO_TAG_LINK:
          let link = Link(
            relation: node["rel"], type: node["type"], reference: node["href"],
            title: node["title"], base: base, budget: budget)
          if let link { links.append(link) }
        default: break
        }
        for index in (0..<node.childCount).reversed() {
          if let child = node.child(index) { nodes.append(child) }
        }
      }
      return links
    }
  }

  /// Parses the links of one `Link` header field, such as `<https://example.org/feed>;
  /// rel="alternate"; type="application/rss+xml"`.
  static func headerLinks(_ value: String, base: String, budget: Budget? = nil) -> [Link] {
    let budget = budget ?? Budget(bytes: value.utf8.count)
    var links: [Link] = []
    var rest = Substring(
      value.utf8.count > WebAddress.limit ? "" : String(outside: value.utf8))
    while budget.spend(1), let open = rest.firstIndex(of: "<"),
      let close = rest[open...].firstIndex(of: ">")
    {
      budget.spend(rest.utf8.distance(from: rest.startIndex, to: close))
      let reference = String(rest[rest.index(after: open)..<close])
      rest = rest[rest.index(after: close)...]
      let end = rest.firstIndex(of: "<") ?? rest.endIndex
      var parameters: [String: String] = [:]
      for part in rest[..<end].split(separator: ";") {
        let pair = part.split(separator: "=", maxSplits: 1).map {
          $0.filter { $0 != "\"" && $0 != "," }.description.trimmingWhiteSpace()
        }
        if pair.count == 2 { parameters[pair[0].lowercased()] = pair[1] }
      }
      rest = rest[end...]
      let link = Link(
        relation: parameters["rel"], type: parameters["type"], reference: reference,
        title: parameters["title"], base: base, budget: budget)
      if let link { links.append(link) }
    }
    return links
  }
}

extension FeedDiscovery.Link {
  /// Nil when the link is not to a feed.
  fileprivate init?(
    relation: String?, type: String?, reference: String?, title: String?, base: String,
    budget: Budget
  ) {
    let relations = (relation ?? "").lowercased().split(separator: " ")
    let type = String((type ?? "").lowercased().prefix { $0 != ";" })
    let isAlternate = relations.contains("alternate")
    isCertain =
      relations.contains("feed") || isAlternate && FeedDiscovery.ownTypes.contains(type)
    guard isCertain || isAlternate && FeedDiscovery.sharedTypes.contains(type), let reference,
      let address = WebAddress.web(reference, against: base, budget: budget)
    else { return nil }
    let parts = WebAddress.Parts(address)
    feed = FeedLink(
      address: address, title: UserMessage.cleaned(title ?? ""),
      isOfComments: [title ?? "", "\(parts.path)?\(parts.query ?? "")"]
        .contains(where: Self.namesComments))
  }

  /// Whether a title, or the address of a feed on its server, has a word for comments in it.
  ///
  /// “Commentary” and “commentator” are none; “commentsrss2” and the French “commentaires” are.
  private static func namesComments(_ text: String) -> Bool {
    text.lowercased().split { !$0.isLetter && !$0.isNumber }.contains { word in
      guard let rest = word.firstRange(of: "comment").map({ word[$0.upperBound...] }) else {
        return false
      }
      return rest.hasPrefix("aire") || !rest.hasPrefix("ar") && !rest.hasPrefix("at")
    }
  }
}

extension FeedDocument {
  /// Whether a document that is not a feed is a web page, which may link to its feed.
  func mayNameFeed(_ error: FeedError) -> Bool {
    error == .notAFeed(found: .html) || isPage
  }
}
