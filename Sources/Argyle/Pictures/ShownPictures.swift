import TerminalUI

private enum ColorDepthKey: EnvironmentKey {
  static var defaultValue: ColorDepth { .direct }
}

extension EnvironmentValues {
  /// How many colours the terminal shows.
  var colorDepth: ColorDepth {
    get { self[ColorDepthKey.self] }
    set { self[ColorDepthKey.self] = newValue }
  }

  /// Whether pictures are drawn; otherwise a text takes their place.
  ///
  /// Without colours, pictures would be walls of identical blocks.
  var showsPictures: Bool { colorDepth != .monochrome && !isPlain }
}
