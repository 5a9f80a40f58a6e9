import TerminalUI

private enum HasColorsKey: EnvironmentKey {
  static var defaultValue: Bool { true }
}

extension EnvironmentValues {
  /// Whether the terminal shows colours.
  var hasColors: Bool {
    get { self[HasColorsKey.self] }
    set { self[HasColorsKey.self] = newValue }
  }

  /// Whether pictures are drawn; else there are words in their place.
  ///
  /// Without colours they would be walls of equal blocks.
  var showsPictures: Bool { hasColors && !isPlain }
}
