import TerminalUI

extension Scene {
  static let catalog = [
    Scene(
      "catalog", "Every style and option of a loading view, live, in every state.",
      at: .seconds(4)
    ) { runtime in
      ProgramScene(runtime, part: .catalog)
    }
  ]
}
