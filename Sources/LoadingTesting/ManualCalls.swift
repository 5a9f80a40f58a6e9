import Loading

/// An asynchronous function whose every call is answered by hand, in any order: an API, a commit,
/// or, as ``ManualLoads``, a loader.
///
/// ```swift
/// let saves = ManualCalls<Sock, Void>()
/// resource.mutate(apply: { $0.isClean = true }, commit: { try await saves.call($0) })
/// runtime.run()
/// saves[0].fail(Offline())
/// ```
public final class ManualCalls<Input: Sendable, Output: Sendable>: Sendable {
  /// One call that has been made.
  public final class Call: Sendable {
    /// What the call was given.
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
    /// The call goes on until it is answered, as a function does that never checks for cancellation.
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

  /// No calls yet.
  public init() {}

  /// Makes a call and waits for its answer.
  public func call(_ input: Input) async throws -> Output {
    let call = Call(input: input)
    calls.withLock { calls in calls.append(call) }
    return try await call.wait()
  }

  /// How many calls have been made.
  public var count: Int { calls.withLock { $0.count } }

  /// What the calls were given, in their order.
  public var inputs: [Input] { calls.withLock { $0.map(\.input) } }

  /// The call that was made as number `index`, from 0.
  ///
  /// The test ends with an error when there is no such call: a load did not begin, or the runtime has still
  /// to run.
  public subscript(index: Int) -> Call {
    calls.withLock { calls in
      precondition(
        calls.indices.contains(index), "There is no call \(index): \(calls.count) were made")
      return calls[index]
    }
  }

  /// The call that was made last; nil when none was.
  public var latest: Call? { calls.withLock { $0.last } }

  /// Fails every call that has no answer, so that no task waits for ever.
  public func end() {
    for call in calls.withLock({ $0 }) { call.fail(CancellationError()) }
  }
}

extension ManualCalls.Call where Output == Void {
  /// Ends the call well.
  public func succeed() { succeed(()) }
}

/// A loader whose every load, or attempt of one, is answered by hand, in any order.
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

/// What a load of ``ManualLoads`` is given.
public struct ManualLoadInput<Value: Sendable>: Sendable {
  let context: LoadContext
  let output: LoadContext.Output<Value>
}

extension ManualCalls where Input == ManualLoadInput<Output> {
  /// The loader to give to a resource.
  public var loader: Loader<Output> {
    Loader { context, output in
      try await self.call(ManualLoadInput(context: context, output: output))
    }
  }
}

extension ManualCalls.Call where Input == ManualLoadInput<Output> {
  /// The context of the load, through which it reports its progress.
  public var context: LoadContext { input.context }
  /// Where the load yields values before it has ended.
  public var output: LoadContext.Output<Output> { input.output }
}
