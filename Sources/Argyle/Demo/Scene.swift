import Loading
import TerminalUI

/// A part of the program on scripted data, for demonstrations, pictures and tests.
///
/// A scene uses no database and no network, and all of its work is done by loaders on the given
/// runtime: at the same time, the same scene gives the same picture.
struct Scene: Sendable {
  /// Its name on the command line.
  let name: String
  /// A sentence that says what it shows.
  let summary: String
  /// The time of a picture, unless the user gives one.
  let moment: Duration
  /// The keys that are pressed for a picture, unless the user gives others.
  let keys: KeyScript
  /// Whether a demo presses its keys too, because they are what there is to see.
  let isFilm: Bool
  let makeView: @MainActor @Sendable (SceneRuntime) -> AnyView

  init(
    _ name: String, _ summary: String, at moment: Duration, keys: String = "", isFilm: Bool = false,
    @ViewBuilder view: @escaping @MainActor @Sendable (SceneRuntime) -> some View
  ) {
    self.name = name
    self.summary = summary
    self.moment = moment
    self.isFilm = isFilm
    // A test checks that the keys of every scene can be parsed.
    self.keys = (try? KeyScript(keys)) ?? KeyScript()
    makeView = { AnyView(view($0).environment($0.observer).environment($0.faultModel)) }
  }

  /// Returns the scene with a name.
  static func named(_ name: String) -> Scene? { all.first { $0.name == name } }
}

/// The clock, the scheduler and the seed of a scene.
///
/// In a demo the clock runs; in a picture it is moved by hand.
struct SceneRuntime: Sendable {
  let clock: AnyClock
  /// Records the loads for the inspector.
  let observer: LoadingObserver?
  let scheduler: LoadScheduler
  /// The faults of its loads.
  let faults = Faults()
  /// The faults as the user chooses them on the screen.
  let faultModel: FaultModel
  /// The seed of all random numbers.
  let seed: UInt64
  /// The number of cells in the gallery.
  let cells: Int

  /// - Parameter observer: observes the loads; without one, `scheduler` keeps its own observer.
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

extension Scene {
  /// Every scene, in the order of the list.
  static let all = reader + drawer + gallery + catalog + patterns
}
