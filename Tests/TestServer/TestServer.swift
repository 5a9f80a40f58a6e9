import Foundation
import Synchronization

/// A real HTTP/1.1 server on the loopback address, scripted path by path, with every fault on
/// command.
///
/// It runs on threads of its own, never on Swift's, and can be driven from a test that is not
/// asynchronous at all.
///
/// ```swift
/// let server = try TestServer()
/// server["/feed"] = .heldHead(feed)
/// async let response = client.send(HTTPRequest(url: server.url("/feed")))
/// try await server.request(to: "/feed")   // it has arrived, and hangs
/// server.release("/feed")
/// ```
public final class TestServer: Sendable {
  private let stage = Stage()
  /// Holds the port while nobody listens on it.
  private let reservation: Socket
  private let host: LoopbackHost
  private let listener = Mutex<Listener?>(nil)
  /// What keeps the port's one place occupied while connections are ignored.
  private let busy = Mutex<[Socket]>([])

  public init(host: LoopbackHost = .first) throws {
    self.host = host
    reservation = try Socket(host: host)
    try startListening()
  }

  deinit {
    stop()
    reservation.close()
  }

  public var port: UInt16 { reservation.port }

  public func url(_ path: String) -> String {
    "http://\(host.address):\(port)\(path)"
  }

  // MARK: Scripts

  /// The path under which a client appears that speaks TLS to this server, which has none.
  public static let tlsHello = "(tls)"

  /// The path whose script is for all paths that have none.
  public static let anyPath = "*"

  /// The answer to every further request for a path; without one it is 404.
  ///
  /// The path may have a query; without one it stands for every query. Nil when the answer depends
  /// on the request.
  public subscript(path: String) -> Answer? {
    get { stage.answer(at: path) }
    set { stage.setScript(newValue.map(Stage.Script.fixed), for: path) }
  }

  /// An answer that depends on the request.
  public func answer(_ path: String, _ script: @escaping @Sendable (RecordedRequest) -> Answer) {
    stage.setScript(.computed(script), for: path)
  }

  /// Lets one held answer of a path go on by one step; if none is held, the next to be held.
  public func release(_ path: String) { stage.release(path) }

  // MARK: What came

  public var requests: [RecordedRequest] { stage.journal.read(\.requests) }

  /// How many connections there have been, with or without a request.
  public var connectionCount: Int { stage.connectionCount }

  public func requests(to path: String) -> [RecordedRequest] {
    requests.filter { $0.path == path }
  }

  /// Suspends until there have been `count` requests, whatever their paths, and returns all so far.
  @discardableResult
  public func requests(count: Int) async throws -> [RecordedRequest] {
    try await stage.journal.wait { $0.requests.count >= count ? $0.requests : nil }
  }

  /// Suspends until a path has been asked for `count` times, counted from the server's start, and
  /// returns the last of these requests.
  @discardableResult
  public func request(to path: String, count: Int = 1) async throws -> RecordedRequest {
    try await stage.journal.wait { nthRequest($0, path, count) }
  }

  /// The same for a test that is not asynchronous.
  ///
  /// Blocks the thread.
  /// - Throws: `NothingHappened` after `seconds`.
  @discardableResult
  public func waitForRequest(
    to path: String, count: Int = 1, seconds: Int = 120
  ) throws -> RecordedRequest {
    try stage.journal.waitBlocking(seconds: seconds) { nthRequest($0, path, count) }
  }

  /// Suspends until a path's answers have come to `count` holds: what stands before them is sent.
  public func hold(at path: String, count: Int = 1) async throws {
    try await stage.journal.wait { entries in
      entries.holds.count { $0 == path } >= count ? () : nil
    }
  }

  /// Suspends until `count` clients have gone away in the middle of a path's answer.
  public func abandonment(of path: String, count: Int = 1) async throws {
    try await stage.journal.wait { entries in
      entries.abandoned.count { $0 == path } >= count ? () : nil
    }
  }

  /// The same for a test that is not asynchronous.
  ///
  /// Blocks the thread.
  /// - Throws: `NothingHappened` after `seconds`.
  public func waitForAbandonment(of path: String, count: Int = 1, seconds: Int = 120) throws {
    try stage.journal.waitBlocking(seconds: seconds) { entries in
      entries.abandoned.count { $0 == path } >= count ? () : nil
    }
  }

  /// Suspends until `count` connections have ended, by either side.
  public func connectionsEnded(_ count: Int) async throws {
    try await stage.journal.wait { $0.closed.count >= count ? () : nil }
  }

  // MARK: There or not there

  /// From here on connections are refused, and those that stand are ended.
  ///
  /// The port stays ours.
  public func refuseConnections() {
    let previous = listener.withLock { listener in
      defer { listener = nil }
      return listener
    }
    previous?.stop()
    for socket in busy.withLock({ busy in
      defer { busy = [] }
      return busy
    }) {
      socket.close()
    }
    stage.disconnectAll()
  }

  /// From here on whoever connects gets no answer at all, not even a refusal.
  public func ignoreConnections() throws {
    refuseConnections()
    let full = try Socket(port: reservation.port, host: host)
    let visitor = try Socket(host: host)
    try visitor.occupy(full)
    busy.withLock { $0 = [full, visitor] }
  }

  /// Takes connections again, on the same port.
  public func acceptConnections() throws {
    refuseConnections()
    try startListening()
  }

  /// Ends everything.
  ///
  /// The server cannot be used again.
  public func stop() {
    refuseConnections()
    stage.end()
  }

  private func startListening() throws {
    let started = try Listener(
      socket: Socket(port: reservation.port, host: host), stage: stage)
    listener.withLock { $0 = started }
  }
}

private func nthRequest(
  _ entries: Journal.Entries, _ path: String, _ count: Int
) -> RecordedRequest? {
  let requests = entries.requests.filter { $0.path == path }
  return requests.count >= count ? requests[count - 1] : nil
}

/// The thread that accepts.
private struct Listener: Sendable {
  private let bell: Bell
  private let hasEnded = DispatchSemaphore(value: 0)

  init(socket: Socket, stage: Stage) throws {
    try socket.startListening()
    let bell = try Bell()
    self.bell = bell
    Thread.detachNewThread { [hasEnded] in
      while let connection = socket.nextConnection(until: bell) {
        guard let admitted = stage.admit(connection) else {
          connection.close()
          continue
        }
        Thread.detachNewThread { admitted.serve() }
      }
      socket.close()
      hasEnded.signal()
    }
  }

  /// Returns when nobody listens any more.
  func stop() {
    bell.ring()
    hasEnded.wait()
    bell.close()
  }
}
