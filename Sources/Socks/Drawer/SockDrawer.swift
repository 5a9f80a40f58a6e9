import Foundation
import Loading
import Observation

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
/// for await _ in api.changes() { drawer.refresh() }
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

  /// How long a removal may be undone.
  @ObservationIgnored public let undoWindow: Duration

  let api: any SockAPI
  /// What makes changes by way of a journal; nil where there is none.
  let outbox: MutationOutbox?
  let clock: AnyClock
  let scheduler: LoadScheduler
  let now: @Sendable () -> Date
  /// The socks that were removed and may still be listed.
  let gone = SockIDs()
  /// The socks that were added, from when they are wanted until the list has them.
  let additions: Resource<[Sock]>
  /// Those of them that are kept.
  let kept = SockIDs()
  /// Those of them that the newest loading of the list has, or will have.
  var covered: Set<Sock.ID> = []
  /// What was listed when the loading of the list began that is under way.
  private var before: SockListing?
  /// Where the sock that was added last is in the list.
  let addedPlace: Resource<AddedPlace>
  /// The sock that was added last, until it is kept and looked for.
  @ObservationIgnored var unlocated: Sock.ID?
  @ObservationIgnored private var heldSince: AnyClock.Instant?
  /// How long changes that come one after the other may keep what is listed as it was.
  private static let longestHold = Duration.milliseconds(500)
  @ObservationIgnored private(set) var overlays: [Sock.ID: Resource<Sock>] = [:]
  /// Changes when another sock gets a resource of its own, which rows have to look at.
  private var overlayVersion = 0

  /// - Parameters:
  ///   - journal: where changes are kept until they are made, so that they survive the process; nil for
  ///     nowhere. See ``resumeChanges()``.
  ///   - query: what is listed at first.
  ///   - undoWindow: how long a removal may be undone.
  ///   - now: the calendar's time, for socks that are being added.
  ///   - clock: the clock for every time and wait.
  ///   - scheduler: where loads and commits run.
  public init(
    _ api: any SockAPI, journal: (any MutationJournal)? = nil, query: SockQuery = SockQuery(),
    undoWindow: Duration = .seconds(5),
    now: @escaping @Sendable () -> Date = { Date() }, clock: AnyClock = .continuous,
    scheduler: LoadScheduler = .concurrent
  ) {
    self.api = api
    outbox = journal.map {
      // Each attempt waits long for a lock.
      MutationOutbox(
        $0, handlers: Self.handler(api), attempts: 3, clock: clock, scheduler: scheduler)
    }
    self.query = query
    self.undoWindow = undoWindow
    self.now = now
    self.clock = clock
    self.scheduler = scheduler
    let failures = MutationFailureInbox()
    self.failures = failures
    additions = Resource(
      initialState: .loaded([]), name: "new socks", mutationFailures: failures, clock: clock,
      scheduler: scheduler)
    addedPlace = Resource(
      initialState: .idle, name: "place of a new sock", clock: clock, scheduler: scheduler)
    list = RangedResource(
      name: "socks", clock: clock, scheduler: scheduler,
      count: Loader { _ in try await api.count(query.filter) },
      page: { range in Loader { _ in try await api.socks(range, query) } })
  }

  // MARK: Showing

  /// The row at a place of the list, as its sock is now, with what is going on with it.
  ///
  /// Ask ``list`` to show the places that are on the screen.
  public func row(at index: Int) -> LoadingState<DrawerRow> {
    let earlier = isRelisting ? before?[index] : nil
    return (earlier.map { .loaded($0) } ?? list.state(at: index)).map { listed in
      DrawerRow(sock: overlay(listed.id)?.latestValue ?? listed, state: state(of: listed.id))
    }
  }

  /// What is listed: how many socks, and those of the pages that are there.
  ///
  /// The number and the pages come one after the other. What is shown changes when all of them are
  /// there, so that no row goes and comes back.
  public var listing: SockListing {
    let current = SockListing(list)
    guard let before, isRelisting else { return current }
    return before.completed(by: current)
  }

  /// Whether the list is being loaded again.
  var isRelisting: Bool {
    if list.count.isLoading { return true }
    var isLoading = false
    list.pages.forEach { _, page in isLoading = isLoading || page.isShown && page.isLoading }
    return isLoading
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
    keepListing()
    list.load(
      count: Loader { [api] _ in try await api.count(query.filter) },
      page: { [api] range in Loader { _ in try await api.socks(range, query) } })
    forgetListingWhenLoaded()
  }

  // MARK: Keeping up

  /// Loads again what is shown and what has a resource of its own: what is to be done whenever
  /// ``SockAPI/changes()`` tells of a change, here or elsewhere.
  public func refresh() {
    forgetSettled()
    coverAdditions()
    keepListing()
    list.load(.keepLatest, cause: .refresh)
    forgetListingWhenLoaded()
    for overlay in overlays.values { overlay.load(.keepLatest, cause: .refresh) }
  }

  /// Has what is listed stay until all that is loaded now is there.
  private func keepListing() {
    guard isRelisting else {
      let listing = SockListing(list)
      before = listing.count == nil ? nil : listing
      heldSince = clock.now
      return
    }
    // Under changes without an end there is no moment at which all is there: then each part is
    // shown as it comes.
    if let heldSince, heldSince.duration(to: clock.now) > Self.longestHold { before = nil }
  }

  /// Else a page that comes later, because somebody scrolls to it, would bring the old list back.
  private func forgetListingWhenLoaded() {
    guard before != nil else { return }
    withObservationTracking {
      _ = isRelisting
    } onChange: {
      Task { @MainActor [weak self] in
        guard let self else { return }
        if isRelisting { forgetListingWhenLoaded() } else { before = nil }
      }
    }
  }

  /// Forgets resources that say nothing which the list does not say.
  private func forgetSettled() {
    // What is shown, which may be older than what has come.
    let listed = Dictionary(listing.socks.map { ($0.id, $0) }) { first, _ in first }
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
  private func overlay(_ id: Sock.ID) -> Resource<Sock>? { observedOverlays[id] }

  /// Those that have one; who looks is told when another one has.
  var observedOverlays: [Sock.ID: Resource<Sock>] {
    _ = overlayVersion
    return overlays
  }

  /// The resource of a sock that is about to be changed; rows look at it from now on.
  func changing(_ id: Sock.ID) -> Resource<Sock> {
    if let overlay = overlays[id] { return overlay }
    defer { overlayVersion += 1 }
    return open(id)
  }

  /// The resource of a sock, with what the list knows of it.
  func opened(_ id: Sock.ID) -> Resource<Sock> {
    if let overlay = overlays[id] { return overlay }
    // Not now: this may be in the middle of a drawing.
    Task { [weak self] in self?.overlayVersion += 1 }
    return open(id)
  }

  private func open(_ id: Sock.ID) -> Resource<Sock> {
    let loader = Loader { [api, gone] _ in
      let sock = try await api.sock(id)
      // Somebody has put it back.
      gone.remove(id)
      return sock
    }
    let listed = listed(id)
    let resource = Resource(
      loader, initialState: listed.map { .loaded($0) } ?? .idle, name: "sock",
      mutationFailures: failures, clock: clock, scheduler: scheduler)
    overlays[id] = resource
    // What the list has may be older than a change that is on its way to it.
    if listed != nil { resource.load(.join, cause: .refresh) }
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
