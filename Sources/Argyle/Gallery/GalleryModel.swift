import Loading
import Observation

/// The cells of the gallery, each of which is loaded by itself, and which of them is selected.
@MainActor
@Observable
final class GalleryModel {
  struct Cell: Identifiable {
    let id: Int
  }

  let cells: [Cell]
  var selected: Int?
  @ObservationIgnored private let pool: ResourcePool<Int, Swatch>

  init(
    cells count: Int = 100, seed: UInt64 = 1, clock: AnyClock = .terminal,
    scheduler: LoadScheduler = .terminal
  ) {
    cells = (0..<count).map(Cell.init)
    selected = cells.first?.id
    // At once, about as many as a screen shows. Cells that scroll away cancel their waiting loads.
    pool = ResourcePool(
      capacity: count, limit: LoadLimit(24), name: { "cell \($0)" }, clock: clock,
      scheduler: scheduler
    ) { Swatch.loader(cell: $0, seed: seed) }
  }

  func resource(of cell: Int) -> Resource<Swatch> { pool[cell] }

  /// How many cells there are in each state; those that were never on the screen are idle.
  var counts: (idle: Int, loading: Int, failed: Int, loaded: Int) {
    let counts = pool.counts
    return (
      cells.count - counts.loading - counts.failed - counts.loaded, counts.loading, counts.failed,
      counts.loaded
    )
  }

  /// The state of the selected cell; while a loaded one is asked for again, it is loading.
  var selectedState: LoadingState<Swatch> {
    selected.flatMap { pool.resource(ifPresent: $0)?.strictState } ?? .idle
  }

  /// Loads the selected cell again.
  func reloadSelected() {
    selected.map(resource)?.retry()
  }

  /// Loads every cell again that failed.
  func retryFailed() {
    pool.forEach { _, resource in
      if resource.state.isFailed { resource.retry() }
    }
  }

  /// Stops the load of the selected cell.
  func cancel() {
    selected.map(resource)?.cancel()
  }
}
