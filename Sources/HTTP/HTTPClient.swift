import CCurl

/// Fetches over HTTP and HTTPS with libcurl, on a thread of its own.
///
/// The thread starts with the first request, or with ``prepare()``, and sleeps, without wake-ups,
/// while no request is running. Certificates are always checked. The proxy is taken from the
/// environment as in curl (`http_proxy`, `https_proxy`, `all_proxy`, `no_proxy`); this machine is
/// reached without one. Use one client for a whole program: it reuses connections for later requests
/// to the same host.
///
/// ```swift
/// let client = HTTPClient()
/// let response = try await client.send(HTTPRequest(url: "https://example.org/feed.xml"))
/// print(response.status, response.body.count)
/// ```
public final class HTTPClient: Sendable {
  /// Settings for all requests of a client.
  public struct Options: Sendable {
    /// Sent with every request that has no `User-Agent` of its own.
    public var userAgent: String

    /// A file of certificates in PEM form, trusted in place of the system's.
    public var certificateAuthorityFile: String?

    /// The most requests that run at the same time, at least 1; others wait for a permit, urgent
    /// ones first.
    public var maximumTransfers: Int

    /// The same limit for the requests to each host and port; their redirects are not counted.
    public var maximumTransfersPerHost: Int

    /// Returns the numeric address of a host in place of the system's resolver; nil to ask the
    /// resolver.
    ///
    /// Only for tests, which use host names that do not exist.
    public var address: (@Sendable (_ host: String) -> String?)?

    /// Called with a report of each request that got a permit, when it ends.
    ///
    /// Called on the client's thread, so it has to return quickly.
    public var report: (@Sendable (HTTPReport) -> Void)?

    /// Defaults that suit a feed reader.
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
  private let scope: @Sendable ([UInt8]) -> PrivateNetwork.Scope

  /// Makes the C library return the memory of large bodies to the system as soon as it is freed, in
  /// the whole program.
  ///
  /// By default glibc keeps ever larger blocks for the thread that has used one: after sixteen
  /// bodies of 32 MB, fetched one at a time, it held as much as three of them.
  public static func returnLargeMemory() { ccurl_return_memory_from(256 << 10) }

  /// Returns the memory of freed small blocks to the system, in the whole program.
  ///
  /// By default glibc keeps it for the thread that has used it: each thread that had parsed a body
  /// of 32 MB held as much as 100 MB. Takes some milliseconds, so call it only after such a body.
  public static func returnFreeMemory() { ccurl_return_free_pages() }

  /// Creates a client; its thread starts with the first request.
  public convenience init(options: Options = Options()) {
    self.init(options: options, now: { .now })
  }

  /// - Parameters:
  ///   - scope: returns where an address, as 16 bytes, leads. Only for tests, whose servers are all
  ///     on this machine.
  ///   - now: the clock for silence and whole transfers; connecting uses curl's own clock.
  init(
    options: Options,
    scope: @escaping @Sendable ([UInt8]) -> PrivateNetwork.Scope = {
      PrivateNetwork.scope(of: $0)
    },
    now: @escaping @Sendable () -> SuspendingClock.Instant = { .now }
  ) {
    self.scope = scope
    worker = Worker(options: options, scope: scope, now: now)
  }

  deinit {
    worker.close()
  }

  /// Starts the thread and loads libcurl on it, which takes some milliseconds that the first request
  /// would wait for otherwise.
  ///
  /// For programs that are about to fetch, but have other things to do first.
  public func prepare() { worker.prepare() }

  /// Fetches a whole answer.
  ///
  /// Cancelling the task ends the transfer at once.
  ///
  /// - Parameter progress: called on the client's thread while the body arrives, so it has to
  ///   return quickly. Not called after this returns, except that a call may still be running when
  ///   the task is cancelled.
  /// - Throws: `HTTPError`, or `CancellationError` when the task was cancelled or the client was
  ///   shut down.
  public func send(
    _ request: HTTPRequest, progress: (@Sendable (HTTPProgress) -> Void)? = nil
  ) async throws -> HTTPResponse {
    try Task.checkCancellation()
    let transfer = try transfer(request, pieceSize: .max, progress: progress)
    worker.post(.start(transfer))
    let (head, body) = try await transfer.whole()
    return HTTPResponse(head: head, body: body)
  }

  /// Sends a request and returns once the headers have arrived; the body is read from the stream.
  ///
  /// The request keeps its permit until the stream is released or the transfer fails. A slow reader
  /// slows the server down: once 256 KB are waiting to be read, no more is received.
  ///
  /// The other parameters and the errors are those of `send`.
  ///
  /// - Parameters:
  ///   - pieceSize: how many bytes the reader of the body waits for, at most 256 KB; the last piece
  ///     may be smaller.
  ///   - admission: called on the client's thread when the request would get its permit, so it has
  ///     to return quickly. If it throws, the request is not sent, and this throws that error.
  public func stream(
    _ request: HTTPRequest, pieceSize: Int = 1,
    progress: (@Sendable (HTTPProgress) -> Void)? = nil,
    admission: (@Sendable () throws -> Void)? = nil
  ) async throws -> HTTPStream {
    try Task.checkCancellation()
    let transfer = try transfer(
      request, pieceSize: min(max(pieceSize, 1), Transfer.highWater), progress: progress,
      admission: admission)
    let lease = HTTPStream.Lease(transfer, client: self)
    worker.post(.start(transfer))
    return HTTPStream(head: try await transfer.head(), lease: lease)
  }

  /// Checks whether content of some origin may name an address that another program will fetch.
  ///
  /// Only the name of the host is checked, because the other program looks it up again and may get
  /// another address.
  ///
  /// - Throws: `HTTPError.privateAddress`, or `HTTPError.invalidAddress`,
  ///   `HTTPError.unsupportedScheme` or `HTTPError.noLibrary` if the address cannot be parsed.
  public func checkAddress(_ url: String, from origin: RequestOrigin) throws(HTTPError) {
    var request = HTTPRequest(url: url, origin: origin)
    request.sendsPasswordsInClear = true
    _ = try Route(request, to: WebAddress(url), scope: scope)
  }

  private func transfer(
    _ request: HTTPRequest, pieceSize: Int, progress: (@Sendable (HTTPProgress) -> Void)?,
    admission: (@Sendable () throws -> Void)? = nil
  ) throws -> Transfer {
    Transfer(
      request, address: try WebAddress(request.url), pieceSize: pieceSize, worker: worker,
      progress: progress, admission: admission)
  }

  /// Changes how many requests run at the same time, in total and for each host and port.
  ///
  /// Running requests continue.
  public func setPlaces(_ count: Int, perHost countPerHost: Int) {
    worker.setPlaces(count, perHost: countPerHost)
  }

  /// Ends every transfer with `CancellationError`, closes every connection and ends the thread.
  ///
  /// Returns once everything is released. Later requests fail with `CancellationError`.
  ///
  /// Releasing the client does the same.
  public func shutDown() async {
    worker.close()
    await worker.waitUntilClosed()
  }
}

/// The outcome of a request, for a log.
public struct HTTPReport: Sendable {
  /// The address of the request, before any redirect; it may contain a password.
  public let url: String
  /// Whether the request was a POST.
  public let isPost: Bool
  /// How many redirects were followed or refused.
  public let redirects: Int
  /// The status of the answer; nil if there was none.
  public let status: Int?
  /// Why there was no answer or no complete body: an ``HTTPError``, or `CancellationError` if the
  /// task was cancelled or the client shut down.
  ///
  /// Nil if the reader released the stream before the end of the body.
  public let error: (any Error)?
  /// The number of bytes received on the wire, before decompression, including the bodies of
  /// redirects.
  public let received: Int
  /// The time from getting the permit until the end; waiting for the permit is not included.
  public let elapsed: Duration

  /// Creates a report for tests of code that reads reports.
  public init(
    url: String, isPost: Bool = false, redirects: Int = 0, status: Int?, error: (any Error)? = nil,
    received: Int = 0, elapsed: Duration = .zero
  ) {
    (self.url, self.isPost, self.redirects) = (url, isPost, redirects)
    (self.status, self.error) = (status, error)
    (self.received, self.elapsed) = (received, elapsed)
  }
}
