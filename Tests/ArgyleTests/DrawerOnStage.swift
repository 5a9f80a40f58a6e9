import Foundation
import LoadingTesting
import Socks
import TerminalUI
import TerminalUITesting

@testable import Argyle

/// A drawer on the screen, with a manual clock.
@MainActor
final class DrawerOnStage {
  let api: ScriptedSockAPI
  let model: DrawerModel
  let toasts: ToastQueue
  let stage: Stage

  init(
    _ socks: [Sock], size: Size = Size(width: 60, height: 12), pictures: PictureSupply = .demo
  ) {
    let runtime = ManualRuntime()
    let (clock, scheduler) = (runtime.clock.any, runtime.scheduler)
    api = ScriptedSockAPI(socks, clock: clock)
    let model = DrawerModel(api, pictures: pictures, clock: clock, scheduler: scheduler)
    self.model = model
    let toasts = ToastQueue()
    self.toasts = toasts
    stage = Stage(
      size.width, size.height, environment: EnvironmentValues(DisplaySettings()),
      runtime: runtime
    ) {
      DrawerScreen(model: model, days: .demo).following(model, toasts: toasts).toasts(toasts)
    }
  }

  /// Presses keys, and lets a second pass, in which changes are saved.
  func press(_ keys: KeyPress...) {
    for key in keys { stage.press(key) }
    stage.advance(by: .seconds(1))
  }

  var selected: String? { model.current?.sock.name }
}

extension Sock {
  /// Socks of the names `Sock 000000` and so on.
  static func numbered(_ count: Int) -> [Sock] {
    (0..<count).map { number in
      let digits = String(number)
      return Sock(
        id: UUID(), name: "Sock " + String(repeating: "0", count: 6 - digits.count) + digits,
        sogginess: 40, created: Date(timeIntervalSince1970: 0),
        changed: Date(timeIntervalSince1970: 0))
    }
  }
}
