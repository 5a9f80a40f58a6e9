import Foundation
import Loading
import Observation
import Synchronization

/// The drawer as screens see it: a list by range, each sock by itself, and everything that is being
/// changed.
///
/// A sock that is open, or that is being changed, has a resource of its own, and rows of the list
/// show what that has: so a list and a detail view show the same pending changes. Ask for what is
/// shown at each drawing; none of it is to be kept.
///
/// ```swift
/// let drawer = SockDrawer(api)
/// drawer.list.show(0..<20)
/// drawer.row(at: 3).value?.state        // .saving
/// drawer.changeSogginess(of: id, by: 5)
/// await drawer.followChanges()          // for as long as the screens are there
/// ```
@MainActor
@Observable
public final class SockDrawer {
  /// The socks of ``query`` by their place: how many, and those that are shown.
  public let list: RangedResource<Sock>
  /// Which socks are listed, in which order.
  public private(set) var query: SockQuery
  /// Changes that could not be kept, each told once, whatever is on the screen by then.
  public let failures: MutationFailureInbox
  /// The socks that are being added; they are in the list when they are kept.
  public let additions: Resource<[Sock]>

  /// How long a removal may be undone.
  @ObservationIgnored public let undoWindow: Duration

  let api: any SockAPI
  let clock: AnyClock
  let scheduler: LoadScheduler
  let now: @Sendable () -> Date
  let gone = GoneSocks()
  @ObservationIgnored private let asked: AskedQuery
  // Taken before anything is loaded: what changes before somebody listens is told as well. Who
  // listens again gets another one, because a stream ends with its first listener.
  @ObservationIgnored private var firstChanges: AsyncStream<DrawerRevision>?
  @ObservationIgnored private(set) var overlays: [Sock.ID: Resource<Sock>] = [:]
  /// Changes when another sock gets a resource of its own, which rows have to look at.
  private var overlayVersion = 0

  /// - Parameters:
  ///   - query: what is listed at first.
  ///   - undoWindow: how long a removal may be undone.
  ///   - now: the calendar's time, for socks that are being added.
  ///   - clock: the clock for every time and wait.
  ///   - scheduler: where loads and commits run.
  public init(
    _ api: any SockAPI, query: SockQuery = SockQuery(), undoWindow: Duration = .seconds(5),
    now: @escaping @Sendable () -> Date = { Date() }, clock: AnyClock = .continuous,
    scheduler: LoadScheduler = .concurrent
  ) {
    self.api = api
    self.query = query
    self.undoWindow = undoWindow
    self.now = now
    self.clock = clock
    self.scheduler = scheduler
    firstChanges = api.changes()
    let asked = AskedQuery(query)
    self.asked = asked
    let failures = MutationFailureInbox()
    self.failures = failures
    additions = Resource(
      initialState: .loaded([]), mutationFailures: failures, clock: clock, scheduler: scheduler)
    list = RangedResource(
      clock: clock, scheduler: scheduler,
      count: Loader { _ in try await api.count(asked.value.filter) },
      page: { range in Loader { _ in try await api.socks(range, asked.value) } })
  }

  // MARK: Showing

  /// The row at a place of the list, as its sock is now, with what is going on with it.
  ///
  /// Ask ``list`` to show the places that are on the screen.
  public func row(at index: Int) -> LoadingState<DrawerRow> {
    list.state(at: index).map { listed in
      DrawerRow(sock: overlay(listed.id)?.latestValue ?? listed, state: state(of: listed.id))
    }
  }

  /// One sock, for a detail view: a resource that loads when it is shown.
  public func sock(_ id: Sock.ID) -> Resource<Sock> { opened(id) }

  /// What is going on with a sock.
  public func state(of id: Sock.ID) -> DrawerRow.State {
    guard let overlay = overlay(id) else { return .settled }
    return gone.contains(id) ? .removing : DrawerRow.State(overlay)
  }

  /// Socks that would make a pair with this one.
  public func partners(of id: Sock.ID, limit: Int = 20) -> Loader<[Sock]> {
    Loader { [api] _ in try await api.partners(of: id, limit: limit) }
  }

  /// Lists other socks, or in another order; what is listed stays until they are there.
  public func show(_ query: SockQuery) {
    guard query != self.query else { return }
    self.query = query
    asked.value = query
    reloadList(.restart, cause: .inputChanged)
  }

  // MARK: Keeping up

  /// Loads again whenever the drawer has changed, here or elsewhere, until the task is cancelled.
  public func followChanges() async {
    let changes = firstChanges ?? api.changes()
    // Nobody has listened since the last one ended.
    if firstChanges == nil { refresh() }
    firstChanges = nil
    for await _ in changes { refresh() }
  }

  /// Loads again what is shown and what has a resource of its own.
  public func refresh() {
    forgetSettled()
    reloadList(.keepLatest, cause: .refresh)
    for overlay in overlays.values { overlay.load(.keepLatest, cause: .refresh) }
  }

  private func reloadList(_ policy: LoadPolicy, cause: LoadCause) {
    list.count.load(policy, cause: cause)
    list.pages.forEach { number, page in
      if page.isShown { page.load(policy, cause: cause) } else { list.pages.remove(number) }
    }
  }

  /// Forgets resources that say nothing which the list does not say.
  private func forgetSettled() {
    var listed: [Sock.ID: Sock] = [:]
    list.pages.forEach { _, page in
      for sock in page.latestValue ?? [] { listed[sock.id] = sock }
    }
    let settled = overlays.filter { id, overlay in
      !overlay.isShown && !overlay.hasPendingMutations && overlay.failedMutations.isEmpty
        && (listed[id] == nil || listed[id] == overlay.latestValue && !gone.contains(id))
    }
    guard !settled.isEmpty else { return }
    for id in settled.keys {
      overlays[id] = nil
      gone.remove(id)
    }
    overlayVersion += 1
  }

  // MARK: Resources

  /// The resource of a sock, where it has one of its own.
  private func overlay(_ id: Sock.ID) -> Resource<Sock>? {
    _ = overlayVersion
    return overlays[id]
  }

  /// The resource of a sock, with what the list knows of it.
  func opened(_ id: Sock.ID) -> Resource<Sock> {
    if let overlay = overlays[id] { return overlay }
    let loader = Loader { [api, gone] _ in
      let sock = try await api.sock(id)
      // Somebody has put it back.
      gone.remove(id)
      return sock
    }
    let listed = listed(id)
    let resource = Resource(
      loader, initialState: listed.map { .loaded($0) } ?? .idle, mutationFailures: failures,
      clock: clock, scheduler: scheduler)
    overlays[id] = resource
    // What the list has may be older than a change that is on its way to it.
    if listed != nil { resource.load(.join, cause: .refresh) }
    // Not now: this may be in the middle of a drawing.
    Task { [weak self] in self?.overlayVersion += 1 }
    return resource
  }

  private func listed(_ id: Sock.ID) -> Sock? {
    var found: Sock?
    list.pages.forEach { _, page in
      if found == nil { found = page.latestValue?.first { $0.id == id } }
    }
    return found
  }
}

/// The query that loads ask, which may change while they wait for their turn.
private final class AskedQuery: Sendable {
  private let query: Mutex<SockQuery>

  init(_ query: SockQuery) { self.query = Mutex(query) }

  var value: SockQuery {
    get { query.withLock { $0 } }
    set { query.withLock { $0 = newValue } }
  }
}

/// The socks that were removed and may still be listed.
final class GoneSocks: Sendable {
  private let ids = Mutex<Set<Sock.ID>>([])

  func contains(_ id: Sock.ID) -> Bool { ids.withLock { $0.contains(id) } }
  func insert(_ id: Sock.ID) { ids.withLock { _ = $0.insert(id) } }
  func remove(_ id: Sock.ID) { ids.withLock { _ = $0.remove(id) } }
}
