import Storage
import Synchronization

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

  /// Changes only these fields of a sock, and returns the changed sock.
  ///
  /// - Throws: ``SockError/noSuchSock(_:)``, ``SockError/invalid(_:)``.
  @discardableResult
  func update(_ id: Sock.ID, _ edits: [SockEdit]) async throws -> Sock

  /// Adds a new sock to the drawer.
  ///
  /// - Throws: ``SockError/alreadyThere(_:)``, ``SockError/invalid(_:)``.
  @discardableResult
  func add(_ draft: SockDraft) async throws -> Sock

  /// Removes a sock from the drawer; the other sock of its pair becomes single.
  ///
  /// - Throws: ``SockError/noSuchSock(_:)``.
  func remove(_ id: Sock.ID) async throws

  /// Pairs two socks; their former partners become single.
  ///
  /// - Throws: ``SockError/noSuchSock(_:)``, ``SockError/pairedWithItself``.
  func pair(_ first: Sock.ID, _ second: Sock.ID) async throws

  /// Separates a pair; does nothing for a single sock.
  ///
  /// - Throws: ``SockError/noSuchSock(_:)``.
  func unpair(_ id: Sock.ID) async throws

  /// Applies a change once, however often it is sent: a change with a known key does nothing.
  ///
  /// - Throws: the errors of the corresponding function.
  func apply(_ change: SockChange, key: String) async throws

  /// Returns single socks with the same pattern and colour as this one, by name; at most `limit`.
  ///
  /// - Throws: ``SockError/noSuchSock(_:)``.
  func partners(of id: Sock.ID, limit: Int) async throws -> [Sock]

  /// Reports that the contents of the drawer may have changed, by this process or another.
  ///
  /// Changes while the observer is busy are merged. The stream ends when the API is released.
  func changes() -> AsyncStream<DrawerRevision>
}

/// A number that grows with every change of a drawer; comparable within one API only.
public struct DrawerRevision: Hashable, Comparable, Sendable {
  let number: UInt64

  /// Whether `left` is older.
  public static func < (left: DrawerRevision, right: DrawerRevision) -> Bool {
    left.number < right.number
  }
}

/// Counts the changes of a drawer and reports them.
final class DrawerRevisions: Sendable {
  private let number = Mutex<UInt64>(0)
  private let hub = ChangeHub<DrawerRevision>()

  func changes() -> AsyncStream<DrawerRevision> { hub.changes() }

  func advance() {
    let next = number.withLock { number in
      number += 1
      return number
    }
    hub.notify(DrawerRevision(number: next))
  }
}
