/// Where socks are kept: embedded in the program, scripted, or elsewhere.
///
/// Every function may be called from anywhere. Each that changes something does all of it or
/// nothing, and when it returns, the change is where it will not be lost. They throw ``SockError``,
/// and `CancellationError` when they were cancelled before they had begun.
///
/// ```swift
/// let wet = try await api.socks(0..<20, SockQuery(order: SockOrder(by: .sogginess, descending: true)))
/// try await api.update(wet[0].id, [.sogginess(0)])
/// ```
public protocol SockAPI: Sendable {
  /// How many socks there are.
  func count(_ filter: SockFilter) async throws -> Int

  /// The socks at these places of a list; fewer where the list ends before.
  func socks(_ range: Range<Int>, _ query: SockQuery) async throws -> [Sock]

  /// At which place of a list a sock is; nil when it is not in there.
  func place(of id: Sock.ID, in query: SockQuery) async throws -> Int?

  /// One sock.
  ///
  /// - Throws: ``SockError/noSuchSock(_:)``.
  func sock(_ id: Sock.ID) async throws -> Sock

  /// Changes fields of a sock, and no others, and returns it as it now is.
  ///
  /// - Throws: ``SockError/noSuchSock(_:)``, ``SockError/invalid(_:)``.
  @discardableResult
  func update(_ id: Sock.ID, _ edits: [SockEdit]) async throws -> Sock

  /// Puts a new sock into the drawer.
  ///
  /// - Throws: ``SockError/alreadyThere(_:)``, ``SockError/invalid(_:)``.
  @discardableResult
  func add(_ draft: SockDraft) async throws -> Sock

  /// Takes a sock out of the drawer; its other one is single from then on.
  ///
  /// - Throws: ``SockError/noSuchSock(_:)``.
  func remove(_ id: Sock.ID) async throws

  /// Makes two socks a pair; who was the other one of either is single from then on.
  ///
  /// - Throws: ``SockError/noSuchSock(_:)``, ``SockError/pairedWithItself``.
  func pair(_ first: Sock.ID, _ second: Sock.ID) async throws

  /// Takes a pair apart; nothing happens to a single sock.
  ///
  /// - Throws: ``SockError/noSuchSock(_:)``.
  func unpair(_ id: Sock.ID) async throws

  /// Makes a change once, however often it is sent: one whose key was seen changes nothing.
  ///
  /// - Throws: what the function of the change throws.
  func apply(_ change: SockChange, key: String) async throws

  /// Single socks of the same pattern and colour as this one, by name; at most `limit`.
  ///
  /// - Throws: ``SockError/noSuchSock(_:)``.
  func partners(of id: Sock.ID, limit: Int) async throws -> [Sock]

  /// Tells that what is in the drawer may have changed, whoever changed it.
  ///
  /// Changes while the observer is busy arrive as one. The stream ends with the API.
  func changes() -> AsyncStream<DrawerRevision>
}
