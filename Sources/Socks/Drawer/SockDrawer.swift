import Foundation
import Loading
import Observation

/// The drawer for screens: a list that loads by range, single socks, and all pending changes.
///
/// A sock that is open or being changed has its own resource, which the rows of the list also show,
/// so that a list and a detail view show the same pending changes. Read the values again in every
/// frame; do not store them.
///
/// ```swift
/// let drawer = SockDrawer(api)
/// drawer.list.show(0..<20)
/// drawer.row(at: 3).value?.state        // .saving
/// drawer.setSogginess(of: id, to: 15)
/// for await _ in api.changes() { drawer.refresh() }
/// ```
@MainActor
@Observable
public final class SockDrawer {
  /// The socks of ``query`` by index: their number, and the pages that are shown.
  public let list: RangedResource<Sock>
  /// The filter and the order of the list.
  public private(set) var query: SockQuery
  /// Failed changes, each reported once, whatever the screen shows by then.
  public let failures: FailedMutation.Inbox

  /// How long a removal may be undone.
  @ObservationIgnored public let undoWindow: Duration
  /// Socks whose resources are loaded and kept, whether or not the list shows them, for example
  /// because the user has marked them.
  @ObservationIgnored public var retained: Set<Sock.ID> = [] {
    didSet { for id in retained.subtracting(oldValue) { _ = changing(id) } }
  }

  let api: any SockAPI
  /// Commits changes through a journal; nil without one.
  let outbox: DrawerOutbox?
  let clock: AnyClock
  let scheduler: LoadScheduler
  let now: @Sendable () -> Date
  /// The removed socks, which may still be listed.
  let gone = SockIDs()
  /// The added socks, until the list contains them.
  let additions: Resource<[Sock]>
  /// The additions that have been saved.
  let kept = SockIDs()
  /// The additions that the latest load of the list contains, or will contain.
  var covered: Set<Sock.ID> = []
  /// The list as it was when the current load began.
  private var before: SockListing?
  /// The query of the list before the current load.
  private var queryBefore: SockQuery
  /// The index of the sock that was added last.
  let addedPlace: Resource<AddedPlace>
  /// The sock that was added last, until it is saved and located.
  @ObservationIgnored var unlocated: Sock.ID?
  @ObservationIgnored private var heldSince: AnyClock.Instant?
  /// How long a series of changes may keep the old list on the screen.
  private static let longestHold = Duration.milliseconds(500)
  @ObservationIgnored private(set) var overlays: [Sock.ID: Resource<Sock>] = [:]
  /// Changes when another sock gets its own resource, so that rows observe it.
  private var overlayVersion = 0

  /// - Parameters:
  ///   - journal: stores changes until they are applied, so that they survive the process; nil for
  ///     none. See ``resumeChanges()``.
  ///   - query: the initial query.
  ///   - undoWindow: how long a removal may be undone.
  ///   - now: the current date, for added socks.
  ///   - clock: the clock for all times and waits.
  ///   - scheduler: where loads and commits run.
  public init(
    _ api: any SockAPI, journal: (any MutationJournal)? = nil, query: SockQuery = SockQuery(),
    undoWindow: Duration = .seconds(5),
    now: @escaping @Sendable () -> Date = { Date() }, clock: AnyClock = .continuous,
    scheduler: LoadScheduler = .concurrent
  ) {
    self.api = api
    outbox = journal.map { DrawerOutbox($0, api, clock: clock, scheduler: scheduler) }
    self.query = query
    queryBefore = query
    self.undoWindow = undoWindow
    self.now = now
    self.clock = clock
    self.scheduler = scheduler
    let failures = FailedMutation.Inbox()
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

  /// Returns the row at an index of the list, with the current sock and the state of its changes.
  ///
  /// Call ``list``'s `show` for the indices on the screen.
  public func row(at index: Int) -> LoadingState<DrawerRow> {
    let earlier = isRelisting ? before?[index] : nil
    return (earlier.map { .loaded($0) } ?? list.state(at: index)).map { listed in
      DrawerRow(sock: overlay(listed.id)?.latestValue ?? listed, state: state(of: listed.id))
    }
  }

  /// The list's number of socks, and its loaded pages.
  ///
  /// The number and the pages load one after the other. The listing changes only once all of them
  /// are loaded, so that no row disappears and comes back.
  public var listing: SockListing {
    let current = SockListing(list)
    guard let before, isRelisting else { return current }
    return before.completed(by: current)
  }

  /// The query whose socks ``listing`` has: the earlier one until those of ``query`` are loaded.
  public var listedQuery: SockQuery { before != nil && isRelisting ? queryBefore : query }

  /// Whether the list is being loaded again.
  var isRelisting: Bool {
    if list.count.isLoading { return true }
    var isLoading = false
    // Also one that is not on the screen: nobody would hear that it comes there.
    list.pages.forEach { _, page in isLoading = isLoading || page.isLoading }
    return isLoading
  }

  /// Returns the resource of one sock, for a detail view; it loads when it is shown.
  public func sock(_ id: Sock.ID) -> Resource<Sock> { opened(id) }

  /// Returns the state of a sock's changes.
  public func state(of id: Sock.ID) -> DrawerRow.State {
    guard let overlay = overlay(id) else { return .settled }
    return gone.contains(id) ? .removing : DrawerRow.State(overlay)
  }

  /// Loads the socks that could be paired with this one.
  public func partners(of id: Sock.ID, limit: Int = 20) -> Loader<[Sock]> {
    Loader { [api] _ in try await api.partners(of: id, limit: limit) }
  }

  /// Changes the query; the old list stays until the new one is loaded.
  public func show(_ query: SockQuery) {
    guard query != self.query else { return }
    keepListing()
    self.query = query
    list.load(
      count: Loader { [api] _ in try await api.count(query.filter) },
      page: { [api] range in Loader { _ in try await api.socks(range, query) } })
    forgetListingWhenLoaded()
  }

  // MARK: Keeping up

  /// Loads the shown pages and all sock resources again.
  ///
  /// Call it whenever ``SockAPI/changes()`` reports a change.
  public func refresh() {
    forgetSettled()
    coverAdditions()
    keepListing()
    list.load(.keepLatest, cause: .refresh)
    forgetListingWhenLoaded()
    for overlay in overlays.values { overlay.load(.keepLatest, cause: .refresh) }
  }

  /// Keeps the current list on the screen until the new one is complete.
  private func keepListing() {
    guard isRelisting else {
      let listing = SockListing(list)
      before = listing.count == nil ? nil : listing
      queryBefore = query
      heldSince = clock.now
      return
    }
    // During a series of changes the list might never be complete: then each part is shown as it
    // arrives.
    if let heldSince, heldSince.duration(to: clock.now) > Self.longestHold { before = nil }
  }

  /// Drops the old list once the new one is complete.
  ///
  /// Otherwise a page that loads later, when the user scrolls to it, would bring the old list back.
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

  /// Releases resources that add nothing to the list.
  private func forgetSettled() {
    // The shown list, which may be older than what has been loaded.
    let listed = Dictionary(listing.socks.map { ($0.id, $0) }) { first, _ in first }
    let settled = overlays.filter { id, overlay in
      !overlay.isShown && !overlay.hasPendingMutations && overlay.failedMutations.isEmpty
        && !retained.contains(id)
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

  /// Returns the resource of a sock, if it has its own.
  private func overlay(_ id: Sock.ID) -> Resource<Sock>? { observedOverlays[id] }

  /// The sock resources; observers are notified when another one is added.
  var observedOverlays: [Sock.ID: Resource<Sock>] {
    _ = overlayVersion
    return overlays
  }

  /// Returns the resource of a sock that is about to be changed; rows observe it from now on.
  ///
  /// - Parameter known: its value until the sock is loaded.
  func changing(_ id: Sock.ID, known: Sock? = nil) -> Resource<Sock> {
    let resource: Resource<Sock>
    if let overlay = overlays[id] {
      resource = overlay
    } else {
      resource = open(id)
      overlayVersion += 1
    }
    if let known, resource.latestValue == nil {
      resource.set(.loaded(known))
      resource.load(.join, cause: .refresh)
    }
    return resource
  }

  /// Returns the resource of a sock, initialised from the list.
  func opened(_ id: Sock.ID) -> Resource<Sock> {
    if let overlay = overlays[id] { return overlay }
    // Not now: this may be called while a frame is being drawn.
    Task { [weak self] in self?.overlayVersion += 1 }
    return open(id)
  }

  private func open(_ id: Sock.ID) -> Resource<Sock> {
    let loader = Loader { [api, gone] _ in
      // A load that began before the removal may end after it.
      let wasGone = gone.contains(id)
      let sock = try await api.sock(id)
      // Another process has added it again.
      if wasGone { gone.remove(id) }
      return sock
    }
    let listed = listed(id)
    let resource = Resource(
      loader, initialState: listed.map { .loaded($0) } ?? .idle, name: "sock",
      mutationFailures: failures, clock: clock, scheduler: scheduler)
    overlays[id] = resource
    // The list may be older than a change that it will show soon.
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
