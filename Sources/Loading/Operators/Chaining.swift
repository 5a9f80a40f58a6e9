extension Loader {
  /// The loader, followed by another one that depends on its value.
  ///
  /// Only the last value is followed, of a subscription the first. Each of the two counts as half of
  /// the progress. Attempts are seen as they are made. Cancelling it cancels the one that runs. When
  /// one fails, it fails.
  ///
  /// ```swift
  /// let author = article.flatMap { article in api.user(article.author) }
  /// ```
  ///
  /// What a ``Resource`` has to know of a loader, it knows of this one alone, because the other does
  /// not exist before: write `debounced` and `cached` outside.
  public func flatMap<Other: Sendable>(
    _ next: @escaping @Sendable (Value) async throws -> Loader<Other>
  ) -> Loader<Other> {
    Loader<Other>(of: self) { context, output in
      let value = try await first(context.part(0, of: 2))
      return try await next(value).run(context.part(1, of: 2), output)
    }
  }

  /// The loader, followed by another one when it fails: from a server that does not answer to what
  /// is kept.
  ///
  /// What it has yielded stays until the other one brings a value. A cancelled load is not followed.
  /// Progress, attempts and cancellation of both are passed on.
  ///
  /// ```swift
  /// let articles = api.search(text).recover { error in
  ///   guard error is Offline else { throw error }
  ///   return Loader { _ in await store.articles }
  /// }
  /// ```
  ///
  /// - Parameter next: given the error, how to load instead; it throws when there is no other way.
  public func recover(
    _ next: @escaping @Sendable (any Error) async throws -> Loader
  ) -> Loader {
    Loader(of: self) { context, output in
      let door = Door()
      do {
        defer { door.close() }
        return try await run(
          context.derived { signal in door.pass { context.send(signal) } }, door.guarding(output))
      } catch {
        try Task.checkCancellation()
        return try await next(error).run(context, output)
      }
    }
  }

  /// Loads one value: the last one, or the first of a subscription.
  func first(_ context: LoadContext) async throws -> Value {
    let yielded = Lock<Value?>(nil)
    let output = LoadContext.Output<Value> { value in yielded.withLock { $0 = value } }
    let last = try await run(context.endingWhenLive, output)
    guard let value = last ?? yielded.withLock({ $0 }) else { throw LoadingError.noValue }
    return value
  }
}

extension LoadContext {
  /// The same load, whose progress is one of several equal parts of the whole.
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
