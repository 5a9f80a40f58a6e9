/// Describes how to load a value.
///
/// Making a loader starts nothing; a ``Resource`` runs it. A loader is a value, so it can be stored,
/// passed along and composed.
///
/// ```swift
/// let article = Loader { context in
///   context.report(message: "Fetching", fraction: 0.2)
///   return try await api.article(id)
/// }
/// let patient = article.timeout(.seconds(5)).retrying(limit: 3)
/// ```
public struct Loader<Value: Sendable>: Sendable {
  /// Runs one load.
  ///
  /// Returns nil when every value was yielded, as a sequence does.
  let run: @Sendable (LoadContext<Value>) async throws -> Value?
  let traits: LoaderTraits

  /// A loader of one value, with the progress that it reports on the way.
  ///
  /// The closure runs off the main actor. When the load is cancelled its task is cancelled, and
  /// whatever it still reports, returns or throws changes nothing.
  public init(_ load: @escaping @Sendable (_ reporter: LoadReporter) async throws -> Value) {
    self.init(LoaderTraits()) { try await load($0.reporter) }
  }

  /// A loader that also yields values before it is done, such as the part that is there already.
  ///
  /// Swift cannot tell what a closure of several statements yields: name the type.
  ///
  /// ```swift
  /// let articles = Loader<[Article]> { context in
  ///   context.yield(await store.articles)
  ///   return try await api.articles()
  /// }
  /// ```
  @_disfavoredOverload
  public init(_ load: @escaping @Sendable (_ context: LoadContext<Value>) async throws -> Value) {
    self.init(LoaderTraits()) { try await load($0) }
  }

  /// A loader of many values in one load: a subscription, which starts with the load and ends when
  /// a newer load replaces it.
  ///
  /// Until its first value it is loading; after that it is live, which is not loading: the content
  /// is up to date until the sequence says otherwise. A sequence that ends without a value ends
  /// the load and changes nothing else.
  public init<Values: AsyncSequence>(
    sequence: @escaping @Sendable () async throws -> Values
  )
  where
    Values.Element == Value, Values: SendableMetatype, Values.AsyncIterator: SendableMetatype
  {
    self.init(LoaderTraits()) { context in
      for try await value in try await sequence() {
        try Task.checkCancellation()
        context.send(.value(value))
        context.send(.phase(.live))
      }
      return nil
    }
  }

  init(
    _ traits: LoaderTraits, run: @escaping @Sendable (LoadContext<Value>) async throws -> Value?
  ) {
    self.traits = traits
    self.run = run
  }

  /// A loader that has `value` at once.
  public static func constant(_ value: Value) -> Loader {
    Loader { _ in value }
  }

  /// A loader that fails at once.
  public static func failure(_ error: any Error) -> Loader {
    Loader { _ in throw error }
  }
}

/// What a resource has to know about a loader, composed or not.
struct LoaderTraits: Sendable {
  /// Whether a newer load must replace a running one (see `debounced`).
  var demandsRestart = false
  /// Called when a commit begins and when it ends, to invalidate what was loaded before.
  private(set) var invalidations: [@Sendable () -> Void] = []

  func invalidate() {
    for invalidation in invalidations { invalidation() }
  }

  /// The same traits, with something else to invalidate.
  func invalidating(_ invalidation: @escaping @Sendable () -> Void) -> LoaderTraits {
    var traits = self
    traits.invalidations.append(invalidation)
    return traits
  }

  /// Adds the traits of another part of a composed loader.
  mutating func add(_ other: LoaderTraits) {
    demandsRestart = demandsRestart || other.demandsRestart
    invalidations += other.invalidations
  }
}
