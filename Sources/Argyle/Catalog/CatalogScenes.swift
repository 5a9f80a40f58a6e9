import TerminalUI

extension Scene {
  static let catalog = [
    Scene(
      "catalog", "Every style and option of a loading view, live, with its states to force.",
      at: .seconds(4)
    ) { runtime in
      ProgramScene(runtime, part: .catalog)
    }
  ]
}
