import Loading
import TerminalUI

/// A part of the program on scripted data, for demonstrations, pictures and tests.
///
/// A scene touches no database and no network, and all of its work is done by loaders on the
/// runtime that it is given: the same scene at the same time is the same picture.
struct Scene: Sendable {
  /// Its name on the command line.
  let name: String
  /// A sentence that says what it shows.
  let summary: String
  /// When a picture is taken unless a time is asked for.
  let moment: Duration
  /// The keys that are pressed for a picture unless others are asked for: something is to be seen in it.
  let keys: KeyScript
  let makeView: @MainActor @Sendable (SceneRuntime) -> AnyView

  init(
    _ name: String, _ summary: String, at moment: Duration, keys: String = "",
    @ViewBuilder view: @escaping @MainActor @Sendable (SceneRuntime) -> some View
  ) {
    self.name = name
    self.summary = summary
    self.moment = moment
    // What is written here is checked by a test.
    self.keys = (try? KeyScript(keys)) ?? KeyScript()
    makeView = { AnyView(view($0).environment($0.observer).environment($0.faultModel)) }
  }

  /// The scene of a name.
  static func named(_ name: String) -> Scene? { all.first { $0.name == name } }
}

/// The clock, the scheduler and the seed of a scene.
///
/// The clock is real in a demo and stands still in a picture.
struct SceneRuntime: Sendable {
  let clock: AnyClock
  /// Sees what is loaded, for the inspector.
  let observer: LoadingObserver?
  let scheduler: LoadScheduler
  /// What goes wrong with its loads.
  let faults = Faults()
  /// What goes wrong, as it is chosen on the screen.
  let faultModel: FaultModel
  /// The seed of all random numbers.
  let seed: UInt64
  /// The number of cells in the gallery.
  let cells: Int

  /// - Parameter observer: without one, what `scheduler` has is kept.
  @MainActor
  init(
    clock: AnyClock, scheduler: LoadScheduler, observer: LoadingObserver? = nil, seed: UInt64 = 1,
    cells: Int = 100
  ) {
    self.clock = clock
    self.observer = observer
    faultModel = FaultModel(faults)
    self.scheduler = observer.map(scheduler.observed) ?? scheduler
    self.seed = seed
    self.cells = cells
  }
}
