/// Running a loader without a resource, for example in a command-line tool or a server.
extension Loader {
  /// Loads the value and returns it.
  ///
  /// Cancelling the waiting task cancels the load, whose value is ignored then. A subscription ends
  /// after its first value, which is returned. A fresh value of a cache is returned without a load;
  /// pass ``LoadActivity/Cause/user`` to load in any case.
  ///
  /// ```swift
  /// let articles = try await loader.timeout(.seconds(10)).retrying(limit: 3).value()
  /// ```
  ///
  /// - Parameters:
  ///   - cause: why it is loaded.
  ///   - clock: the clock for every time and wait.
  ///   - scheduler: where the tasks run that operators start.
  /// - Throws: The error of the load, or ``LoadingError/noValue`` if it ended without a value.
  public func value(
    cause: LoadActivity.Cause = .appeared, clock: AnyClock = .continuous,
    scheduler: LoadScheduler = .concurrent
  ) async throws -> Value {
    let origin = LoadContext.Origin(clock: clock, cause: cause, scheduler: scheduler)
    let value = try await first(LoadContext(origin, send: { _ in }))
    try Task.checkCancellation()
    return value
  }

  /// Returns a sequence of the events of a load: progress, values and attempts.
  ///
  /// Each iteration starts a load of its own. The sequence ends after the last value, or throws the
  /// error of the load. Leaving the loop, or cancelling its task, cancels the load. At most 256
  /// events are buffered; if the reader is slower, the oldest are dropped.
  ///
  /// ```swift
  /// for try await event in loader.retrying(limit: 3).events() {
  ///   switch event {
  ///   case .progress(let progress): print("\(progress.percent ?? 0) %")
  ///   case .value(let articles): print("\(articles.count) articles")
  ///   case .attempt(let number, _): print("Attempt \(number)")
  ///   case .attemptFailed(let error, _): print("Failed: \(error)")
  ///   }
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - cause: why it is loaded.
  ///   - clock: the clock for every time and wait.
  ///   - scheduler: where the load runs.
  public func events(
    cause: LoadActivity.Cause = .appeared, clock: AnyClock = .continuous,
    scheduler: LoadScheduler = .concurrent
  ) -> some AsyncSequence<Loader<Value>.Event, any Error> & Sendable {
    LoadEvents(loader: self, cause: cause, clock: clock, scheduler: scheduler)
  }
}

extension Loader {
  /// An event of a load, see ``Loader/events(cause:clock:scheduler:)``.
  public enum Event: Sendable {
    /// The load reported how far it has come.
    case progress(LoadingProgress)
    /// A value was loaded; it is the last one if the sequence ends after it.
    case value(Value)
    /// An attempt of ``Loader/retrying(limit:backoff:if:)`` began, the first one included; `limit` is
    /// the number of attempts at most.
    case attempt(Int, limit: Int?)
    /// An attempt failed, and another begins at `nextAt`.
    case attemptFailed(any Error, nextAt: AnyClock.Instant)

    /// Returns nil for a signal that only a resource shows.
    init?(_ signal: LoadSignal) {
      switch signal {
      case .progress(let progress): self = .progress(progress)
      case .attempt(let number, let limit): self = .attempt(number, limit: limit)
      case .attemptFailed(let error, let nextAt): self = .attemptFailed(error, nextAt: nextAt)
      case .phase, .foundInCache: return nil
      }
    }
  }
}

/// The events of a loader's loads; each iteration is a load.
private struct LoadEvents<Value: Sendable>: AsyncSequence, Sendable {
  typealias Failure = any Error

  let loader: Loader<Value>
  let cause: LoadActivity.Cause
  let clock: AnyClock
  let scheduler: LoadScheduler

  func makeAsyncIterator() -> AsyncThrowingStream<Loader<Value>.Event, any Error>.Iterator {
    let (stream, continuation) = AsyncThrowingStream.makeStream(
      of: Loader<Value>.Event.self, bufferingPolicy: .bufferingNewest(256))
    let origin = LoadContext.Origin(clock: clock, cause: cause, scheduler: scheduler)
    let context = LoadContext(origin) { signal in
      if let event = Loader<Value>.Event(signal) { continuation.yield(event) }
    }
    let work = scheduler.task { [loader] in
      do {
        let output = LoadContext.Output<Value> { continuation.yield(.value($0)) }
        if let last = try await loader.run(context, output) { continuation.yield(.value(last)) }
        continuation.finish()
      } catch {
        continuation.finish(throwing: error)
      }
    }
    continuation.onTermination = { _ in work.cancel() }
    return stream.makeAsyncIterator()
  }
}
