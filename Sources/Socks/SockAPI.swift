/// Where socks are stored: embedded in the program, scripted, or elsewhere.
///
/// Every function may be called from any thread. Each change is made completely or not at all, and
/// is durable when the function returns. The functions throw ``SockError``, and `CancellationError`
/// when they were cancelled before they began.
///
/// ```swift
/// let wet = try await api.socks(0..<20, SockQuery(order: SockOrder(by: .sogginess, descending: true)))
/// try await api.update(wet[0].id, [.sogginess(0)])
/// ```
public protocol SockAPI: Sendable {
  /// Returns how many socks match.
  func count(_ filter: SockFilter) async throws -> Int

  /// Returns the socks at these indices of a list; fewer if the list ends before.
  func socks(_ range: Range<Int>, _ query: SockQuery) async throws -> [Sock]

  /// Returns the index of a sock in a list; nil when the list does not contain it.
  func place(of id: Sock.ID, in query: SockQuery) async throws -> Int?

  /// Returns one sock.
  ///
  /// - Throws: ``SockError/noSuchSock(_:)``.
  func sock(_ id: Sock.ID) async throws -> Sock

  /// Makes a change.
  ///
  /// - Parameter key: the name of a change that may be sent several times, but is made once; nil
  ///   for one that is sent once.
  /// - Throws: ``SockError/noSuchSock(_:)``, ``SockError/invalid(_:)``,
  ///   ``SockError/alreadyThere(_:)``, ``SockError/pairedWithItself``,
  ///   ``SockError/changedElsewhere(_:)``.
  func apply(_ change: SockChange, key: String?) async throws

  /// Returns single socks with the same pattern and colour as this one, by name; at most `limit`.
  ///
  /// - Throws: ``SockError/noSuchSock(_:)``.
  func partners(of id: Sock.ID, limit: Int) async throws -> [Sock]

  /// Reports that the contents of the drawer may have changed, by this process or another.
  ///
  /// Changes while the observer is busy are merged. The stream ends when the API is released.
  func changes() -> AsyncStream<Void>
}

extension SockAPI {
  /// Changes only these fields of a sock.
  public func update(_ id: Sock.ID, _ edits: [SockEdit]) async throws {
    try await apply(.update(id, edits), key: nil)
  }

  /// Adds a new sock to the drawer.
  public func add(_ draft: SockDraft) async throws { try await apply(.add(draft), key: nil) }

  /// Removes a sock from the drawer; the other sock of its pair becomes single.
  public func remove(_ id: Sock.ID) async throws { try await apply(.remove(id), key: nil) }

  /// Pairs two socks; their former partners become single.
  public func pair(_ first: Sock.ID, _ second: Sock.ID) async throws {
    try await apply(.pair(first, second), key: nil)
  }

  /// Separates a pair; does nothing for a single sock.
  public func unpair(_ id: Sock.ID) async throws { try await apply(.unpair(id), key: nil) }
}
