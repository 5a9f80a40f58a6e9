/// Running a loader without a resource, in a command-line tool, a server or a reducer of another
/// architecture.
extension Loader {
  /// Loads the value and returns it.
  ///
  /// The load belongs to the task that waits for it: cancelling that task cancels the load. Of a
  /// subscription it is the first value. A cached value that is fresh is returned without a load,
  /// as for a view that appears; pass ``LoadActivity/Cause/user`` to load in any case.
  ///
  /// ```swift
  /// let articles = try await loader.timeout(.seconds(10)).retrying(limit: 3).value()
  /// ```
  ///
  /// - Parameters:
  ///   - cause: why it is loaded.
  ///   - clock: the clock for every time and wait.
  ///   - scheduler: where the tasks run that operators start.
  /// - Throws: The error of the load, and ``LoadingError/noValue`` when it ended without a value.
  public func value(
    cause: LoadActivity.Cause = .appeared, clock: AnyClock = .continuous,
    scheduler: LoadScheduler = .concurrent
  ) async throws -> Value {
    try await first(
      LoadContext(clock: clock, cause: cause, scheduler: scheduler, send: { _ in }))
  }

  /// What happens while the value is loaded, as a sequence: progress, values and attempts.
  ///
  /// Every iteration is a load of its own, which starts with it. It ends with the load, after the
  /// last value, or throws the error of the load. Ending the iteration, or cancelling its task,
  /// cancels the load. A slow reader gets the newest 256 events.
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
  /// What happens while a loader is run by ``Loader/events(cause:clock:scheduler:)``.
  public enum Event: Sendable {
    /// The load reported how far it has come.
    case progress(LoadingProgress)
    /// A value came; it is the last one if the sequence ends after it.
    case value(Value)
    /// An attempt began, the first one included; `limit` is how many there are in all.
    case attempt(Int, limit: Int?)
    /// An attempt failed, and another begins at `nextAt`.
    case attemptFailed(any Error, nextAt: AnyClock.Instant)

    /// Nil for what only a resource shows.
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

/// The loads of a loader, one for each iteration.
private struct LoadEvents<Value: Sendable>: AsyncSequence, Sendable {
  typealias Failure = any Error

  let loader: Loader<Value>
  let cause: LoadActivity.Cause
  let clock: AnyClock
  let scheduler: LoadScheduler

  func makeAsyncIterator() -> AsyncThrowingStream<Loader<Value>.Event, any Error>.Iterator {
    let (stream, continuation) = AsyncThrowingStream.makeStream(
      of: Loader<Value>.Event.self, bufferingPolicy: .bufferingNewest(256))
    let context = LoadContext(clock: clock, cause: cause, scheduler: scheduler) { signal in
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
