/// How the full text of articles is had from their web pages.
public struct FullTextOptions: Sendable, Hashable {
  /// Whether it is fetched for every feed that does not say otherwise.
  public var isForAll: Bool
  /// The sites whose pages are not left to be guessed; the first that fits counts.
  public var sites: [FullTextSite]

  public init(isForAll: Bool = false, sites: [FullTextSite] = []) {
    self.isForAll = isForAll
    self.sites = sites
  }

  /// What is set for the page of an address; nil where nothing is.
  func site(of address: String) -> FullTextSite? {
    guard !sites.isEmpty, let host = WebAddress.host(of: address) else { return nil }
    return sites.first { host == $0.site || host.hasSuffix("." + $0.site) }
  }
}

/// Where the article is on the pages of a site.
public struct FullTextSite: Sendable, Hashable {
  public enum Method: Sendable, Hashable {
    /// The elements that some selectors find, without those that others find.
    case selectors([PageSelector], removing: [PageSelector])
    /// A program with its arguments, which reads the page from its standard input and writes the
    /// article as HTML.
    case program([String])
  }

  /// The name of the host, in small letters; the hosts below it are meant, too.
  public let site: String
  public let method: Method

  public init(site: String, method: Method) {
    self.site = site.lowercased()
    self.method = method
  }
}

extension WebAddress {
  /// The name of the host of an address, in small letters.
  static func host(of address: String) -> String? {
    guard let authority = Parts(address).authority else { return nil }
    let host = authority.split(separator: "@").last ?? ""
    // Of an address in brackets the colons are no port's.
    let name = host.hasPrefix("[") ? host.prefix { $0 != "]" } : host.prefix { $0 != ":" }
    return name.isEmpty ? nil : name.lowercased()
  }
}
