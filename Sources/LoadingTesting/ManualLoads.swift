import Loading
import Synchronization

/// A loader whose every load is answered by hand, in any order.
///
/// ```swift
/// let loads = ManualLoads<String>()
/// let resource = runtime.resource(loads.loader)
/// resource.load()
/// runtime.run()
/// loads[0].succeed("Hello")
/// runtime.run()
/// ```
public final class ManualLoads<Value: Sendable>: Sendable {
  /// One load that has started, or one attempt of it.
  public final class Load: Sendable {
    /// What the load was given.
    public let context: LoadContext<Value>

    private enum Answer {
      case none
      case awaited(CheckedContinuation<Value, any Error>)
      case given(Result<Value, any Error>)
    }

    private struct Status {
      var answer = Answer.none
      var isCancelled = false
    }

    private let status = Mutex(Status())

    init(context: LoadContext<Value>) {
      self.context = context
    }

    /// Whether the task of the load was cancelled. The load goes on until it is answered, like one
    /// that does not look.
    public var isCancelled: Bool { status.withLock { $0.isCancelled } }

    /// Ends the load with a value; a second answer is ignored.
    public func succeed(_ value: Value) { answer(.success(value)) }

    /// Ends the load with an error; a second answer is ignored.
    public func fail(_ error: any Error) { answer(.failure(error)) }

    private func answer(_ result: Result<Value, any Error>) {
      let continuation: CheckedContinuation<Value, any Error>? = status.withLock { status in
        defer { if case .given = status.answer {} else { status.answer = .given(result) } }
        if case .awaited(let continuation) = status.answer { return continuation }
        return nil
      }
      continuation?.resume(with: result)
    }

    func wait() async throws -> Value {
      try await withTaskCancellationHandler {
        try await withCheckedThrowingContinuation { continuation in
          let given: Result<Value, any Error>? = status.withLock { status in
            if case .given(let result) = status.answer { return result }
            status.answer = .awaited(continuation)
            return nil
          }
          if let given { continuation.resume(with: given) }
        }
      } onCancel: {
        status.withLock { status in status.isCancelled = true }
      }
    }
  }

  private let loads = Mutex<[Load]>([])

  /// No loads yet.
  public init() {}

  /// The loader to give to a resource.
  public var loader: Loader<Value> {
    Loader { context in
      let load = Load(context: context)
      self.loads.withLock { loads in loads.append(load) }
      return try await load.wait()
    }
  }

  /// How many loads have started.
  public var count: Int { loads.withLock { $0.count } }

  /// The load that started as number `index`, from 0.
  public subscript(index: Int) -> Load { loads.withLock { $0[index] } }

  /// The load that started last; nil when none did.
  public var latest: Load? { loads.withLock { $0.last } }

  /// Fails every load that was never answered, so that no task waits for ever.
  public func end() {
    for load in loads.withLock({ $0 }) { load.fail(CancellationError()) }
  }
}
