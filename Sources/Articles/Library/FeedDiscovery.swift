import CGumbo
import Limits

/// A feed that a web page names.
public struct FeedLink: Sendable, Hashable, Identifiable {
  public let address: String
  /// What the page calls it; cleaned and cut, empty where it has no name.
  public let title: String
  /// Whether it has the comments on the page, not its articles.
  public let isOfComments: Bool

  public var id: String { address }

  public init(address: String, title: String = "", isOfComments: Bool = false) {
    self.address = address
    self.title = title
    self.isOfComments = isOfComments
  }
}

/// Finds the feeds of a web page: what it links to as another form of itself.
enum FeedDiscovery {
  /// The feeds that a page names, the best first, each once.
  static func feeds(namedBy page: FeedDocument) -> [FeedLink] {
    let text = SourceText.utf8(page.bytes, charset: page.charset)
    let links =
      page.links.flatMap { headerLinks($0, base: page.address) }
      + pageLinks(String(decoding: text.prefix(headLimit), as: UTF8.self), base: page.address)
    var addresses: Set<String> = []
    let feeds = links.filter { addresses.insert($0.address).inserted }
    // Of equally good ones in the site's own order.
    return Array((feeds.filter { !$0.isOfComments } + feeds.filter(\.isOfComments)).prefix(limit))
  }

  /// More are nothing that a user could choose from.
  private static let limit = 100

  /// Links of this kind stand in the head of a page.
  private static let headLimit = 1 << 20

  fileprivate static let types: Set<String> = [
    "application/rss+xml", "application/atom+xml", "application/feed+json", "application/json",
    "application/rdf+xml", "application/xml", "text/xml",
  ]

  static func pageLinks(_ html: String, base: String, budget: Budget? = nil) -> [FeedLink] {
    let budget = budget ?? Budget(bytes: html.utf8.count)
    guard let tree = HTMLTree(html, budget: budget), let root = tree.root else { return [] }
    return withExtendedLifetime(tree) {
      var base = base
      var links: [FeedLink] = []
      // Some pages have their links in the body; their order is kept.
      var nodes = [root]
      while let node = nodes.popLast(), budget.spend(node.steps) {
        guard case .element(let tag) = node.kind else { continue }
        switch tag {
        case GUMBO_TAG_BASE:
          if let address = node["href"] { base = WebAddress.web(address, against: base) ?? base }
        case GUMBO_TAG_LINK:
          let link = FeedLink(
            relation: node["rel"], type: node["type"], reference: node["href"],
            title: node["title"], base: base)
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

  /// The links of one header field, such as
  /// `<https://example.org/feed>; rel="alternate"; type="application/rss+xml"`.
  static func headerLinks(_ value: String, base: String, budget: Budget? = nil) -> [FeedLink] {
    let budget = budget ?? Budget(bytes: value.utf8.count)
    var links: [FeedLink] = []
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
      let link = FeedLink(
        relation: parameters["rel"], type: parameters["type"], reference: reference,
        title: parameters["title"], base: base)
      if let link { links.append(link) }
    }
    return links
  }
}

extension FeedLink {
  /// Nil where the link leads to something else.
  fileprivate init?(
    relation: String?, type: String?, reference: String?, title: String?, base: String
  ) {
    let relations = (relation ?? "").lowercased().split(separator: " ")
    let type = (type ?? "").lowercased().prefix { $0 != ";" }
    let isFeed = relations.contains("alternate") && FeedDiscovery.types.contains(String(type))
    guard isFeed || relations.contains("feed"), let reference,
      let address = WebAddress.web(reference, against: base)
    else { return nil }
    self.init(
      address: address, title: UserMessage.cleaned(title ?? ""),
      isOfComments: [address, title ?? ""].contains { $0.lowercased().contains("comment") })
  }
}

extension FeedDocument {
  /// Whether what is no feed is a web page, which may say where its feed is.
  func mayNameFeed(_ error: FeedError) -> Bool {
    error == .notAFeed(found: .html) || isPage
  }
}
