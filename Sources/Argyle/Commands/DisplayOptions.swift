import ArgumentParser

/// How everything is drawn.
struct DisplayOptions: ParsableArguments {
  @Option(help: "The colours (default: the terminal's own; $ARGYLE_THEME).")
  var theme: ThemeName?

  @Flag(help: "Nothing moves by itself ($ARGYLE_REDUCE_MOTION).")
  var reduceMotion = false

  @Flag(help: "No boxes and no ornaments, states as words ($ARGYLE_PLAIN).")
  var plain = false

  /// `settings`, changed by what was asked for.
  func applied(to settings: DisplaySettings) -> DisplaySettings {
    DisplaySettings(
      theme: theme ?? settings.theme, reduceMotion: reduceMotion || settings.reduceMotion,
      isPlain: plain || settings.isPlain)
  }
}

extension ThemeName: ExpressibleByArgument {}
