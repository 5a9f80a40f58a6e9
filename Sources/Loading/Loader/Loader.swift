/// Describes how to load a value.
///
/// Creating a loader does not start it. A ``Resource`` runs it and keeps what it loads. Without a
/// resource, ``value(cause:clock:scheduler:)`` and ``events(cause:clock:scheduler:)`` run it. A
/// loader is a value: it can be stored, passed along and composed.
///
/// ```swift
/// let article = Loader { context in
///   context.report(message: "Fetching", fraction: 0.2)
///   return try await api.article(id)
/// }
/// let patient = article.timeout(.seconds(5)).retrying(limit: 3)
/// ```
public struct Loader<Value: Sendable>: Sendable {
  /// Runs a load and returns its last value; nil if every value was yielded, as by a subscription.
  typealias Body = @Sendable (LoadContext, LoadContext.Output<Value>) async throws -> Value?

  let traits: LoaderTraits
  let body: Body

  /// Creates a loader of one value, which can report its progress.
  ///
  /// The closure runs off the main actor. Cancelling the load cancels the closure's task; whatever
  /// the closure reports, returns or throws after that is ignored.
  public init(_ load: @escaping @Sendable (_ context: LoadContext) async throws -> Value) {
    self.init(LoaderTraits()) { context, _ in try await load(context) }
  }

  /// Creates a loader of one value, which needs no context.
  ///
  /// ```swift
  /// let articles = Loader { try await api.articles() }
  /// ```
  public init(_ load: @escaping @Sendable () async throws -> Value) {
    self.init(LoaderTraits()) { _, _ in try await load() }
  }

  /// Creates a loader that can also yield values before it ends, such as a stored copy.
  ///
  /// ```swift
  /// let articles = Loader { context, output in
  ///   output.yield(await store.articles)
  ///   return try await api.articles()
  /// }
  /// ```
  public init(
    _ load:
      @escaping @Sendable (_ context: LoadContext, _ output: LoadContext.Output<Value>) async throws
      -> Value
  ) {
    self.init(LoaderTraits()) { context, output in try await load(context, output) }
  }

  /// Creates a subscription: a loader whose one load brings many values, until the sequence ends or
  /// another load replaces it.
  ///
  /// Until the first value the resource is loading. After that it is live, which does not count as
  /// loading: the content is up to date until the sequence brings another value. A sequence that
  /// ends without a value ends the load and changes nothing else.
  public init<Values: AsyncSequence>(
    sequence: @escaping @Sendable () async throws -> Values
  )
  where
    Values.Element == Value, Values: SendableMetatype, Values.AsyncIterator: SendableMetatype
  {
    self.init(LoaderTraits()) { context, output in
      for try await value in try await sequence() {
        try Task.checkCancellation()
        if context.endsWhenLive { return value }
        output.yield(value)
        context.send(.phase(.live))
      }
      return nil
    }
  }

  /// Creates an operator: a loader made of other loaders.
  ///
  /// The closure runs the parts by ``run(_:_:)``, in its own task or in child tasks. It returns nil
  /// if it has yielded every value, as a part that is a subscription does. The operator has the
  /// properties of its parts that a ``Resource`` needs to know: whether a new load replaces a
  /// running one, the tags, which cached values a mutation invalidates, and, from a part with
  /// values of the same type, how to find duplicates.
  ///
  /// ```swift
  /// extension Loader {
  ///   /// The loader, tried once more after `renew` when the server no longer knows the user.
  ///   func renewing(_ renew: @escaping @Sendable () async throws -> Void) -> Loader {
  ///     Loader(of: self) { context, output in
  ///       do {
  ///         return try await run(context, output)
  ///       } catch is SignedOut {
  ///         try await renew()
  ///         return try await run(context, output)
  ///       }
  ///     }
  ///   }
  /// }
  /// ```
  public init<each Part: Sendable>(
    of part: repeat Loader<each Part>,
    run:
      @escaping @Sendable (_ context: LoadContext, _ output: LoadContext.Output<Value>) async throws
      -> Value?
  ) {
    var traits = LoaderTraits()
    for part in repeat each part {
      traits.add(part.traits)
      if part is Loader<Value> { traits.isSame = part.traits.isSame }
    }
    self.init(traits, run)
  }

  init(_ traits: LoaderTraits, _ body: @escaping Body) {
    self.traits = traits
    self.body = body
  }

  /// Returns a loader that loads `value` immediately.
  public static func constant(_ value: Value) -> Loader {
    Loader { _ in value }
  }

  /// Returns a loader that fails immediately.
  public static func failure(_ error: any Error) -> Loader {
    Loader { _ in throw error }
  }

  /// Runs this loader as a part of another one, see ``init(of:run:)``.
  ///
  /// - Returns: The last value; nil if every value was yielded to `output`.
  public func run(_ context: LoadContext, _ output: LoadContext.Output<Value>) async throws
    -> Value?
  {
    try await body(context, output)
  }
}

/// Removes a cached value that a commit makes out of date.
struct Invalidation: Sendable {
  /// The cache and the key.
  let id: [MutationKey]
  let forget: @Sendable () -> Void
  /// Called with 1 when a commit begins and with -1 when it ends.
  ///
  /// Values that are loaded meanwhile are not written to the store.
  let countCommits: @Sendable (_ change: Int) -> Void
  let write: @Sendable () async -> Void
}

/// What a resource has to know about a loader, composed or not.
struct LoaderTraits: Sendable {
  /// Whether a new load must replace a running one, as for `debounced`.
  var demandsRestart = false
  /// Whether two values are duplicates; nil if every value counts as new.
  var isSame: (@Sendable (HeldValue, HeldValue) -> Bool)?
  var tags: Set<MutationKey> = []
  /// The cached values that become invalid when a commit begins, and again when it ends.
  var invalidations: [Invalidation] = []

  func invalidate() {
    for invalidation in invalidations { invalidation.forget() }
  }

  /// Invalidates the values, and writes that down in a task of `scheduler`.
  func invalidate(by scheduler: LoadScheduler) {
    invalidate()
    guard !invalidations.isEmpty else { return }
    _ = scheduler.task { await writeInvalidations() }
  }

  /// Invalidates what was loaded before or during a commit.
  ///
  /// - Parameter change: 1 if a commit begins, -1 if it ends.
  func invalidate(commits change: Int) {
    for invalidation in invalidations {
      invalidation.countCommits(change)
      invalidation.forget()
    }
  }

  /// Writes the invalidations to the store, so that the next process does not use those values.
  func writeInvalidations() async {
    for invalidation in invalidations { await invalidation.write() }
  }

  /// Returns the same traits with another invalidation.
  func invalidating(by invalidation: Invalidation) -> LoaderTraits {
    var traits = self
    traits.invalidations.append(invalidation)
    return traits
  }

  /// Adds the traits of another part of a composed loader.
  mutating func add(_ other: LoaderTraits) {
    demandsRestart = demandsRestart || other.demandsRestart
    tags.formUnion(other.tags)
    invalidations += other.invalidations
  }
}
