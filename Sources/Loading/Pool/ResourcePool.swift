import Observation

/// Resources by key that outlive the views that show them: cells of a gallery, details of a list.
///
/// All who use a key get one resource, so that one load serves all of them. The pool is bounded:
/// the resource shown least recently goes first, but none that is on the screen or has a mutation
/// that is not stored yet. One whose mutation failed waits for a retry or a dismissal beyond the
/// capacity, until there are as many of those again as the capacity.
///
/// ```swift
/// let articles = ResourcePool<Article.ID, Article>(limit: LoadLimit(4)) { id in
///   Loader { _ in try await api.article(id) }
/// }
/// draw(articles[id].state)
/// ```
@MainActor
public final class ResourcePool<Key: Hashable & Sendable, Value: Sendable>: Observable {
  /// How many resources there are in each state.
  public struct Counts: Hashable, Sendable {
    /// Nothing was loaded.
    public internal(set) var idle = 0
    /// Being loaded with nothing to show.
    public internal(set) var loading = 0
    /// Failed with nothing to show.
    public internal(set) var failed = 0
    /// There is a value.
    public internal(set) var loaded = 0

    /// How many there are in all.
    public var all: Int { idle + loading + failed + loaded }
  }

  /// How many resources are kept; more are, while they are all on the screen, and for failed
  /// mutations up to twice as many.
  public let capacity: Int

  private let make: @MainActor (Key) -> Resource<Value>
  private let loader: @MainActor (Key) -> Loader<Value>
  private var resources: [Key: Resource<Value>] = [:]
  private var recency = RecencyList<Key>()
  private var tally = Counts()
  private let registrar = ObservationRegistrar()
  private let scheduler: LoadScheduler
  /// Whether new resources were made since its observers were last told.
  private var owesTidying = false

  /// - Parameters:
  ///   - capacity: how many resources are kept, at least 1.
  ///   - limit: how many loads run at once; nil for any number.
  ///   - errorPolicy: what a failure after a success does to a value.
  ///   - refreshing: when a resource is loaded again by itself while it is on the screen.
  ///   - name: what the resource of a key is called in a log; by default the type of its value.
  ///   - historyCapacity: how many events each resource keeps.
  ///   - mutationFailures: where failed mutations are reported.
  ///   - clock: the clock for every time and wait.
  ///   - scheduler: where loads run.
  ///   - loader: how to load the value of a key.
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

  /// The resource of a key, made if need be; it counts as shown now.
  ///
  /// It may be used while a view is drawn: resources are evicted, and observers of ``counts`` notified,
  /// after the main actor has finished its current work.
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

  /// The resource of a key, made if need be.
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
      self?.recount(from: before.kind, to: after.kind)
    }
    resource.shown = { [weak self] in
      self?.recency.use(key)
      self?.evict()
    }
    resources[key] = resource
    recency.use(key)
    tally.add(1, to: resource.truth.signature.kind)
    return resource
  }

  private func tidy() {
    owesTidying = false
    notify()
    evict()
  }

  private func notify() {
    registrar.withMutation(of: PoolFacet.subject, keyPath: \.counts) {}
  }

  /// The resource of a key, if there is one; that does not count as shown.
  public func resource(ifPresent key: Key) -> Resource<Value>? { resources[key] }

  /// How many resources there are in each state; O(1).
  public var counts: Counts {
    registrar.access(PoolFacet.subject, keyPath: \.counts)
    return tally
  }

  /// Loads a key again because its value has changed, see ``Resource/invalidate()``; where there is no
  /// resource of it, a ``LoadCache`` forgets it.
  public func invalidate(_ key: Key) {
    if let resource = resources[key] {
      resource.invalidate()
    } else {
      loader(key).traits.invalidate()
    }
  }

  /// Forgets the resource of a key.
  ///
  /// Its load is cancelled when the last reference to it is released.
  public func remove(_ key: Key) {
    guard let resource = resources.removeValue(forKey: key) else { return }
    recency.remove(key)
    resource.changed = nil
    resource.shown = nil
    recount(from: resource.truth.signature.kind, to: nil)
  }

  /// Forgets every resource.
  public func removeAll() {
    for key in Array(resources.keys) { remove(key) }
  }

  /// Does something to every resource, in no particular order: reload them, or retry the failed.
  public func forEach(_ body: (Key, Resource<Value>) -> Void) {
    for (key, resource) in resources { body(key, resource) }
  }

  private func evict(sparing newKey: Key? = nil) {
    evict(downTo: capacity, sparing: newKey) { $0.isDispensable }
    // The user may never retry or dismiss what has failed.
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

  private func recount(from before: LoadingKind?, to after: LoadingKind?) {
    guard before != after else { return }
    registrar.withMutation(of: PoolFacet.subject, keyPath: \.counts) {
      if let before { tally.add(-1, to: before) }
      if let after { tally.add(1, to: after) }
    }
  }
}

extension Resource {
  /// Whether it can be evicted and loaded again: no view shows it, and no change of it waits to be
  /// stored or, having failed, to be retried.
  var isDispensable: Bool { !isShown && truth.log.isDrained && truth.log.failed.isEmpty }
}

extension ResourcePool.Counts {
  fileprivate mutating func add(_ change: Int, to kind: LoadingKind) {
    switch kind {
    case .idle: idle += change
    case .loading: loading += change
    case .failed: failed += change
    case .loaded: loaded += change
    }
  }
}

/// Stands for a pool's counts in its registrar (see ``ObservedFacets``).
private final class PoolFacet: Observable, Sendable {
  static let subject = PoolFacet()
  let counts = 0
}
