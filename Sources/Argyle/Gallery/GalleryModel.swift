import Loading
import Observation

/// The cells of the gallery, each loaded on its own, and the selected one.
@MainActor
@Observable
final class GalleryModel {
  struct Cell: Identifiable {
    let id: Int
  }

  let cells: [Cell]
  var selected: Int?
  /// How many cells may load at once.
  var limit: Int {
    didSet { permits.count = limit }
  }
  @ObservationIgnored private let permits: LoadLimit
  @ObservationIgnored private let pool: ResourcePool<Int, Swatch>

  /// About as many cells as a screen shows.
  ///
  /// Cells that scroll away cancel their waiting loads.
  static let usualLimit = 24
  /// The limits that the keys step through.
  static let limits = [1, 2, 4, 8, 16, usualLimit, 48, 96]

  init(cells count: Int = 100, limit: Int = usualLimit, _ runtime: SceneRuntime) {
    cells = (0..<count).map(Cell.init)
    selected = cells.first?.id
    self.limit = limit
    permits = LoadLimit(limit)
    pool = ResourcePool(
      capacity: count, limit: permits, name: { "cell \($0 + 1)" }, clock: runtime.clock,
      scheduler: runtime.scheduler
    ) { [seed = runtime.seed, faults = runtime.faults] in
      Swatch.loader(cell: $0, seed: seed).under(faults)
    }
  }

  /// Raises or lowers the limit by one step.
  func changeLimit(by step: Int) {
    let next = step > 0 ? Self.limits.first { $0 > limit } : Self.limits.last { $0 < limit }
    limit = next ?? limit
  }

  /// The limit in words.
  var limitWords: String { limit < cells.count ? "\(limit) at once" : "all at once" }

  /// The events of the selected cell.
  var selectedEvents: [PageEvent] {
    guard let selected, let resource = pool.resource(ifPresent: selected) else { return [] }
    return PageEvent.all(of: resource, named: "cell \(selected + 1)")
  }

  func resource(of cell: Int) -> Resource<Swatch> { pool[cell] }

  /// How many cells are in each state; those that were never on the screen are idle.
  ///
  /// As with ``selectedState``, a load and a failure count before the colour that a cell still has.
  struct Counts: Equatable {
    var idle = 0
    /// The cells that wait until fewer others load.
    var waiting = 0
    var loading = 0
    var failed = 0
    var loaded = 0
  }

  var counts: Counts {
    let counts = pool.counts
    let running = counts.loading + counts.reloading
    let loading = min(limit, running)
    return Counts(
      idle: cells.count - counts.loading - counts.failed - counts.loaded,
      waiting: running - loading, loading: loading,
      failed: counts.failed + counts.failedToReload,
      loaded: counts.loaded - counts.reloading - counts.failedToReload)
  }

  /// The state of the selected cell; a loaded cell that is being reloaded counts as loading.
  var selectedState: LoadingState<Swatch> {
    selected.flatMap { pool.resource(ifPresent: $0)?.strictState } ?? .idle
  }

  /// The colour of the selected cell, even if it could not be loaded again.
  var selectedColour: Swatch? {
    selected.flatMap { pool.resource(ifPresent: $0)?.latestValue }
  }

  /// Loads the selected cell again.
  func reloadSelected() {
    selected.map(resource)?.retry()
  }

  /// Loads every failed cell again.
  func retryFailed() {
    pool.forEach { _, resource in
      if resource.strictState.isFailed { resource.retry() }
    }
  }

  /// Cancels the load of the selected cell.
  func cancel() {
    selected.map(resource)?.cancel()
  }
}
