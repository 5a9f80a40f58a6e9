extension Library {
  /// The threads that parse feeds and articles.
  ///
  /// A hostile text can take long to parse. Nothing else runs on these threads, so that lists,
  /// marks and quitting never wait for it. Articles have their own threads, so that one can be
  /// opened while feeds are parsed.
  public struct Threads: Sendable {
    let feeds: (any TaskExecutor)?
    let articles: (any TaskExecutor)?

    /// - Parameters:
    ///   - feeds: parses and stores feeds; nil for the executor of the caller's task.
    ///   - articles: renders articles; nil for the executor of the caller's task.
    public init(feeds: (any TaskExecutor)? = nil, articles: (any TaskExecutor)? = nil) {
      self.feeds = feeds
      self.articles = articles
    }
  }

  /// Runs `render` on the threads for articles.
  func rendered<Value: Sendable>(_ render: @escaping @Sendable () -> Value) async -> Value {
    await threads.articles.run(render)
  }

  /// Runs work on the threads for feeds: a page is as untrusted as a feed.
  func apart<Value: Sendable>(_ work: @escaping @Sendable () -> Value) async -> Value {
    await threads.feeds.run(work)
  }
}

extension Optional where Wrapped == any TaskExecutor {
  /// Runs work on the executor, or on that of the caller's task; never on the caller's actor.
  func run<Value: Sendable, Failure: Error>(
    _ work: @escaping @Sendable () async throws(Failure) -> Value
  ) async throws(Failure) -> Value {
    try await withTaskExecutorPreference(self) { () async throws(Failure) -> Value in
      try await concurrently(work)
    }
  }
}

@concurrent
private func concurrently<Value: Sendable, Failure: Error>(
  _ work: @Sendable () async throws(Failure) -> Value
) async throws(Failure) -> Value {
  try await work()
}
