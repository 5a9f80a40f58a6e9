extension Loader {
  /// Returns a loader that runs another one after this one, with its value.
  ///
  /// That value is the last one that this loader yields or returns, or the first one if it is a
  /// subscription. Each of the two loaders is half of the progress. Attempts, failures and
  /// cancellation are those of the loader that runs.
  ///
  /// ```swift
  /// let author = article.flatMap { article in api.user(article.author) }
  /// ```
  ///
  /// The second loader does not exist before the first has ended, so a ``Resource`` cannot know
  /// that it is debounced or cached: apply `debounced` and `cached` to the result of `flatMap`.
  public func flatMap<Other: Sendable>(
    _ next: @escaping @Sendable (Value) async throws -> Loader<Other>
  ) -> Loader<Other> {
    Loader<Other>(of: self) { context, output in
      let date = Lock<AnyClock.Instant?>(nil)
      let part = context.part(0, of: 2)
      let value = try await first(
        part.derived { signal in
          guard case .foundInCache(let moment) = signal else { return part.send(signal) }
          date.withLock { $0 = moment }
        })
      let last = try await next(value).run(context.part(1, of: 2), output)
      // Not before: what the second loader yields is not from the cache.
      if last != nil, let date = date.withLock({ $0 }) { context.send(.foundInCache(of: date)) }
      return last
    }
  }

  /// Returns a loader that runs another one if this one fails, such as one that reads a stored
  /// copy.
  ///
  /// Values that the failed loader has yielded stay until the other one has a value. A cancelled
  /// load does not run the other one. Progress, attempts and cancellation of both are passed on.
  ///
  /// ```swift
  /// let articles = api.search(text).recover { error in
  ///   guard error is Offline else { throw error }
  ///   return Loader { _ in await store.articles }
  /// }
  /// ```
  ///
  /// - Parameter next: returns what to load instead, given the error; throws if there is nothing.
  public func recover(
    _ next: @escaping @Sendable (any Error) async throws -> Loader
  ) -> Loader {
    Loader(of: self) { context, output in
      let door = Door()
      /// Whether this one was a subscription that went live, which gave back its permits.
      let wasLive = Lock(false)
      do {
        defer { door.close() }
        let part = door.guarding(
          context,
          noting: { signal in
            if case .phase(.live) = signal { wasLive.withLock { $0 = true } }
          })
        return try await run(part, door.guarding(output))
      } catch {
        try Task.checkCancellation()
        let other = try await next(error)
        if wasLive.withLock({ $0 }) { try await context.rest()() }
        context.send(.phase(.running))
        return try await other.run(context, output)
      }
    }
  }

  /// Loads one value: the last one, or the first one of a subscription.
  ///
  /// The age of a value that a cache has is told only if that value is the one.
  func first(_ context: LoadContext) async throws -> Value {
    typealias Found = (value: Value, date: AnyClock.Instant?)
    let yielded = Lock<Found?>(nil)
    let date = Lock<AnyClock.Instant?>(nil)
    let dated: @Sendable (Value) -> Found = { value in
      date.withLock { date in
        defer { date = nil }
        return (value, date)
      }
    }
    let part = context.endingWhenLive.derived { signal in
      guard case .foundInCache(let moment) = signal else { return context.send(signal) }
      date.withLock { $0 = min(moment, $0 ?? moment) }
    }
    let output = LoadContext.Output<Value> { value in
      let found = dated(value)
      yielded.withLock { $0 = found }
    }
    let last = try await run(part, output).map(dated)
    guard let found = last ?? yielded.withLock({ $0 }) else { throw LoadingError.noValue }
    if let date = found.date { context.send(.foundInCache(of: date)) }
    return found.value
  }
}

extension LoadContext {
  /// Returns a context whose progress is one of `count` equal parts of this context's progress.
  func part(_ number: Int, of count: Int) -> LoadContext {
    derived { signal in
      guard case .progress(let progress) = signal else { return send(signal) }
      let before = number == 0 ? nil : Double(number) / Double(count)
      send(
        .progress(
          LoadingProgress(
            message: progress.message,
            fraction: progress.fraction.map { (Double(number) + $0) / Double(count) } ?? before)))
    }
  }
}
