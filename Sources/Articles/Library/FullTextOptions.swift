/// How the full text of articles is extracted from their web pages.
public struct FullTextOptions: Sendable, Hashable {
  /// Whether the full text is fetched for every feed without a setting of its own.
  public var isForAll: Bool
  /// Sites with their own extraction rules; the first match applies.
  public var sites: [FullTextSite]

  public init(isForAll: Bool = false, sites: [FullTextSite] = []) {
    self.isForAll = isForAll
    self.sites = sites
  }

  /// The rule for an address; nil if there is none.
  func site(of address: String) -> FullTextSite? {
    guard !sites.isEmpty, let host = WebAddress.host(of: address) else { return nil }
    return sites.first { host == $0.site || host.hasSuffix("." + $0.site) }
  }
}

/// Defines where the article is on the pages of a site.
public struct FullTextSite: Sendable, Hashable {
  public enum Method: Sendable, Hashable {
    /// The elements that match some selectors, without those that match others.
    case selectors([PageSelector], removing: [PageSelector])
    /// A program with its arguments, which reads the page from its standard input and writes the
    /// article as HTML.
    case program([String])
  }

  /// The host name in lower case; its subdomains are included.
  public let site: String
  public let method: Method

  public init(site: String, method: Method) {
    self.site = site.lowercased()
    self.method = method
  }
}
