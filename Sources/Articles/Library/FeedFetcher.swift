import Foundation
import HTTP
import Loading

/// Fetches the document of a feed from its server, file or folder.
struct FeedFetcher: Sendable {
  enum Answer: Sendable {
    /// Nothing has changed since the last fetch.
    case unchanged(notBefore: Date?)
    case document(Document)
    /// Something that is no document but can be read as a feed.
    case feed(ParsedFeed, FetchFacts)
  }

  struct Document: Sendable {
    var bytes: [UInt8]
    /// The address that it came from, after redirects.
    let address: String
    var charset: String?
    var facts = FetchFacts()
    var isPage = false
    /// What its `Link` headers say.
    var links: [String] = []
  }

  let client: HTTPClient
  /// From how many bytes on a document needs the permit for large documents.
  static let largeSize = 1 << 20
  /// Limits the large documents that are received and not stored yet: each may be as large as
  /// ``FeedParser/sizeLimit``, and several times that while it is parsed.
  private let largePlaces = LoadLimit(1)

  /// The path of a feed that is a file or a folder of this machine; nil for a feed on a server.
  static func path(of feed: StoredFeed) -> String? {
    FileAddress.path(feed.feed.address)
  }

  /// Reads the file or the folder of a feed.
  static func read(_ path: String, of feed: StoredFeed) throws -> Answer {
    if isFolder(path) { return try read(folder: path, of: feed) }
    let bytes = try LocalFile.bytes(of: path, limit: FeedParser.sizeLimit)
    return .document(Document(bytes: bytes, address: feed.feed.address))
  }

  /// Fetches a feed from its server and passes the answer to `use`.
  ///
  /// Until `use` returns, the request keeps its permit of the client, and a large document the only
  /// permit for those, so that the bytes that are received and not stored are bounded. Other large
  /// documents wait after their first megabyte; the wait counts towards no time limit.
  ///
  /// - Parameters:
  ///   - origin: who named the address of the feed.
  ///   - limits: what the fetch may cost; its size is the parser's to limit.
  ///   - sendsPasswordsInClear: whether the password may be sent over `http` to another machine.
  func fetch<Value: Sendable>(
    _ feed: StoredFeed, origin: RequestOrigin, limits: HTTPRequest.Limits,
    sendsPasswordsInClear: Bool = false, now: Date,
    progress: (@Sendable (HTTPProgress) -> Void)? = nil,
    use: @escaping @Sendable (Answer) async throws -> Value
  ) async throws -> Value {
    var request = HTTPRequest(url: feed.feed.address, limits: limits, origin: origin)
    request.sendsPasswordsInClear = sendsPasswordsInClear
    request.limits.maximumBytes = FeedParser.sizeLimit
    request.headers.append(
      "Accept",
      "application/atom+xml, application/rss+xml, application/feed+json, application/xml;q=0.9, "
        + "*/*;q=0.5")
    if let credentials = feed.credentials {
      request.headers.append("Authorization", credentials.authorization)
    }
    if feed.hasArticles {
      if let etag = Self.validator(feed.etag) { request.headers.append("If-None-Match", etag) }
      if let date = Self.validator(feed.lastModified) {
        request.headers.append("If-Modified-Since", date)
      }
    }
    let stream = try await client.stream(request, pieceSize: 64 << 10, progress: progress)
    let notBefore = CacheHeaders.freshness(stream.head.headers).map { now.addingTimeInterval($0) }
    switch stream.head.status {
    case 200...299: break
    case 304 where feed.hasArticles: return try await use(.unchanged(notBefore: notBefore))
    case 304: throw FetchError.nothingToCompare
    case 401 where feed.credentials != nil: throw FetchError.passwordRefused
    default:
      throw FetchError.status(
        stream.head.status, retryDate: CacheHeaders.retryDate(stream.head.headers, now: now))
    }
    var document = Document(stream.head, notBefore: notBefore)
    var body = stream.makeAsyncIterator()
    while document.bytes.count < Self.largeSize {
      guard let bytes = try await body.next() else {
        return try await use(.document(document))
      }
      document.bytes += bytes
    }
    return try await largePlaces.withPlace { [document] in
      var document = document
      for try await bytes in stream { document.bytes += bytes }
      return try await use(.document(document))
    }
  }

  /// What `charset=` says in a content type.
  static func charset(_ contentType: String) -> String? {
    guard contentType.utf8.count <= CacheHeaders.lengthLimit else { return nil }
    for parameter in contentType.split(separator: ";").dropFirst() {
      let parts = parameter.split(separator: "=", maxSplits: 1)
      guard parts.count == 2, String(parts[0]).trimmingWhiteSpace().lowercased() == "charset"
      else { continue }
      return String(parts[1].filter { $0 != "\"" && $0 != "'" }).trimmingWhiteSpace()
    }
    return nil
  }

  /// A header to send back at the next fetch; nil where it cannot be sent or is too long.
  static func validator(_ value: String?) -> String? {
    value.flatMap { 1...500 ~= $0.utf8.count && HTTPHeaders.canSend($0) ? $0 : nil }
  }

  private static func isFolder(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
  }

  private static func read(folder path: String, of feed: StoredFeed) throws -> Answer {
    let folder = try MarkdownFolder(path: path)
    let mark = folder.mark
    if feed.hasArticles, feed.etag == mark { return .unchanged(notBefore: nil) }
    return .feed(try folder.feed(), FetchFacts(etag: mark))
  }
}

extension FeedFetcher.Document {
  /// An answer before its body.
  fileprivate init(_ head: HTTPResponseHead, notBefore: Date?) {
    let contentType = head.headers["Content-Type"] ?? ""
    bytes = []
    self.address = head.finalURL
    charset = FeedFetcher.charset(contentType)
    facts = FetchFacts(
      etag: FeedFetcher.validator(head.headers["ETag"]),
      lastModified: FeedFetcher.validator(head.headers["Last-Modified"]), notBefore: notBefore,
      newAddress: Self.newAddress(head), beginsInPublic: head.beginsInPublic,
      contentOrigin: head.contentOrigin)
    isPage = contentType.lowercased().contains("html")
    links = head.headers.values(of: "Link")
  }

  /// Where a feed has moved for good.
  private static func newAddress(_ head: HTTPResponseHead) -> String? {
    guard head.isMovedPermanently, let new = WebAddress.web(head.finalURL) else { return nil }
    var parts = WebAddress.Parts(new)
    parts.fragment = nil
    return parts.text
  }
}
