import Foundation
import Loading
import Socks
import TerminalUI

/// The bundled drawer in memory, as slow and as faulty as a demonstration wants it.
@MainActor
struct DemoDrawer {
  let api: ScriptedSockAPI
  let model: DrawerModel

  /// A drawer that answers about as fast as a file, and keeps changes in `commitTime`.
  ///
  /// - Parameter error: why the first change is not kept, which takes three times as long.
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

  /// As many changes are slow; nobody makes more in a demonstration without being content.
  private static let scriptedChanges = 200

  /// The first sock of a name.
  nonisolated static func sock(_ name: String) -> Sock.ID? {
    BundledDrawer.socks.first { $0.name == name }?.id
  }
}
