import Loading
import TerminalUI

/// A part of the program on scripted data, for demonstrations, pictures and tests.
///
/// A scene touches no database and no network, and all of its work is done by loaders on the
/// runtime that it is given: the same scene at the same time is the same picture.
struct Scene: Sendable {
  /// What it is called on the command line.
  let name: String
  /// What there is to see, in one sentence.
  let summary: String
  /// When a picture is taken unless a time is asked for.
  let moment: Duration
  let makeView: @MainActor @Sendable (SceneRuntime) -> AnyView

  init(
    _ name: String, _ summary: String, at moment: Duration,
    @ViewBuilder view: @escaping @MainActor @Sendable (SceneRuntime) -> some View
  ) {
    self.name = name
    self.summary = summary
    self.moment = moment
    makeView = { AnyView(view($0)) }
  }

  /// The scene of a name.
  static func named(_ name: String) -> Scene? { all.first { $0.name == name } }
}

/// What a scene runs on: a real clock in a demonstration, one that stands still in a picture.
struct SceneRuntime: Sendable {
  let clock: AnyClock
  let scheduler: LoadScheduler
  /// Where everything begins that looks like chance.
  let seed: UInt64
  /// How many cells the gallery has.
  let cells: Int
}
