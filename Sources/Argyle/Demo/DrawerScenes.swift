import Loading
import Socks
import TerminalUI

extension Scene {
  /// The drawer in each of its states.
  static let drawer = [
    Scene(
      "socks", "The drawer with its pictures.", at: .milliseconds(2600)
    ) { runtime in
      DrawerScene(
        runtime, DemoDrawer(runtime),
        steps: [
          (.milliseconds(400), { $0.select(.sock("Grey wool, darned twice")) }),
          (.milliseconds(700), { $0.changeSogginess(by: 2) }),
          (.milliseconds(1000), { $0.select(.sock("Golf, of an uncle")) }),
          (.milliseconds(1300), { $0.remove() }),
          (.milliseconds(1800), { $0.select(.sock("Gingerbread")) }),
          (.milliseconds(2300), { $0.changeSogginess(by: 7) }),
        ])
    },
    Scene(
      "sock", "One sock: its picture, a slider bound to the loaded value, and its partner.",
      at: .seconds(1)
    ) { runtime in
      let drawer = DemoDrawer(runtime)
      DrawerScene(runtime, drawer, opening: "Stargazer, left")
    },
    Scene(
      "sock-editing", "A sock that is renamed, with a name that is refused.",
      at: .seconds(2)
    ) { runtime in
      let drawer = DemoDrawer(runtime)
      DrawerScene(
        runtime, drawer,
        steps: [
          (.milliseconds(400), { $0.select(.sock("Hound")) }),
          (.milliseconds(800), { $0.edit() }),
          (.milliseconds(1200), { $0.form?[.name] = "" }),
          (.milliseconds(1600), { $0.submit() }),
        ])
    },
    Scene(
      "sock-rollback", "A change that failed is undone, and says why.",
      at: .seconds(4)
    ) { runtime in
      let drawer = DemoDrawer(runtime, failing: SockError.store(.full(path: "socks.sqlite")))
      DrawerScene(
        runtime, drawer,
        steps: [
          (.milliseconds(400), { $0.select(.sock("Hound")) }),
          (.milliseconds(500), { $0.changeSogginess(by: 4) }),
          (.milliseconds(1000), { $0.select(.sock("Moth's")) }),
          (.milliseconds(3600), { $0.changeSogginess(by: 2) }),
        ])
    },
    Scene(
      "sock-removing",
      "Socks that are being removed: one can still be restored.",
      at: .milliseconds(6200)
    ) { runtime in
      let drawer = DemoDrawer(runtime, commitTime: .seconds(3))
      DrawerScene(
        runtime, drawer,
        steps: [
          (.milliseconds(400), { $0.select(.sock("Hound")) }),
          (.milliseconds(500), { $0.remove() }),
          (.milliseconds(900), { $0.select(.sock("Office, left")) }),
          (.milliseconds(3000), { $0.remove() }),
        ])
    },
  ]
}

extension DrawerRows.ID {
  /// Returns the row of the bundled sock with this name.
  fileprivate static func sock(_ name: String) -> DrawerRows.ID {
    DemoDrawer.sock(name).map { .sock($0) } ?? .place(0)
  }
}

/// The whole program with the drawer in front, and a script of actions at given times.
struct DrawerScene: View {
  typealias Step = (time: Duration, action: @MainActor (DrawerModel) -> Void)

  private let scene: ProgramScene
  private let model: DrawerModel
  private let steps: [Step]
  private let stepsDone: Resource<Int>

  init(
    _ runtime: SceneRuntime, _ drawer: DemoDrawer, opening name: String? = nil, steps: [Step] = []
  ) {
    model = drawer.model
    model.openSock = name.flatMap(DemoDrawer.sock)
    scene = ProgramScene(runtime, part: .socks, drawer: drawer)
    self.steps = steps
    let times = steps.map(\.time)
    stepsDone = Resource(
      Loader { context, output in
        let start = context.clock.now
        for (index, time) in times.enumerated() {
          try await context.clock.sleep(until: start.advanced(by: time))
          output.yield(index + 1)
        }
        return times.count
      }, initialState: .loaded(0), name: "script", clock: runtime.clock,
      scheduler: runtime.scheduler)
    if !steps.isEmpty { stepsDone.load() }
  }

  var body: some View {
    scene.onChange(of: stepsDone.latestValue ?? 0) { before, now in
      for step in steps[before..<max(before, now)] { step.action(model) }
    }
  }
}
