import ArgumentParser

/// The options for how everything is drawn.
struct DisplayOptions: ParsableArguments {
  @Option(
    help: "The colours: a theme of the program, or one of the configuration file ($ARGYLE_THEME).")
  var theme: ThemeName?

  @Flag(
    inversion: .prefixedNo,
    help: "Show no animation (--no-reduce-motion: show it) ($ARGYLE_REDUCE_MOTION).")
  var reduceMotion: Bool?

  @Flag(
    inversion: .prefixedNo,
    help: """
      Draw no boxes and ornaments, and show states in words, for screen readers (--no-plain: draw \
      them) ($ARGYLE_PLAIN).
      """)
  var plain: Bool?

  /// Returns the configured settings, overridden by these options.
  ///
  /// - Throws: `ValidationError` if an option or the environment names an unknown theme.
  func applied(to settings: Settings) throws -> Settings {
    let applied = overriding(settings)
    guard let name = applied.unknownTheme else { return applied }
    let names = settings.configuration.display.themeNames.joined(separator: ", ")
    throw ValidationError(
      (theme == nil
        ? "ARGYLE_THEME is “\(printable(name))”, which is not a theme."
        : "“\(printable(name))” is not a theme.") + " The themes are: \(printable(names)).")
  }

  /// Returns `settings`, overridden by these options; a theme that does not exist is only noted in
  /// ``Settings/unknownTheme``.
  func overriding(_ settings: Settings) -> Settings {
    var applied = settings
    let display = settings.configuration.display
    if let theme {
      let isKnown = display.themeNames.contains(theme.rawValue)
      applied.unknownTheme = isKnown ? nil : theme.rawValue
      if isKnown { applied.configuration.display.theme = theme }
    }
    applied.configuration.display.reduceMotion = reduceMotion ?? display.reduceMotion
    applied.configuration.display.isPlain = plain ?? display.isPlain
    return applied
  }
}

extension ThemeName: ExpressibleByArgument {}
