/// Describes how to load a value.
///
/// Making a loader starts nothing. A ``Resource`` runs it and keeps what it loads; without a
/// resource, ``value(cause:clock:scheduler:)`` and ``events(cause:clock:scheduler:)`` run it. A
/// loader is a value, so it can be stored, passed along and composed.
///
/// ```swift
/// let article = Loader { context in
///   context.report(message: "Fetching", fraction: 0.2)
///   return try await api.article(id)
/// }
/// let patient = article.timeout(.seconds(5)).retrying(limit: 3)
/// ```
public struct Loader<Value: Sendable>: Sendable {
  /// Runs a load; returns nil when every value was yielded, as a subscription does.
  typealias Body = @Sendable (LoadContext, LoadContext.Output<Value>) async throws -> Value?

  let traits: LoaderTraits
  let body: Body

  /// A loader of one value, with the progress that it reports on the way.
  ///
  /// The closure runs off the main actor. When the load is cancelled its task is cancelled, and
  /// whatever it still reports, returns or throws changes nothing.
  public init(_ load: @escaping @Sendable (_ context: LoadContext) async throws -> Value) {
    self.init(LoaderTraits()) { context, _ in try await load(context) }
  }

  /// A loader by a function that needs neither progress nor the cause of the load.
  ///
  /// ```swift
  /// let articles = Loader { try await api.articles() }
  /// ```
  public init(_ load: @escaping @Sendable () async throws -> Value) {
    self.init(LoaderTraits()) { _, _ in try await load() }
  }

  /// A loader that also yields values before it is done, such as the part that is there already.
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

  /// A loader made of other loaders: an operator.
  ///
  /// The closure runs the parts by ``run(_:_:)``, in the task that it is called in or in child tasks
  /// of that. It returns nil when every value was yielded, as a part does that is a subscription.
  /// What a ``Resource`` has to know of the parts is taken over from them: whether a newer load
  /// replaces a running one, which cached values a mutation invalidates, and, of a part with values of
  /// the same type, which of them are the same.
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

  /// A loader that has `value` at once.
  public static func constant(_ value: Value) -> Loader {
    Loader { _ in value }
  }

  /// A loader that fails at once.
  public static func failure(_ error: any Error) -> Loader {
    Loader { _ in throw error }
  }

  /// Runs the loader as a part of another one, see ``init(of:run:)``.
  ///
  /// - Returns: The last value; nil when every value was yielded to `output`.
  public func run(_ context: LoadContext, _ output: LoadContext.Output<Value>) async throws
    -> Value?
  {
    try await body(context, output)
  }
}

/// How a cached value is forgotten that a commit overtakes.
struct Invalidation: Sendable {
  let forget: @Sendable () -> Void
  /// While commits run, what is loaded is not written down: by 1 when one begins, by -1 when it ends.
  let countCommits: @Sendable (_ change: Int) -> Void
  let write: @Sendable () async -> Void
}

/// What a resource has to know about a loader, composed or not.
struct LoaderTraits: Sendable {
  /// Whether a newer load must replace a running one (see `debounced`).
  var demandsRestart = false
  /// Whether two values are the same, where a value that is the same as the one before is no new one.
  var isSame: (@Sendable (HeldValue, HeldValue) -> Bool)?
  /// What its values are found by when what they were made of has changed.
  var tags: Set<MutationKey> = []
  /// What becomes invalid when a commit begins, and when it ends.
  private(set) var invalidations: [Invalidation] = []

  func invalidate() {
    for invalidation in invalidations { invalidation.forget() }
  }

  /// Invalidates what was loaded before a commit, or while it ran.
  func invalidate(commits change: Int) {
    for invalidation in invalidations {
      invalidation.countCommits(change)
      invalidation.forget()
    }
  }

  /// Writes down what was invalidated, so that the next process does not take it for valid.
  func writeInvalidations() async {
    for invalidation in invalidations { await invalidation.write() }
  }

  /// The same traits, with something else to invalidate.
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
