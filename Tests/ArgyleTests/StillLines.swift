import Loading
import TerminalUI

@testable import Argyle

extension Still {
  /// The rows, without blanks and scroll bars at their ends.
  var lines: [String] {
    frame.text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
      String(line.reversed().drop { $0 == "▐" || $0 == " " }.reversed())
    }
  }
}

extension Still {
  /// Makes a picture of a scene with the usual settings of the display.
  convenience init(_ scene: Scene, _ width: Int, _ height: Int) {
    self.init(
      scene, size: Size(width: width, height: height),
      environment: EnvironmentValues(DisplaySettings()))
  }
}

/// Returns the rows of what `argyle screenshot` draws.
@MainActor
func screenshot(_ arguments: [String]) throws -> [String] {
  try ScreenshotCommand.parse(arguments).picture()
    .split(separator: "\n", omittingEmptySubsequences: false).dropLast().map(String.init)
}

@MainActor
func screenshot(_ arguments: String...) throws -> [String] { try screenshot(arguments) }

extension Scene {
  /// The whole program on the reader's tab, with the full demo data as `change` alters it.
  @MainActor
  static func program(_ change: @escaping @MainActor (inout ArticleSource) -> Void) -> Scene {
    Scene("program", "", at: .zero) { runtime in
      var source = DemoScript(.full).source
      change(&source)
      let model = ProgramModel(
        part: .articles, source: source,
        socks: Resource(name: "drawer", clock: runtime.clock, scheduler: runtime.scheduler),
        pictures: .demo, scripted: runtime, clock: runtime.clock, scheduler: runtime.scheduler)
      return RootScreen(model: model, days: .demo)
    }
  }
}
