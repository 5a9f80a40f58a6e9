import Dispatch
import Synchronization

/// A request as it came.
public struct RecordedRequest: Sendable {
  public let method: String
  /// What stands in the request line: path and query, or a whole address when asked as a proxy.
  public let target: String
  public let headers: [(name: String, value: String)]
  /// What came after the headers.
  public internal(set) var body: [UInt8] = []
  /// Which of the server's connections it came on, counted from 1.
  public let connection: Int

  public var path: String { target.prefix { $0 != "?" }.description }

  /// The first value of a name, without regard to case.
  public subscript(name: String) -> String? {
    headers.first { $0.name.lowercased() == name.lowercased() }?.value
  }
}

/// What happened, in order, and who waits for it to happen.
final class Journal: Sendable {
  struct Entries {
    var requests: [RecordedRequest] = []
    /// Paths whose answer came to a hold, whether or not it was released before.
    var holds: [String] = []
    /// Paths whose client went away before the answer was over.
    var abandoned: [String] = []
    /// Connections that ended, by their numbers.
    var closed: [Int] = []
    fileprivate var waiters: [Int: Waiter] = [:]
    fileprivate var lastWaiter = 0
  }

  fileprivate struct Waiter {
    let isOver: @Sendable (Entries) -> Bool
    let wake: @Sendable () -> Void
  }

  private let entries = Mutex(Entries())

  func read<Value: Sendable>(_ body: (Entries) -> Value) -> Value {
    entries.withLock { body($0) }
  }

  func write(_ body: (inout Entries) -> Void) {
    let waiters = entries.withLock { entries in
      body(&entries)
      let over = entries.waiters.filter { $0.value.isOver(entries) }
      for id in over.keys { entries.waiters[id] = nil }
      return over.values.map(\.wake)
    }
    for wake in waiters { wake() }
  }

  /// Suspends until the journal holds a value.
  /// - Throws: `CancellationError`.
  func wait<Value: Sendable>(for value: @Sendable @escaping (Entries) -> Value?) async throws
    -> Value
  {
    let (arrivals, arrival) = AsyncStream.makeStream(of: Void.self)
    let id = add(
      Waiter {
        value($0) != nil
      } wake: {
        arrival.finish()
      })
    for await _ in arrivals {}
    remove(id)
    guard let result = read(value) else { throw CancellationError() }
    return result
  }

  /// Blocks the thread until the journal holds a value.
  /// - Throws: `NothingHappened` after `seconds`: a test that fails is better than one that hangs.
  func waitBlocking<Value: Sendable>(
    seconds: Int, for value: @Sendable @escaping (Entries) -> Value?
  ) throws -> Value {
    let arrival = DispatchSemaphore(value: 0)
    let id = add(
      Waiter {
        value($0) != nil
      } wake: {
        arrival.signal()
      })
    _ = arrival.wait(timeout: .now() + .seconds(seconds))
    remove(id)
    guard let result = read(value) else { throw NothingHappened() }
    return result
  }

  private func add(_ waiter: Waiter) -> Int {
    let (id, isOver) = entries.withLock { entries in
      entries.lastWaiter += 1
      let isOver = waiter.isOver(entries)
      if !isOver { entries.waiters[entries.lastWaiter] = waiter }
      return (entries.lastWaiter, isOver)
    }
    if isOver { waiter.wake() }
    return id
  }

  private func remove(_ id: Int) {
    entries.withLock { $0.waiters[id] = nil }
  }
}

/// What a test waited for did not come.
public struct NothingHappened: Error {}
