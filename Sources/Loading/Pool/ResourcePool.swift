import Observation

/// A bounded pool of resources by key, which outlive the views that show them: cells of a gallery,
/// or details of a list.
///
/// All users of a key share one resource, and so one load. The least recently shown resources are
/// evicted first, except for those that a view shows or that have a pending mutation. Resources
/// with a failed mutation, which the user may want to retry, are kept until there are twice as many
/// resources as ``capacity``.
///
/// ```swift
/// let articles = ResourcePool<Article.ID, Article>(limit: LoadLimit(4)) { id in
///   Loader { _ in try await api.article(id) }
/// }
/// draw(articles[id].state)
/// ```
@MainActor
public final class ResourcePool<Key: Hashable & Sendable, Value: Sendable>: Observable {
  /// The number of resources in each state.
  public struct Counts: Hashable, Sendable {
    /// The resources that are ``LoadingState/idle``.
    public internal(set) var idle = 0
    /// The resources that are ``LoadingState/loading(_:)``: they have nothing to show yet.
    public internal(set) var loading = 0
    /// The resources that are ``LoadingState/failed(_:)``: they have nothing to show.
    public internal(set) var failed = 0
    /// The resources that are ``LoadingState/loaded(_:)``.
    public internal(set) var loaded = 0
    /// The resources among ``loaded`` that are being loaded again.
    public internal(set) var reloading = 0
    /// The resources among ``loaded`` whose last reload failed.
    public internal(set) var failedToReload = 0

    /// The number of resources in the pool.
    public var all: Int { idle + loading + failed + loaded }
  }

  /// How many resources are kept.
  ///
  /// More are kept while views show them or they have pending mutations, and up to twice as many if
  /// they have failed mutations.
  public let capacity: Int

  private let make: @MainActor (Key) -> Resource<Value>
  private let loader: @MainActor (Key) -> Loader<Value>
  private var resources: [Key: Resource<Value>] = [:]
  private var recency = RecencyList<Key>()
  private var tally = Counts()
  private let registrar = ObservationRegistrar()
  private let scheduler: LoadScheduler
  /// Whether ``remove(_:)`` loads a resource again that a view shows, for a list whose rows find the
  /// resource only in the pool.
  var keepsShown = false
  /// Whether resources were created since observers were last notified.
  private var owesTidying = false

  /// Creates an empty pool.
  ///
  /// - Parameters:
  ///   - capacity: how many resources are kept, at least 1.
  ///   - limit: how many loads run at the same time; nil for any number. A value that the loader's
  ///     cache has waits for a permit, too: otherwise pass nil, and apply
  ///     ``Loader/limited(by:)`` before `cached`.
  ///   - errorPolicy: what a failure after a success does to a value.
  ///   - refreshing: when a resource is loaded again automatically while a view shows it.
  ///   - name: returns the name of a key's resource in logs; by default the type of its value.
  ///   - historyCapacity: how many events each resource keeps.
  ///   - mutationFailures: where failed mutations are reported.
  ///   - clock: the clock for every time and wait.
  ///   - scheduler: where loads run.
  ///   - loader: returns the loader of a key's value.
  public init(
    capacity: Int = 200,
    limit: LoadLimit? = nil,
    errorPolicy: ErrorPolicy = .keep,
    refreshing: Refreshing = .never,
    name: (@MainActor (Key) -> String)? = nil,
    historyCapacity: Int = 8,
    mutationFailures: FailedMutation.Inbox? = nil,
    clock: AnyClock = .continuous,
    scheduler: LoadScheduler = .concurrent,
    loader: @escaping @MainActor (Key) -> Loader<Value>
  ) {
    self.capacity = max(1, capacity)
    self.scheduler = scheduler
    self.loader = loader
    make = { key in
      let loader = loader(key)
      return Resource(
        limit.map { loader.limited(by: $0) } ?? loader, errorPolicy: errorPolicy,
        refreshing: refreshing, name: name?(key), historyCapacity: historyCapacity,
        mutationFailures: mutationFailures,
        clock: clock,
        scheduler: scheduler)
    }
  }

  /// The resource of a key, which is created if there is none.
  ///
  /// It counts as the most recently shown one. This can be used while a view is drawn: other
  /// resources are evicted, and observers of ``counts`` are notified, after the main actor has
  /// finished its current work.
  public subscript(key: Key) -> Resource<Value> {
    if let resource = resources[key] {
      recency.use(key)
      return resource
    }
    if !owesTidying {
      owesTidying = true
      scheduler.deliver { [weak self] in self?.tidy() }
    }
    return add(key)
  }

  /// Returns the resource of a key, which is created if there is none.
  ///
  /// Observers are notified at once, so it must not be called while a view is drawn.
  func shownResource(_ key: Key) -> Resource<Value> {
    if let resource = resources[key] {
      recency.use(key)
      return resource
    }
    defer {
      notify()
      evict(sparing: key)
    }
    return add(key)
  }

  private func add(_ key: Key) -> Resource<Value> {
    let resource = make(key)
    resource.changed = { [weak self] before, after in
      self?.recount(from: before, to: after)
    }
    resource.shown = { [weak self] in
      self?.recency.use(key)
      self?.evict()
    }
    resources[key] = resource
    recency.use(key)
    tally.add(1, resource.truth.signature)
    return resource
  }

  private func tidy() {
    owesTidying = false
    notify()
    evict()
  }

  private func notify() {
    registrar.withMutation(of: PoolFacet.subject, keyPath: \.counts) {}
    registrar.withMutation(of: PoolFacet.subject, keyPath: \.keys) {}
  }

  /// Returns the resource of a key, if there is one; it does not count as shown.
  ///
  /// A view that asks for one that is not there is drawn again when resources were created.
  public func resource(ifPresent key: Key) -> Resource<Value>? {
    if let resource = resources[key] { return resource }
    registrar.access(PoolFacet.subject, keyPath: \.keys)
    return nil
  }

  /// The number of resources in each state; O(1).
  public var counts: Counts {
    registrar.access(PoolFacet.subject, keyPath: \.counts)
    return tally
  }

  /// Invalidates the value of a key because it has changed, see ``Resource/invalidate()``.
  ///
  /// If the pool has no resource of the key, its value is removed from the ``LoadCache`` of its
  /// loader.
  public func invalidate(_ key: Key) {
    if let resource = resources[key] {
      resource.invalidate()
    } else {
      loader(key).traits.invalidate(by: scheduler)
    }
  }

  /// Removes the resource of a key from the pool.
  ///
  /// Its load is cancelled when the last reference to the resource is released. A page of a
  /// ``RangedResource`` that a view shows stays, and is loaded again.
  public func remove(_ key: Key) {
    if keepsShown, let resource = resources[key], resource.isShown {
      resource.invalidate()
    } else {
      discard(key)
    }
  }

  /// Removes the resource of a key, even if a view shows it.
  func discard(_ key: Key) {
    guard let resource = resources.removeValue(forKey: key) else { return }
    recency.remove(key)
    resource.changed = nil
    resource.shown = nil
    recount(from: resource.truth.signature, to: nil)
  }

  /// Removes all resources from the pool, see ``remove(_:)``.
  public func removeAll() {
    for key in Array(resources.keys) { remove(key) }
  }

  /// Calls `body` with every resource, in no particular order, for example to reload them.
  public func forEach(_ body: (Key, Resource<Value>) -> Void) {
    for (key, resource) in resources { body(key, resource) }
  }

  private func evict(sparing newKey: Key? = nil) {
    evict(downTo: capacity, sparing: newKey) { $0.isDispensable }
    // The user may never retry or dismiss the failed mutations.
    evict(downTo: 2 * capacity, sparing: newKey) { !$0.isShown && $0.truth.log.isDrained }
  }

  private func evict(
    downTo size: Int, sparing newKey: Key?, where mayGo: (Resource<Value>) -> Bool
  ) {
    var candidate = recency.oldest
    while resources.count > size, let key = candidate {
      candidate = recency.newer(than: key)
      if key != newKey, let resource = resources[key], mayGo(resource) { remove(key) }
    }
  }

  private func recount(from before: ResourceSignature, to after: ResourceSignature?) {
    var new = tally
    new.add(-1, before)
    if let after { new.add(1, after) }
    guard new != tally else { return }
    registrar.withMutation(of: PoolFacet.subject, keyPath: \.counts) { tally = new }
  }
}

extension Resource {
  /// Whether it can be evicted and loaded again.
  var isDispensable: Bool { !isShown && !hasChanges }

  /// Whether it has pending or failed mutations.
  var hasChanges: Bool { !truth.log.isDrained || !truth.log.failed.isEmpty }
}

extension ResourcePool.Counts {
  fileprivate mutating func add(_ change: Int, _ signature: ResourceSignature) {
    switch signature.kind {
    case .idle: idle += change
    case .loading: loading += change
    case .failed: failed += change
    case .loaded:
      loaded += change
      if signature.isLoading {
        reloading += change
      } else if signature.failureCount != nil {
        failedToReload += change
      }
    }
  }
}

/// Stands for the pool in its observation registrar, see ``ObservedFacets``.
private final class PoolFacet: Observable, Sendable {
  static let subject = PoolFacet()
  let counts = 0
  let keys = 0
}
