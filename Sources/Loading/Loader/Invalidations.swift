/// What was invalidated by tag, and whom that concerns: one of each ``LoadScheduler``.
final class Invalidations: Sendable {
  private struct Versions {
    var last: UInt64 = 0
    var tags: [MutationKey: UInt64] = [:]
  }

  private struct Reference {
    weak var resource: (any TaggedResource)?
  }

  private let versions = Lock(Versions())
  /// The resources that have loaded by a loader with tags.
  @MainActor private var tagged: [ObjectIdentifier: Reference] = [:]
  /// How many were alive when those that were gone were removed last.
  @MainActor private var kept = 0

  init() {}

  /// How many resources are remembered, those that have gone since included.
  @MainActor var count: Int { tagged.count }

  /// Grows with each invalidation of one of the tags; 0 before the first.
  func version(of tags: Set<MutationKey>) -> UInt64 {
    guard !tags.isEmpty else { return 0 }
    return versions.withLock { versions in tags.reduce(0) { max($0, versions.tags[$1] ?? 0) } }
  }

  @MainActor func add(_ resource: any TaggedResource) {
    guard !resource.tags.isEmpty else { return }
    if tagged.count >= 2 * kept + 32 {
      tagged = tagged.filter { $0.value.resource != nil }
      kept = tagged.count
    }
    tagged[ObjectIdentifier(resource)] = Reference(resource: resource)
  }

  @MainActor func invalidate(_ tags: Set<MutationKey>) {
    guard !tags.isEmpty else { return }
    versions.withLock { versions in
      versions.last += 1
      for tag in tags { versions.tags[tag] = versions.last }
    }
    for reference in tagged.values {
      if let resource = reference.resource, !resource.tags.isDisjoint(with: tags) {
        resource.invalidate()
      }
    }
  }
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
  /// The loader, whose values are found by these tags when what they were made of has changed.
  ///
  /// Resources are invalidated by ``LoadScheduler/invalidate(_:)``, and so are the values that a
  /// ``LoadCache`` has of a loader that is tagged before it is cached.
  ///
  /// ```swift
  /// let list = Loader { _ in try await api.articles() }.tagged("articles")
  /// ```
  public func tagged(_ tags: (any Hashable & Sendable)...) -> Loader {
    var traits = traits
    traits.tags.formUnion(tags.map { MutationKey($0) })
    return Loader(traits) { context, output in try await run(context, output) }
  }
}

extension LoadScheduler {
  /// Invalidates whatever was loaded by a loader with one of these tags: what a view shows is loaded
  /// again at once, the rest when a view of it appears.
  ///
  /// It concerns the resources of this scheduler. For what is kept by a ``LoadStore`` it holds until the
  /// process ends.
  ///
  /// ```swift
  /// scheduler.invalidate("articles")
  /// ```
  @MainActor
  public func invalidate(_ tags: (any Hashable & Sendable)...) {
    invalidations.invalidate(Set(tags.map { MutationKey($0) }))
  }
}

extension Mutation {
  /// The same change, which invalidates these tags when it is stored.
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
