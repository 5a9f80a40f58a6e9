import TerminalUI

extension Scene {
  static let gallery = [
    Scene(
      "gallery", "A hundred colours, each loaded separately; one in six fails.",
      at: .milliseconds(2100)
    ) { runtime in
      ProgramScene(runtime, part: .gallery)
    }
  ]
}
