import Foundation
import Loading
import LoadingTesting
import Testing

@testable import Socks

/// Tests of changes of socks that the list does not show.
@MainActor
@Suite(.timeLimit(.minutes(10))) struct UnloadedSockTests {
  let runtime = ManualRuntime()
  let api: ScriptedSockAPI

  init() {
    api = ScriptedSockAPI([sock(1), sock(2)], clock: runtime.clock.any, now: { noon })
  }

  /// A drawer whose list is not loaded.
  private func drawer(_ api: (any SockAPI)? = nil) -> SockDrawer {
    SockDrawer(
      api ?? self.api, now: { noon }, clock: runtime.clock.any, scheduler: runtime.scheduler)
  }

  @Test func `a retained sock is up to date, although no list shows it`() {
    let drawer = drawer()
    drawer.retained = [id(1)]
    runtime.run()
    api.changeElsewhere { $0[0].sogginess = 70 }
    drawer.refresh()
    runtime.run()
    #expect(drawer.overlays[id(1)]?.latestValue?.sogginess == 70)
    drawer.retained = []
    drawer.refresh()
    #expect(drawer.overlays.isEmpty)
  }
}
