import ArgumentParser

/// The options for how everything is drawn.
struct DisplayOptions: ParsableArguments {
  @Option(
    help: "The colours: a theme of the program, or one of the configuration file ($ARGYLE_THEME).")
  var theme: ThemeName?

  @Flag(inversion: .prefixedNo, help: "Whether to do without animation ($ARGYLE_REDUCE_MOTION).")
  var reduceMotion: Bool?

  @Flag(
    inversion: .prefixedNo,
    help: """
      Whether to draw no boxes and ornaments, and to show states in words, for screen readers \
      ($ARGYLE_PLAIN).
      """)
  var plain: Bool?

  /// Returns the configured settings, overridden by these options.
  ///
  /// - Throws: `ValidationError` if the environment names an unknown theme.
  func applied(to settings: Settings) throws -> Settings {
    if let name = settings.unknownTheme, theme == nil {
      let names = settings.configuration.display.themeNames.joined(separator: ", ")
      throw ValidationError(
        "ARGYLE_THEME is “\(printable(name))”, which is not a theme. The themes are: "
          + "\(printable(names)).")
    }
    var settings = settings
    settings.configuration.display = try applied(to: settings.configuration.display)
    return settings
  }

  /// Returns `settings`, overridden by these options.
  ///
  /// - Throws: `ValidationError` if there is no theme with the chosen name.
  func applied(to settings: DisplaySettings) throws -> DisplaySettings {
    if let theme, !settings.themeNames.contains(theme.rawValue) {
      let names = settings.themeNames.joined(separator: ", ")
      throw ValidationError(
        "“\(printable(theme.rawValue))” is not a theme. The themes are: \(printable(names)).")
    }
    var applied = settings
    applied.theme = theme ?? settings.theme
    applied.reduceMotion = reduceMotion ?? settings.reduceMotion
    applied.isPlain = plain ?? settings.isPlain
    return applied
  }
}

extension ThemeName: ExpressibleByArgument {}
