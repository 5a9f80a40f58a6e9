/// The tags that were invalidated, and the resources that loaded by a loader with tags.
///
/// Each ``LoadScheduler`` has one.
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
  /// How many were left when released resources were last removed.
  @MainActor private var kept = 0

  init() {}

  /// How many resources are remembered, including those that were released since.
  @MainActor var count: Int { tagged.count }

  /// Returns a number that grows with each invalidation of one of the tags; 0 before the first.
  func version(of tags: Set<MutationKey>) -> UInt64 {
    guard !tags.isEmpty else { return 0 }
    return versions.withLock { versions in tags.reduce(0) { max($0, versions.tags[$1] ?? 0) } }
  }

  /// Remembers a resource that loads by a loader with tags.
  @MainActor func add(_ resource: any TaggedResource) {
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
  /// Returns the same loader with tags that say what its values are made of.
  ///
  /// ``LoadScheduler/invalidate(_:)`` invalidates the resources that loaded by it, and its values in
  /// the ``LoadCache``s of the loader.
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
  /// Only resources of this scheduler are invalidated. Values in a ``LoadStore`` that no resource
  /// has loaded are ignored until the process ends, but the next process reads them again.
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
  /// Returns the same change, which also invalidates these tags once it is stored.
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
