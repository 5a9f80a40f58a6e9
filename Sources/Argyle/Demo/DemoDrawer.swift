import Foundation
import Loading
import Socks
import TerminalUI

/// The bundled drawer in memory, with the delays and failures of a demonstration.
@MainActor
struct DemoDrawer {
  let api: ScriptedSockAPI
  let model: DrawerModel

  /// Makes a drawer that answers about as fast as a file, and saves a change in `commitTime`.
  ///
  /// - Parameter error: the error of the first change, which fails after three times as long.
  init(
    _ runtime: SceneRuntime, commitTime: Duration = .milliseconds(600),
    failing error: (any Error)? = nil
  ) {
    api = ScriptedSockAPI(
      BundledDrawer.socks, clock: runtime.clock, now: { DayText.demo.now() })
    api.delay = .milliseconds(30)
    api.interference = { [clock = runtime.clock, faults = runtime.faults] in
      try await faults.strike(on: clock)
    }
    if let error { api.script(.update, .fails(error, after: commitTime * 3)) }
    for function in [ScriptedSockAPI.Function.update, .add, .remove, .pair, .unpair] {
      for _ in 0..<Self.scriptedChanges { api.script(function, .works(after: commitTime)) }
    }
    model = DrawerModel(
      api, pictures: .demo, clock: runtime.clock, scheduler: runtime.scheduler)
  }

  /// The number of changes that have a delay, which is more than anyone makes in a demonstration.
  private static let scriptedChanges = 200

  /// Returns the ID of the first sock with a name.
  nonisolated static func sock(_ name: String) -> Sock.ID? {
    BundledDrawer.socks.first { $0.name == name }?.id
  }
}
