import ArgumentParser

/// The options of a scene's start.
struct SceneOptions: ParsableArguments {
  @Option(help: "The seed of everything random.")
  var seed: UInt64 = 1

  @Option(parsing: .unconditional, help: "The number of cells in the gallery, from 1 to 100000.")
  var cells = 100

  func validate() throws {
    guard 1...100_000 ~= cells else {
      throw ValidationError("The gallery must have 1 to 100000 cells.")
    }
  }

  @OptionGroup var display: DisplayOptions
}

extension Scene {
  /// Returns the scene that the user named.
  ///
  /// - Throws: `ValidationError` with the names of all scenes.
  static func asked(for name: String) throws -> Scene {
    if let scene = named(name) { return scene }
    throw ValidationError(
      "Unknown scene “\(printable(name))”. The scenes are: "
        + all.map(\.name).joined(separator: ", ") + ".")
  }
}
