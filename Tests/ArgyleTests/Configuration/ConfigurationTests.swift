import Testing
import TerminalUI

@testable import Argyle

/// Tests of the settings in a configuration file, and of the messages about mistakes.
@Suite struct ConfigurationTests {
  @Test func `an empty file sets nothing`() throws {
    #expect(try Configuration(toml: "") == Configuration())
    #expect(try Configuration(toml: "# nothing\n[display]\n[keys]\n") == Configuration())
  }

  @Test func `the default file is read as the defaults`() throws {
    #expect(try Configuration(toml: Configuration().toml) == Configuration())
  }

  @Test func `the default file has every setting and every action`() {
    let text = Configuration().toml
    for setting in ConfigurationSettings.all { #expect(text.contains("\n\(setting.name) = ")) }
    for action in KeyTable.program.actions { #expect(text.contains("\n\(action.name) = [")) }
  }

  @Test func `a width of the feeds can be asked for, also the one that they have unasked`() throws {
    func width(_ text: String) throws -> Int? {
      try Configuration(toml: "[reader]\nfeeds-width = \(text)").reader.feedsWidth
    }
    #expect(Configuration().reader.feedsWidth == nil)
    #expect(try width("0") == nil)
    #expect(try width("32") == 32)
    for wrong in ["11", "201", "-1"] {
      #expect(problems("[reader]\nfeeds-width = \(wrong)").count == 1)
    }
  }

  @Test func `a tab can be named only once`() throws {
    #expect(try Configuration(toml: "[display]\ntabs = [\"socks\"]").tabs == [.socks])
    for wrong in ["[]", "[\"socks\", \"socks\"]"] {
      #expect(problems("[display]\ntabs = \(wrong)").count == 1)
    }
    let problem = try #require(problems("[display]\ntabs = []").first)
    #expect("\(problem)".contains("this is an empty list; it must be a list with at least one of"))
  }

  @Test(arguments: [
    (#"["articles", "news", "socks"]"#, "a list with “news”"),
    (#"["socks", "articles", "socks"]"#, "a list with “socks” twice"),
    (#"["articles", 3]"#, "a list with 3"),
  ])
  func `a wrong entry of a list of choices is named`(entries: String, words: String) throws {
    let problem = try #require(problems("[display]\ntabs = \(entries)").first)
    #expect("\(problem)".contains("this is \(words); it must be a list with at least one of"))
  }

  @Test func `what is set is read, and written so that it is read as the same`() throws {
    let configuration = try Configuration(
      toml: """
        [display]
        theme = "high-contrast"
        reduce-motion = true
        open-tab = "socks"
        [reader]
        measure = 100
        browsers = ["a \\"b\\"", "w3m"]
        [fetching]
        freshness = 60
        timeout = 0.5
        parallel = 8
        parallel-per-host = 2
        [keeping]
        days = 0
        articles-per-feed = 50
        unread = false
        [keys]
        next-unread = ["Z", "ctrl-n"]
        quit = []
        [[search]]
        name = "Swift"
        text = "swift \\"structured concurrency\\""
        """)
    var expected = Configuration()
    expected.display = DisplaySettings(theme: .highContrast, reduceMotion: true)
    expected.openTab = .socks
    expected.reader.measure = 100
    expected.browsers = ["a \"b\"", "w3m"]
    expected.fetching = FetchingSettings(
      freshness: 60, timeout: 0.5, parallel: 8, parallelPerHost: 2)
    expected.keeping = KeepingSettings(days: 0, articlesPerFeed: 50, unread: false)
    expected.keys = [.nextUnread: ["Z", KeySequence(.control("n"))], .quit: []]
    expected.searches = [
      SavedSearch(name: "Swift", text: "swift \"structured concurrency\"")
    ]
    #expect(configuration == expected)
    #expect(try Configuration(toml: configuration.toml) == expected)
  }

  @Test func `a value that cannot be is told with file, line, key and choices`() {
    #expect(
      problems("[display]\n# dark is nice\ntheme = \"pink\"\n") == [
        "f:3: display.theme: this is “pink”; the choices are auto, terminal, dark, light, "
          + "high-contrast, mono."
      ])
    #expect(
      problems("[reader]\nmeasure = 5") == [
        "f:2: reader.measure: this is 5; it must be a whole number from 20 to 400."
      ])
    #expect(
      problems("[fetching]\ntimeout = \"long\"") == [
        "f:2: fetching.timeout: this is “long”; it must be a number from 0.1 to 3600."
      ])
    #expect(
      problems("[reader]\nbrowsers = \"lynx\"") == [
        "f:2: reader.browsers: this is “lynx”; it must be a list of strings, "
          + "such as [\"a\", \"b\"]."
      ])
  }

  @Test func `a name that there is not is answered with what was meant`() {
    #expect(
      problems("[reader]\nmesure = 80") == [
        "f:2: reader.mesure: unknown setting; did you mean measure?"
      ])
    #expect(
      problems("[dispaly]\ntheme = \"dark\"") == [
        "f:1: dispaly: unknown table; did you mean display?"
      ])
    #expect(
      problems("theme = \"dark\"") == [
        "f:1: theme: this belongs in the table [display]."
      ])
    // A table and a setting have this name.
    for value in ["true", "1", "\"yes\""] {
      #expect(
        problems("full-text = \(value)") == [
          "f:1: full-text: this belongs in the table [fetching]."
        ])
    }
    #expect(
      problems("[keeping]\ncolour = 1") == [
        "f:2: keeping.colour: unknown setting; the choices are days, "
          + "articles-per-feed, unread."
      ])
  }

  @Test func `everything that is wrong is told at once, in the order of the lines`() {
    let all = problems("[keys]\nquit = [\"qq\"]\n[display]\nplain = 1\ntheme = 2\n")
    #expect(all.map { $0.prefix(4) } == ["f:2:", "f:4:", "f:5:"])
  }

  @Test func `what is no TOML is told with its line`() {
    #expect(
      problems("[display]\ntheme = dark") == [
        "f:2: “dark” is not a value; a string must be in quotes."
      ])
    #expect(
      problems("[reader]\nmeasure = 99999999999999999999") == [
        "f:2: “99999999999999999999” is too large a number."
      ])
    #expect(
      problems("[reader]\nmeasure = -99999999999999999999") == [
        "f:2: “-99999999999999999999” is too small a number."
      ])
  }

  @Test func `a saved search needs a name of its own and a text`() {
    #expect(problems("[[search]]\nname = \"a\"").count == 1)
    #expect(problems("[[search]]\nname = \"a\"\ntext = \" \"").count == 1)
    #expect(problems("[search]\nname = \"a\"\ntext = \"b\"").count == 1)
    let twice = "[[search]]\nname = \"a\"\ntext = \"b\"\n"
    #expect(
      problems(twice + twice) == [
        "f:4: search.name: there is already a search “a” above."
      ])
  }

  @Test func `a saved search that cannot be read is told with its line`() {
    #expect(
      problems("[[search]]\nname = \"a\"\ntext = \"unread and\"") == [
        "f:3: search.text: there is nothing after “and”. Complete the query, or remove that."
      ])
    #expect(problems("[[search]]\nname = \"a\"\ntext = 'unread (title:\"b c\" or age<7d)'") == [])
  }
}
