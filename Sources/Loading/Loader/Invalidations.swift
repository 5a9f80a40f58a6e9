/// The caches and resources that hold values of loaders with tags.
///
/// Each ``LoadScheduler`` has one.
final class Invalidations: Sendable {
  private struct CacheReference {
    weak let cache: (any TaggedCache)?
  }

  private struct Reference {
    weak var resource: (any TaggedResource)?
    let number: Int
  }

  private struct Status {
    /// The caches that a loader with tags has used.
    var caches: [ObjectIdentifier: CacheReference] = [:]
    /// The tags that were invalidated: a cache that is used later may have older values in its store.
    var invalidated: Set<MutationKey> = []
    /// How many commits are running that invalidate a tag.
    var commits: [MutationKey: Int] = [:]
  }

  private let status = Lock(Status())
  /// The resources that have loaded by a loader with tags.
  @MainActor private var tagged: [ObjectIdentifier: Reference] = [:]
  /// How many were left when released resources were last removed.
  @MainActor private var kept = 0
  @MainActor private var lastNumber = 0

  init() {}

  /// How many resources are remembered, including those that were released since.
  @MainActor var count: Int { tagged.count }

  /// Remembers a cache that a loader with tags uses.
  func add(_ cache: any TaggedCache) {
    var forgotten: Set<MutationKey> = []
    while let outdated = tagsToForget(by: cache, forgotten) {
      cache.forget(tagged: outdated)
      forgotten.formUnion(outdated)
    }
  }

  /// Returns what a new cache has to forget before it is used; nil if it is remembered.
  private func tagsToForget(
    by cache: any TaggedCache, _ forgotten: Set<MutationKey>
  ) -> Set<MutationKey>? {
    status.withLock { status in
      guard status.caches[ObjectIdentifier(cache)]?.cache == nil else { return nil }
      let outdated = status.invalidated.union(status.commits.keys)
      guard outdated.isSubset(of: forgotten) else { return outdated }
      status.caches = status.caches.filter { $0.value.cache != nil }
      status.caches[ObjectIdentifier(cache)] = CacheReference(cache: cache)
      return nil
    }
  }

  /// Remembers a resource that loads by a loader with tags.
  @MainActor func add(_ resource: any TaggedResource) {
    if tagged.count >= 2 * kept + 32 {
      tagged = tagged.filter { $0.value.resource != nil }
      kept = tagged.count
    }
    lastNumber += 1
    tagged[ObjectIdentifier(resource)] = Reference(resource: resource, number: lastNumber)
  }

  @MainActor func invalidate(_ tags: Set<MutationKey>, by scheduler: LoadScheduler) {
    guard !tags.isEmpty else { return }
    forget(tags, by: scheduler)
    reload(tags)
  }

  /// Invalidates the resources with one of these tags, except for one.
  @MainActor private func reload(
    _ tags: Set<MutationKey>, except other: (any TaggedResource)? = nil
  ) {
    // In order: which of them loads first does not depend on hash values.
    for reference in tagged.values.sorted(by: { $0.number < $1.number }) {
      if let resource = reference.resource, resource !== other,
        !resource.tags.isDisjoint(with: tags)
      {
        resource.invalidate()
      }
    }
  }

  /// Removes the values of these tags from all caches.
  private func forget(_ tags: Set<MutationKey>, by scheduler: LoadScheduler) {
    status.withLock { $0.invalidated.formUnion(tags) }
    let caches = openCaches
    for cache in caches { cache.forget(tagged: tags) }
    if caches.contains(where: \.isKept) { _ = scheduler.task { await self.save() } }
  }

  /// Writes what was forgotten to the stores.
  func save() async {
    for cache in openCaches where cache.isKept { await cache.saved() }
  }

  // MARK: Commits

  /// Begins a commit that changes what these tags are about: a value that is loaded meanwhile is not
  /// stored, since the process may end before it is removed again.
  func begin(commitOf tags: Set<MutationKey>) {
    guard !tags.isEmpty else { return }
    status.withLock { status in for tag in tags { status.commits.add(1, to: tag) } }
    for cache in openCaches { cache.forgetStored(tagged: tags) }
  }

  /// Whether a commit runs that invalidates one of these tags.
  func isCommitting(_ tags: Set<MutationKey>) -> Bool {
    status.withLock { status in tags.contains { status.commits[$0] != nil } }
  }

  /// Ends the commit of a mutation of `resource` by this event; resources load again only if it has
  /// succeeded.
  @MainActor func end<Value>(
    commitOf tags: Set<MutationKey>, _ event: ResourceEvent, of resource: Resource<Value>,
    by scheduler: LoadScheduler
  ) {
    guard !tags.isEmpty else { return resource.apply(event) }
    // Before anything loads again. Also after a failure, since the commit may have been carried out
    // all the same.
    forget(tags, by: scheduler)
    if event.stores {
      // If the commit overlaps a load, that runs again now, which is enough for this resource.
      let isOutdated = !resource.tags.isDisjoint(with: tags)
      if isOutdated { resource.apply(.invalidate(reloads: false)) }
      let ticket = resource.truth.workTicket
      resource.apply(event)
      let runsAgain = resource.truth.workTicket.map { $0 != ticket } ?? false
      reload(tags, except: isOutdated && runsAgain ? resource : nil)
    } else {
      resource.apply(event)
    }
    // After that: what is loaded meanwhile would be stored before it is removed.
    status.withLock { status in for tag in tags { status.commits.add(-1, to: tag) } }
  }

  private var openCaches: [any TaggedCache] {
    status.withLock { $0.caches.values.compactMap(\.cache) }
  }
}

/// A cache of any key and value.
protocol TaggedCache: AnyObject, Sendable {
  /// Whether values outlive the process.
  var isKept: Bool { get }
  /// Removes the values of keys that loaders with one of these tags have used; the caller has to
  /// write that to the store.
  func forget(tagged tags: Set<MutationKey>)
  /// Removes the stored values with these tags, but none in memory.
  func forgetStored(tagged tags: Set<MutationKey>)
  func saved() async
}

/// A resource of any value.
@MainActor
protocol TaggedResource: AnyObject {
  var tags: Set<MutationKey> { get }
  func invalidate()
}

extension Resource: TaggedResource {
  var tags: Set<MutationKey> { truth.loader?.traits.tags ?? [] }
}

extension Loader {
  /// Returns the same loader with tags that say what its values are made of.
  ///
  /// ``LoadScheduler/invalidate(_:)`` invalidates the resources that loaded by it, and its values in
  /// the ``LoadCache``s of the loader.
  ///
  /// A ``LoadStore`` gets the descriptions of the tags: if the loader is cached in one, each tag needs
  /// a description of its own that is the same in every process, as those of strings, numbers and
  /// enumeration cases are.
  ///
  /// ```swift
  /// let list = Loader { _ in try await api.articles() }.tagged("articles")
  /// ```
  public func tagged(_ tags: (any Hashable & Sendable)...) -> Loader {
    let tags = Set(tags.map { MutationKey($0) })
    var traits = traits
    traits.tags.formUnion(tags)
    return Loader(traits) { context, output in try await run(context.tagged(tags), output) }
  }
}

extension LoadScheduler {
  /// Invalidates everything that was loaded by a loader with one of these tags: resources that a
  /// view shows load again at once, the others when a view shows them.
  ///
  /// Their values are also removed from the ``LoadCache``s that a loader with tags uses, and from the
  /// ``LoadStore``s of these caches, where an earlier process may have stored them. Only resources
  /// and loads of this scheduler are affected.
  ///
  /// ```swift
  /// scheduler.invalidate("articles")
  /// ```
  @MainActor
  public func invalidate(_ tags: (any Hashable & Sendable)...) {
    invalidations.invalidate(Set(tags.map { MutationKey($0) }), by: self)
  }
}

extension Mutation {
  /// Returns the same change, which also invalidates these tags once it is stored.
  ///
  /// Stored values with these tags are removed before the change is committed, since the process may
  /// end at any time after that. None is stored until the commit has ended; for a change in a
  /// ``MutationJournal`` this is when it was sent.
  ///
  /// ```swift
  /// drawer.mutate(wash.invalidating("laundry"))
  /// ```
  public func invalidating(_ tags: (any Hashable & Sendable)...) -> Mutation {
    var mutation = self
    mutation.invalidatedTags.formUnion(tags.map { MutationKey($0) })
    return mutation
  }
}
