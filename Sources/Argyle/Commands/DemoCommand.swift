import ArgumentParser
import Foundation
import Loading
import TerminalUI

/// The `demo` command: runs a scene on the terminal.
struct DemoCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "demo", abstract: "Run the program on scripted data.",
    discussion: "The demo reads no file, saves nothing and needs no network.")

  @Argument(help: "The scene.", completion: .list(Scene.all.map(\.name)))
  var scene = "articles"

  @Flag(help: "List the scenes.")
  var list = false

  @Option(parsing: .unconditional, help: "The speed of time, from 0.1 to 20.")
  var speed = 1.0

  @OptionGroup var options: SceneOptions

  func validate() throws {
    _ = try Scene.asked(for: scene)
    guard 0.1...20 ~= speed else {
      throw ValidationError("The speed must be between 0.1 and 20.")
    }
  }

  func run() async throws {
    guard list else { return try await play(try Scene.asked(for: scene)) }
    let width = Scene.all.map(\.name.count).max() ?? 0
    let lines = Scene.all.map { scene in
      scene.name.padding(toLength: width + 2, withPad: " ", startingAt: 0) + scene.summary + "\n"
    }
    try StandardOutput.write(lines.joined())
  }

  @MainActor
  private func play(_ scene: Scene) async throws {
    let settings = try options.display.applied(
      to: Settings(environment: Settings.processEnvironment))
    let clock = AnyClock.terminal.running(at: speed)
    let focus = LoadGate("unfocused")
    let runtime = SceneRuntime(
      clock: clock, scheduler: .terminal.refreshing(whileOpen: focus),
      observer: LoadingObserver(), seed: options.seed, cells: options.cells)
    let view = scene.makeView(runtime)
    try await Program(settings: LiveSettings(settings)).run(
      clock: clock, scheduler: runtime.scheduler, focus: focus,
      film: scene.isFilm ? scene.keys : nil
    ) { view }
  }
}

extension AnyClock {
  /// Returns a clock that is `speed` times as fast as this one.
  func running(at speed: Double) -> AnyClock {
    guard speed != 1 else { return self }
    let start = now
    return AnyClock(
      minimumResolution: minimumResolution,
      now: { Instant(offset: start.duration(to: now) * speed) },
      sleep: { deadline, tolerance in
        try await sleep(
          until: start.advanced(by: deadline.offset / speed), tolerance: tolerance)
      })
  }
}
