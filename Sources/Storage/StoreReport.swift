import GRDB
import Synchronization

/// One operation on a store's file, for a log.
public struct StoreReport: Sendable {
  /// The kind of operation.
  public enum Work: Sendable, Equatable {
    /// The file was opened and migrated to the newest schema.
    case opened
    /// A read transaction.
    case read
    /// A write transaction: how many calls of ``StoreFile/write(durability:_:)`` shared it, and how
    /// many rows they changed.
    case wrote(writes: Int, rows: Int)
  }

  /// The path of the file.
  public let path: String
  /// The operation.
  public let work: Work
  /// How long it took, including the wait for locks of other connections, but not the wait for
  /// earlier work on the same connection.
  public let elapsed: Duration
  /// Why it failed; nil if it succeeded.
  public let error: (any Error)?

  /// Creates a report for tests of code that reads reports.
  public init(path: String, work: Work, elapsed: Duration, error: (any Error)? = nil) {
    (self.path, self.work, self.elapsed, self.error) = (path, work, elapsed, error)
  }

  // One observer for the whole process, which has one log: stores are opened in many places.
  private static let observer = Mutex<(@Sendable (StoreReport) -> Void)?>(nil)

  /// Calls `observer` after every opening of a store's file, every ``StoreFile/read(_:)`` and every
  /// write transaction; nil stops that.
  ///
  /// Uses of ``StoreFile/writer`` and ``StoreFile/anotherReader(_:)`` are not reported. `observer`
  /// is called on the thread that did the work, so it has to return quickly.
  public static func observe(_ observer: (@Sendable (StoreReport) -> Void)?) {
    Self.observer.withLock { $0 = observer }
  }

  /// Runs `body` and reports it.
  ///
  /// - Parameter body: may replace `work` with more exact values.
  static func reporting<Value>(
    _ work: Work, _ path: String, _ body: (inout Work) throws -> Value
  ) throws -> Value {
    var work = work
    guard let observer = observer.withLock(\.self) else { return try body(&work) }
    let start = ContinuousClock.now
    let result = Result { try body(&work) }
    var error: (any Error)?
    if case .failure(let failure) = result { error = failure }
    observer(
      StoreReport(
        path: path, work: work, elapsed: start.duration(to: .now), error: error))
    return try result.get()
  }
}

extension Database {
  /// Runs `body`, and sets `work` to the number of rows that it has changed.
  func countingRows<Value>(
    of writes: Int, _ work: inout StoreReport.Work, _ body: (Database) throws -> Value
  ) rethrows -> Value {
    let before = totalChangesCount
    defer { work = .wrote(writes: writes, rows: totalChangesCount - before) }
    return try body(self)
  }
}
