import TerminalUI

extension Scene {
  static let catalog = [
    Scene(
      "catalog", "A storybook of loading states: live, with every option and the Swift for it.",
      at: .milliseconds(4100), keys: "@3.2 tab j enter"
    ) { runtime in
      ProgramScene(runtime, part: .catalog)
    }
  ]
}
