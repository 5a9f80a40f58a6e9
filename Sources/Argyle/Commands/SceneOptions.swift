import ArgumentParser

/// What a scene begins with.
struct SceneOptions: ParsableArguments {
  @Option(help: "A number that everything begins with that looks like chance.")
  var seed: UInt64 = 1

  @Option(help: "How many cells the gallery has, from 1 to 100000.")
  var cells = 100

  func validate() throws {
    guard 1...100_000 ~= cells else {
      throw ValidationError("The gallery cannot have \(cells) cells, only 1 to 100000.")
    }
  }

  @OptionGroup var display: DisplayOptions
}

extension Scene {
  /// The scene that a person names.
  ///
  /// - Throws: `ValidationError` with the names that there are.
  static func asked(for name: String) throws -> Scene {
    if let scene = named(name) { return scene }
    throw ValidationError(
      "There is no scene “\(printable(name))”. There are: "
        + all.map(\.name).joined(separator: ", ") + ".")
  }
}
