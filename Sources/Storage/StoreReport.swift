import GRDB
import Synchronization

/// What was done with a store's file, for a log.
public struct StoreReport: Sendable {
  /// What was done.
  public enum Work: Sendable, Equatable {
    /// The file was opened, and brought to the newest schema.
    case opened
    /// It was read, in one snapshot.
    case read
    /// One transaction, of so many writes that had waited for each other; they changed so many rows.
    case wrote(writes: Int, rows: Int)
  }

  /// Where the file is.
  public let path: String
  /// What was done.
  public let work: Work
  /// How long it took; waiting for other work of this process is not in it, for another process's is.
  public let elapsed: Duration
  /// Why nothing came of it; nil where all went well.
  public let error: (any Error)?

  /// A report made by hand, for tests of those who read one.
  public init(path: String, work: Work, elapsed: Duration, error: (any Error)? = nil) {
    (self.path, self.work, self.elapsed, self.error) = (path, work, elapsed, error)
  }

  // One for the process, as it has one log: stores are opened in many places.
  private static let observer = Mutex<(@Sendable (StoreReport) -> Void)?>(nil)

  /// Has `observer` told of everything that is done with every file, by the thread that does it, so it
  /// has to return quickly; nil ends that.
  public static func observe(_ observer: (@Sendable (StoreReport) -> Void)?) {
    Self.observer.withLock { $0 = observer }
  }

  /// Does some work, and reports it.
  ///
  /// - Parameter body: may say more exactly what was done.
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
  /// Does some writes, and says how many rows they have changed.
  func countingRows<Value>(
    of writes: Int, _ work: inout StoreReport.Work, _ body: (Database) throws -> Value
  ) rethrows -> Value {
    let before = totalChangesCount
    defer { work = .wrote(writes: writes, rows: totalChangesCount - before) }
    return try body(self)
  }
}
