import Loading

/// An asynchronous function whose calls are answered by the test, in any order: an API, a commit
/// or, as ``ManualLoads``, a loader.
///
/// ```swift
/// let saves = ManualCalls<Sock, Void>()
/// resource.mutate(apply: { $0.isClean = true }, commit: { try await saves.call($0) })
/// runtime.run()
/// saves[0].fail(Offline())
/// ```
public final class ManualCalls<Input: Sendable, Output: Sendable>: Sendable {
  /// One call of the function.
  public final class Call: Sendable {
    /// The argument of the call.
    public let input: Input

    private enum Answer {
      case none
      case awaited(CheckedContinuation<Output, any Error>)
      case given(Result<Output, any Error>)
    }

    private struct Status {
      var answer = Answer.none
      var isCancelled = false
    }

    private let status = Lock(Status())

    init(input: Input) {
      self.input = input
    }

    /// Whether the task of the call was cancelled.
    ///
    /// The call does not end before it is answered, like a function that ignores cancellation.
    public var isCancelled: Bool { status.withLock { $0.isCancelled } }

    /// Ends the call with a result; a second answer is ignored.
    public func succeed(_ output: Output) { answer(.success(output)) }

    /// Ends the call with an error; a second answer is ignored.
    public func fail(_ error: any Error) { answer(.failure(error)) }

    private func answer(_ result: Result<Output, any Error>) {
      let continuation: CheckedContinuation<Output, any Error>? = status.withLock { status in
        switch status.answer {
        case .none:
          status.answer = .given(result)
          return nil
        case .awaited(let continuation):
          status.answer = .given(result)
          return continuation
        case .given:
          return nil
        }
      }
      continuation?.resume(with: result)
    }

    func wait() async throws -> Output {
      try await withTaskCancellationHandler {
        try await withCheckedThrowingContinuation { continuation in
          let given: Result<Output, any Error>? = status.withLock { status in
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

  private let calls = Lock<[Call]>([])

  /// Creates a function that was not called yet.
  public init() {}

  /// Records a call and waits for its answer.
  public func call(_ input: Input) async throws -> Output {
    let call = Call(input: input)
    calls.withLock { calls in calls.append(call) }
    return try await call.wait()
  }

  /// The number of calls.
  public var count: Int { calls.withLock { $0.count } }

  /// The arguments of the calls, in the order of the calls.
  public var inputs: [Input] { calls.withLock { $0.map(\.input) } }

  /// The call at `index`, in the order of the calls.
  ///
  /// Traps if there is no such call, because a load did not start or the runtime was not run.
  public subscript(index: Int) -> Call {
    calls.withLock { calls in
      precondition(
        calls.indices.contains(index), "There is no call \(index), only \(calls.count) in all.")
      return calls[index]
    }
  }

  /// The last call; nil if there is none.
  public var latest: Call? { calls.withLock { $0.last } }

  /// Fails every unanswered call with a `CancellationError`, so that no task waits forever.
  public func end() {
    for call in calls.withLock({ $0 }) { call.fail(CancellationError()) }
  }
}

extension ManualCalls.Call where Output == Void {
  /// Ends the call without an error.
  public func succeed() { succeed(()) }
}

/// A loader whose loads and attempts are answered by the test, in any order.
///
/// ```swift
/// let loads = ManualLoads<String>()
/// let resource = runtime.resource(loads.loader)
/// resource.load()
/// runtime.run()
/// loads[0].succeed("Hello")
/// runtime.run()
/// ```
public typealias ManualLoads<Value: Sendable> = ManualCalls<ManualLoadInput<Value>, Value>

/// The input of a load of ``ManualLoads``: its context and its output.
public struct ManualLoadInput<Value: Sendable>: Sendable {
  let context: LoadContext
  let output: LoadContext.Output<Value>
}

extension ManualCalls where Input == ManualLoadInput<Output> {
  /// The loader, for a resource.
  public var loader: Loader<Output> {
    Loader { context, output in
      try await self.call(ManualLoadInput(context: context, output: output))
    }
  }
}

extension ManualCalls.Call where Input == ManualLoadInput<Output> {
  /// The context of the load, by which the test reports progress.
  public var context: LoadContext { input.context }
  /// The output of the load, by which the test yields values before the load ends.
  public var output: LoadContext.Output<Output> { input.output }
}
