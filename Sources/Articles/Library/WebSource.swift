import Foundation
import HTTP
import Loading

/// Fetches a feed from its server.
struct WebSource: FeedSource {
  let client: HTTPClient
  /// The size, in bytes, from which a document needs the permit for large documents.
  static let largeSize = 1 << 20
  /// Limits the large documents that have been received but not stored: each may be as large as
  /// ``FeedParser/sizeLimit``, and needs several times that while it is parsed.
  private let largePermits = LoadLimit(1)
  private let busyServers = BusyServers(longest: 3_600)
  /// Called when a large document and everything made from it have been released.
  private let didReleaseLarge: @Sendable () -> Void

  init(
    client: HTTPClient,
    didReleaseLarge: @escaping @Sendable () -> Void = { HTTPClient.returnFreeMemory() }
  ) {
    self.client = client
    self.didReleaseLarge = didReleaseLarge
  }

  /// Fetches the feed's document.
  ///
  /// Until `use` returns, the request keeps its permit of the client, and a large document also
  /// keeps the only permit for large ones, so that the bytes received but not stored are bounded.
  /// Other large documents wait after their first megabyte; the wait counts towards no time limit.
  func read<Value: Sendable>(
    _ fetch: FeedFetch, use: @escaping @Sendable (FeedAnswer) async throws -> Value
  ) async throws -> Value {
    let (feed, now) = (fetch.feed, fetch.now)
    // Only when it would be sent: until then, it may have waited behind other feeds of its server.
    let stream = try await client.stream(
      request(fetch), pieceSize: 64 << 10, progress: fetch.progress
    ) { [busyServers] in
      if let end = busyServers.end(of: feed.feed.address, at: now) {
        throw FetchError.serverBusy(until: end)
      }
    }
    let use = { @Sendable answer in try await fetch.turn.take { try await use(answer) } }
    let notBefore = CacheHeaders.freshness(stream.head.headers).map { now.addingTimeInterval($0) }
    switch stream.head.status {
    case 200...299: break
    case 304 where feed.hasArticles: return try await use(.unchanged(notBefore: notBefore))
    case 304: throw FetchError.nothingToCompare
    case 401 where feed.credentials != nil:
      throw stream.head.isOfOtherServer
        ? FetchError.passwordWithheld(address: stream.head.finalURL) : .passwordRefused
    default:
      let retryDate = CacheHeaders.retryDate(stream.head.headers, now: now)
      // Before the stream is released, which gives its permit to the next feed of the server.
      if stream.head.status == 429, let retryDate, !stream.head.isOfOtherServer {
        busyServers.note(feed.feed.address, until: retryDate, at: now)
      }
      throw FetchError.status(stream.head.status, retryDate: retryDate)
    }
    var document = FeedDocument(stream.head, notBefore: notBefore)
    var body = stream.makeAsyncIterator()
    while document.bytes.count < Self.largeSize {
      guard let bytes = try await body.next() else {
        return try await use(.document(document))
      }
      document.bytes += bytes
    }
    return try await largePermits.withPermit { [document] in
      defer { didReleaseLarge() }
      return try await use(.document(rest(of: stream, after: document)))
    }
  }

  /// Receives the rest of a document whose beginning has arrived.
  private func rest(of stream: HTTPStream, after beginning: FeedDocument) async throws
    -> FeedDocument
  {
    var document = beginning
    for try await bytes in stream { document.bytes += bytes }
    return document
  }

  private func request(_ fetch: FeedFetch) -> HTTPRequest {
    let feed = fetch.feed
    var request = HTTPRequest(
      url: feed.feed.address, limits: fetch.limits, origin: fetch.origin)
    request.sendsPasswordsInClear = fetch.sendsPasswordsInClear
    request.limits.maximumBytes = FeedParser.sizeLimit
    request.headers.append(
      "Accept",
      "application/atom+xml, application/rss+xml, application/feed+json, application/xml;q=0.9, "
        + "*/*;q=0.5")
    if let credentials = feed.credentials {
      request.headers.append("Authorization", credentials.authorization)
    }
    if feed.hasArticles {
      if let etag = CacheHeaders.validator(feed.etag) {
        request.headers.append("If-None-Match", etag)
      }
      if let date = CacheHeaders.validator(feed.lastModified) {
        request.headers.append("If-Modified-Since", date)
      }
    }
    return request
  }

  /// Returns the `charset` of a content type.
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
}

extension FeedDocument {
  /// Creates a document without its body from a response head.
  fileprivate init(_ head: HTTPResponseHead, notBefore: Date?) {
    let contentType = head.headers["Content-Type"] ?? ""
    bytes = []
    self.address = head.finalURL
    charset = WebSource.charset(contentType)
    facts = FetchFacts(
      etag: CacheHeaders.validator(head.headers["ETag"]),
      lastModified: CacheHeaders.validator(head.headers["Last-Modified"]), notBefore: notBefore,
      newAddress: Self.newAddress(head), beginsInPublic: head.beginsInPublic,
      contentOrigin: head.contentOrigin)
    isPage = contentType.lowercased().contains("html")
    links = head.headers.values(of: "Link")
  }

  /// Returns the address that a feed has permanently moved to.
  private static func newAddress(_ head: HTTPResponseHead) -> String? {
    guard head.isMovedPermanently, let new = WebAddress.web(head.finalURL) else { return nil }
    var parts = WebAddress.Parts(new)
    parts.fragment = nil
    return parts.text
  }
}
