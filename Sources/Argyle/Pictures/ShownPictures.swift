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

  /// Whether pictures are drawn; otherwise a text takes their place.
  ///
  /// Without colours, pictures would be walls of identical blocks.
  var showsPictures: Bool { hasColors && !isPlain }
}
