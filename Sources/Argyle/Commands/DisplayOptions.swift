import ArgumentParser

/// How everything is drawn.
struct DisplayOptions: ParsableArguments {
  @Option(help: "The colours ($ARGYLE_THEME).")
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

  /// The configured settings, overridden by these options.
  ///
  /// - Throws: `ValidationError` when the environment names a theme that there is not.
  func applied(to settings: Settings) throws -> Settings {
    if let name = settings.unknownTheme, theme == nil {
      let names = ThemeName.allCases.map(\.rawValue).joined(separator: ", ")
      throw ValidationError(
        "ARGYLE_THEME is “\(printable(name))”, which is not a theme. The themes are: \(names).")
    }
    var settings = settings
    settings.configuration.display = applied(to: settings.configuration.display)
    return settings
  }

  /// `settings`, changed by what was asked for.
  func applied(to settings: DisplaySettings) -> DisplaySettings {
    DisplaySettings(
      theme: theme ?? settings.theme, reduceMotion: reduceMotion ?? settings.reduceMotion,
      isPlain: plain ?? settings.isPlain)
  }
}

extension ThemeName: ExpressibleByArgument {}
