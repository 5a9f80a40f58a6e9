import Foundation
import HTTP

/// Gets the document of a feed from wherever its address points.
struct FeedFetcher: Sendable {
  enum Answer: Sendable {
    /// As it was when the store last saw it.
    case unchanged(notBefore: Date?)
    case document(Document)
    /// Something that is no document but can be read as a feed.
    case feed(ParsedFeed, FetchFacts)
  }

  struct Document: Sendable {
    let bytes: [UInt8]
    /// Where it came from in the end, after redirects.
    let address: String
    var charset: String?
    var facts = FetchFacts()
    var isPage = false
    /// What its `Link` headers say.
    var links: [String] = []
  }

  let client: HTTPClient

  /// The file or the folder that a feed is, on this machine; nil for one that a server has.
  static func path(of feed: StoredFeed) -> String? {
    FeedAddress.path(ofFileURL: feed.feed.address)
  }

  /// What is in the file or the folder of a feed.
  static func read(_ path: String, of feed: StoredFeed) throws(FetchError) -> Answer {
    if isFolder(path) { return try read(folder: path, of: feed) }
    return .document(Document(bytes: try read(path), address: feed.feed.address))
  }

  /// What the server of a feed answers.
  ///
  /// - Parameter limits: what the fetch may cost; its size is the parser's to limit.
  func fetch(
    _ feed: StoredFeed, limits: HTTPRequest.Limits, now: Date,
    progress: (@Sendable (HTTPProgress) -> Void)? = nil
  ) async throws -> Answer {
    var request = HTTPRequest(url: feed.feed.address, limits: limits)
    request.limits.maximumBytes = FeedParser.sizeLimit
    request.headers.append(
      "Accept",
      "application/atom+xml, application/rss+xml, application/feed+json, application/xml;q=0.9, "
        + "*/*;q=0.5")
    if let credentials = feed.credentials {
      request.headers.append("Authorization", credentials.authorization)
    }
    if feed.hasArticles {
      if let etag = feed.etag { request.headers.append("If-None-Match", etag) }
      if let date = feed.lastModified { request.headers.append("If-Modified-Since", date) }
    }
    let response = try await client.send(request, progress: progress)
    let notBefore = CacheHeaders.freshness(response.headers).map { now.addingTimeInterval($0) }
    switch response.status {
    case 200...299: break
    case 304 where feed.hasArticles: return .unchanged(notBefore: notBefore)
    case 304: throw FetchError.nothingToCompare
    case 401 where feed.credentials != nil: throw FetchError.passwordRefused
    default:
      throw FetchError.status(
        response.status, retryDate: CacheHeaders.retryDate(response.headers, now: now))
    }
    let contentType = response.headers["Content-Type"] ?? ""
    return .document(
      Document(
        bytes: response.body, address: response.finalURL, charset: Self.charset(contentType),
        facts: FetchFacts(
          etag: Self.validator(response.headers["ETag"]),
          lastModified: Self.validator(response.headers["Last-Modified"]), notBefore: notBefore,
          newAddress: Self.newAddress(of: feed.feed.address, response)),
        isPage: contentType.lowercased().contains("html"),
        links: response.headers.values(of: "Link")))
  }

  /// Where a feed has moved for good.
  ///
  /// From a secure address to one that is not, nobody follows for ever.
  private static func newAddress(of address: String, _ response: HTTPResponse) -> String? {
    guard response.isMovedPermanently, let new = WebAddress.web(response.finalURL),
      !address.hasPrefix("https:") || new.hasPrefix("https:")
    else { return nil }
    var parts = WebAddress.Parts(new)
    parts.fragment = nil
    return parts.text
  }

  /// What `charset=` says in a content type.
  static func charset(_ contentType: String) -> String? {
    for parameter in contentType.split(separator: ";").dropFirst() {
      let parts = parameter.split(separator: "=", maxSplits: 1)
      guard parts.count == 2, String(parts[0]).trimmingWhiteSpace().lowercased() == "charset"
      else { continue }
      return String(parts[1].filter { $0 != "\"" && $0 != "'" }).trimmingWhiteSpace()
    }
    return nil
  }

  /// A header that goes back to the server at the next fetch, unless it is out of proportion.
  private static func validator(_ value: String?) -> String? {
    value.flatMap { 1...500 ~= $0.utf8.count ? $0 : nil }
  }

  private static func isFolder(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
  }

  private static func read(folder path: String, of feed: StoredFeed) throws(FetchError) -> Answer {
    let folder = try MarkdownFolder(path: path)
    let mark = folder.mark
    if feed.hasArticles, feed.etag == mark { return .unchanged(notBefore: nil) }
    return .feed(folder.feed(), FetchFacts(etag: mark))
  }

  static func read(_ path: String) throws(FetchError) -> [UInt8] {
    // Without waiting: opening a pipe that nobody writes to would block for ever.
    let file = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    guard file >= 0 else {
      throw errno == ENOENT || errno == ENOTDIR
        ? .fileMissing(path: path) : .fileUnreadable(path: path, reason: systemReason())
    }
    defer { close(file) }
    var status = stat()
    guard fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      throw .notAFile(path: path)
    }
    let limit = FeedParser.sizeLimit
    var bytes: [UInt8] = []
    bytes.reserveCapacity(min(max(Int(status.st_size), 0), limit) + 1)
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    // The file may grow while it is read, so what counts is what has come.
    while bytes.count <= limit {
      let count = chunk.withUnsafeMutableBytes { Foundation.read(file, $0.baseAddress, $0.count) }
      if count < 0 {
        if errno == EINTR { continue }
        throw .fileUnreadable(path: path, reason: systemReason())
      }
      guard count > 0 else { return bytes }
      bytes.append(contentsOf: chunk[..<count])
    }
    throw .fileTooLarge(path: path, limit: limit)
  }

  private static func systemReason() -> String {
    String(cString: strerror(errno))
  }
}
