import CCurl

/// Fetches over HTTP and HTTPS with libcurl, on one thread of its own.
///
/// The thread starts with the first request and sleeps, with no wake-up at all, while nothing is in
/// flight. Certificates are always checked. A proxy is taken from the environment as curl does
/// (`http_proxy`, `https_proxy`, `all_proxy`, `no_proxy`). Use one client for a whole program: it
/// keeps connections for the next request to the same host.
///
/// ```swift
/// let client = HTTPClient()
/// let response = try await client.send(HTTPRequest(url: "https://example.org/feed.xml"))
/// print(response.status, response.body.count)
/// ```
public final class HTTPClient: Sendable {
  /// What holds for every request of a client.
  public struct Options: Sendable {
    /// Sent with every request that has no `User-Agent` of its own.
    public var userAgent: String

    /// A file of certificates in PEM form, trusted in place of the system's.
    public var certificateAuthorityFile: String?

    /// Requests at work at one time, at least 1; more wait for a place, urgent ones first.
    public var maximumTransfers: Int

    /// The same for each host and port.
    public var maximumTransfersPerHost: Int

    /// The numeric address of a host, where the system's resolver is not to be asked.
    ///
    /// Only tests have reason to know better: their names are to be unknown, and then known.
    public var address: (@Sendable (_ host: String) -> String?)?

    /// Told how each request came out: why there was no answer, or nil for an answer of any status.
    ///
    /// Cancelled requests are not told.
    public var outcome: (@Sendable (HTTPError?) -> Void)?

    /// What suits a feed reader.
    public init(
      userAgent: String = "Argyle", certificateAuthorityFile: String? = nil,
      maximumTransfers: Int = 16, maximumTransfersPerHost: Int = 4
    ) {
      self.userAgent = userAgent
      self.certificateAuthorityFile = certificateAuthorityFile
      self.maximumTransfers = maximumTransfers
      self.maximumTransfersPerHost = maximumTransfersPerHost
    }
  }

  private let worker: Worker
  private let outcome: (@Sendable (HTTPError?) -> Void)?

  /// Makes the memory of large bodies go back to the system as soon as it is free, in the whole
  /// program.
  ///
  /// By itself glibc keeps ever larger blocks for the thread that has used one: after sixteen bodies
  /// of 32 MB, each fetched alone, it held as much as three of them.
  public static func returnLargeMemory() { ccurl_return_memory_from(256 << 10) }

  /// Gives the memory that small blocks have left free back to the system, in the whole program.
  ///
  /// By itself glibc keeps it for the thread that has used it: each thread that had parsed a body of
  /// 32 MB held as much as 100 MB. Takes some milliseconds, so call it after such a body only.
  public static func returnFreeMemory() { ccurl_return_free_pages() }

  /// Does nothing yet: the thread starts with the first request.
  public convenience init(options: Options = Options()) {
    self.init(options: options, now: { .now })
  }

  /// - Parameters:
  ///   - isPrivate: whether an address, as 16 bytes, is of a private network. Only tests have reason
  ///     to see it differently: all their servers are on this machine.
  ///   - now: what silence and whole transfers are measured with; connecting has curl's own clock.
  init(
    options: Options,
    isPrivate: @escaping @Sendable ([UInt8]) -> Bool = { PrivateNetwork.contains($0) },
    now: @escaping @Sendable () -> SuspendingClock.Instant = { .now }
  ) {
    outcome = options.outcome
    worker = Worker(options: options, isPrivate: isPrivate, now: now)
  }

  deinit {
    worker.close()
  }

  /// Fetches a whole answer.
  ///
  /// Cancelling the task ends the transfer at once.
  /// - Parameter progress: Called on the client's thread while the body comes, so it has to return
  ///   quickly. Not called after this returns, except that it may be on its way once when the task
  ///   is cancelled.
  /// - Throws: `HTTPError`, or `CancellationError` when the task was cancelled or the client shut
  ///   down.
  public func send(
    _ request: HTTPRequest, progress: (@Sendable (HTTPProgress) -> Void)? = nil
  ) async throws -> HTTPResponse {
    try Task.checkCancellation()
    let transfer = try transfer(request, pieceSize: .max, progress: progress)
    worker.post(.start(transfer))
    let (head, body) = try await telling { try await transfer.whole() }
    return HTTPResponse(head: head, body: body)
  }

  /// Returns when the headers are in; the body is read from the stream as it comes.
  ///
  /// The request keeps its permit until the stream is released. A slow reader slows the server down:
  /// no more is received than is read.
  ///
  /// Parameters and errors are those of `send`, and:
  /// - Parameter pieceSize: How many bytes the reader of the body waits for, unless it ends before: at
  ///   most 256 KB.
  public func stream(
    _ request: HTTPRequest, pieceSize: Int = 1,
    progress: (@Sendable (HTTPProgress) -> Void)? = nil
  ) async throws -> HTTPStream {
    try Task.checkCancellation()
    let transfer = try transfer(
      request, pieceSize: min(max(pieceSize, 1), Transfer.highWater), progress: progress)
    let lease = HTTPStream.Lease(transfer, client: self)
    worker.post(.start(transfer))
    return HTTPStream(head: try await telling { try await transfer.head() }, lease: lease)
  }

  /// Tells how a request comes out.
  private func telling<Answer: Sendable>(
    _ answer: () async throws -> Answer
  ) async throws -> Answer {
    do {
      let answer = try await answer()
      outcome?(nil)
      return answer
    } catch let error as HTTPError {
      outcome?(error)
      throw error
    }
  }

  private func transfer(
    _ request: HTTPRequest, pieceSize: Int, progress: (@Sendable (HTTPProgress) -> Void)?
  ) throws -> Transfer {
    Transfer(
      request, address: try WebAddress(request.url), pieceSize: pieceSize, worker: worker,
      progress: progress)
  }

  /// Changes how many requests are at work at one time, in all and for each host and port.
  ///
  /// Those that are at work go on.
  public func setPlaces(_ count: Int, perHost countPerHost: Int) {
    worker.setPlaces(count, perHost: countPerHost)
  }

  /// Ends every transfer with `CancellationError`, closes every connection and ends the thread.
  ///
  /// Returns when all of it is released. Later requests end with `CancellationError`.
  ///
  /// A client that goes out of use does the same by itself.
  public func shutDown() async {
    worker.close()
    await worker.waitUntilClosed()
  }
}
