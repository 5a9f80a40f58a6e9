import TerminalUI
import Testing

@testable import Argyle

/// Tests of the user's own themes, tables `[[theme]]`.
@Suite struct ThemeSettingTests {
  private func warnings(_ lines: String...) throws -> [String] {
    try Configuration(toml: "[[theme]]\nname = \"sea\"\n" + lines.joined(separator: "\n"))
      .display.ownThemes.flatMap(\.warnings)
  }

  @Test func `a theme has the colours of another one but for its own`() throws {
    let configuration = try Configuration(
      toml: """
        [display]
        theme = "sea"
        [[theme]]
        name = "sea"
        based-on = "dark"
        accent = "#8fD3ff"
        failure = "bright-red"
        code = 208
        plate = "default"
        """)
    #expect(configuration.display.theme.rawValue == "sea")
    let theme = configuration.display.colors(on: nil)
    #expect(theme.accent == Color(red: 0x8F, green: 0xD3, blue: 0xFF))
    #expect(theme.failure == .palette(9))
    #expect(theme.code == .palette(208))
    #expect(theme.plate == .default)
    #expect(theme.secondary == Theme.dark.secondary)
    #expect(try Configuration(toml: configuration.toml) == configuration)
  }

  @Test func `a theme without a base is dark or light, as the terminal is`() throws {
    let display = try Configuration(
      toml: "[display]\ntheme = \"sea\"\n[[theme]]\nname = \"sea\"\naccent = \"red\""
    ).display
    #expect(display.colors(on: Theme.light.ground).secondary == Theme.light.secondary)
    #expect(display.colors(on: Theme.dark.ground).secondary == Theme.dark.secondary)
    #expect(display.colors(on: nil).secondary == Theme.standard.secondary)
    #expect(display.colors(on: Theme.light.ground).accent == .red)
  }

  @Test func `a colour that is none is refused with its line`() {
    let names =
      "default, black, bright-black, red, bright-red, green, bright-green, yellow, bright-yellow, blue, "
      + "bright-blue, magenta, bright-magenta, cyan, bright-cyan, white, bright-white"
    for (typed, told) in [
      ("\"#12345\"", "“#12345”"), ("\"#12345g\"", "“#12345g”"), ("\"pink\"", "“pink”"),
      ("256", "256"), ("-1", "-1"), ("[1]", "a list"),
    ] {
      #expect(
        problems("[[theme]]", "name = \"sea\"", "accent = \(typed)") == [
          "f:3: theme.accent: this is \(told); it must be a colour: \"#rrggbb\", a number from 0 to "
            + "255, or one of \(names)."
        ])
    }
  }

  @Test func `a theme needs a name that no other has, and a base of the program's`() {
    #expect(problems("[[theme]]", "accent = \"red\"") == ["f:1: theme: a theme must have a name."])
    #expect(
      problems("[[theme]]", "name = \"dark\"") == [
        "f:2: theme.name: this is “dark”; it must be a name other than auto, terminal, dark, light, "
          + "high-contrast, mono."
      ])
    #expect(
      problems("[[theme]]", "name = \"a\"", "[[theme]]", "name = \"a\"") == [
        "f:3: theme.name: there is already a theme “a” above."
      ])
    #expect(
      problems("[[theme]]", "name = \"a\"", "based-on = \"b\"", "acent = 1") == [
        "f:3: theme.based-on: this is “b”; the choices are auto, terminal, dark, light, "
          + "high-contrast, mono.", "f:4: theme.acent: unknown setting; did you mean accent?",
      ])
  }

  @Test func `a theme that there is not is refused with all that there are`() {
    #expect(
      problems("[display]", "theme = \"see\"", "[[theme]]", "name = \"sea\"") == [
        "f:2: display.theme: this is “see”; the choices are auto, terminal, dark, light, "
          + "high-contrast, mono, sea."
      ])
  }

  @Test func `colours that are hard to read are named, with what they are on`() throws {
    #expect(
      try warnings("based-on = \"dark\"", "accent = \"#303030\"", "selection = \"#f0f0f0\"") == [
        "theme “sea”: accent (\"#303030\") on ground (\"#171a20\") has a contrast of 1.3; below 4.5 "
          + "words are hard to read.",
        "theme “sea”: accent (\"#303030\") on plate (\"#232a36\") has a contrast of 1.0; below 4.5 "
          + "words are hard to read.",
        "theme “sea”: selected-text (\"#f2f5f8\") on selection (\"#f0f0f0\") has a contrast of 1.0; "
          + "below 4.5 words are hard to read.",
      ])
    let pair = try warnings("selected-text = \"#101010\"", "selection = \"#202020\"")
    #expect(pair.count == 1, "it is the same on a dark and on a light background")
    #expect(try warnings("based-on = \"dark\"") == [])
    #expect(try warnings("") == [])
    // The terminal's own settings decide about the contrast.
    #expect(try warnings("based-on = \"terminal\"", "accent = \"#303030\"") == [])
  }

  @Test func `the environment and an option choose a theme of one's own`() throws {
    var configuration = Configuration()
    configuration.display.ownThemes = [OwnTheme(name: "sea", colors: [:])]
    let settings = Settings(
      environment: ["ARGYLE_THEME": "sea"], configuration: configuration)
    #expect(settings.unknownTheme == nil)
    #expect(settings.configuration.display.theme.rawValue == "sea")
    let options = try DisplayOptions.parse(["--theme", "sea"])
    let chosen = try options.applied(to: Settings(environment: [:], configuration: configuration))
    #expect(chosen.configuration.display.theme.rawValue == "sea")
    #expect(throws: (any Error).self) { try options.applied(to: Settings(environment: [:])) }
  }
}
