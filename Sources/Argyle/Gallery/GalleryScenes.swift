import TerminalUI

extension Scene {
  static let gallery = [
    Scene(
      "gallery", "A hundred colours, each loaded by itself; one in six fails.",
      at: .milliseconds(2100)
    ) { runtime in
      ProgramScene(runtime, part: .gallery)
    }
  ]
}
