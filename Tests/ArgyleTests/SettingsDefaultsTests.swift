import Foundation
import Testing

@testable import Argyle

struct SettingsDefaultsTests {
  @Test func `the command without arguments has the options that the parser finds in none`() throws
  {
    let (made, parsed) = (OpenCommand.withoutArguments, try OpenCommand.parse([]))
    #expect(made.unknown.words == parsed.unknown.words)
    for option in [\LibraryOptions.dataDirectory, \.configuration.config, \.log] {
      #expect(made.options[keyPath: option] == parsed.options[keyPath: option])
    }
    #expect(made.display.theme == parsed.display.theme)
    for flag in [\DisplayOptions.reduceMotion, \.plain] {
      #expect(made.display[keyPath: flag] == parsed.display[keyPath: flag])
    }
  }

  @Test func `without an environment everything has a place and a default`() {
    let settings = Settings(environment: [:], registeredHome: "/home/ann")
    #expect(settings.dataDirectory == "/home/ann/.local/share/argyle")
    #expect(settings.logFile == "/home/ann/.local/state/argyle/argyle.log")
    #expect(settings.terminalType == "dumb")
    #expect(settings.configuration == Configuration())
    #expect(!settings.isColorless)
    #expect(settings.configurationFile == "/home/ann/.config/argyle/config.toml")
  }

  @Test(arguments: [[:], ["HOME": ""], ["HOME": "relative"]])
  func `without a home in the environment nothing is kept in a folder that others share`(
    environment: [String: String]
  ) throws {
    let home = String(cString: try #require(getpwuid(getuid())?.pointee.pw_dir))
    #expect(Settings(environment: environment).dataDirectory == home + "/.local/share/argyle")
  }

  @Test func `the base directories are taken where they are absolute`() {
    let absolute = Settings(environment: [
      "HOME": "/home/ann", "XDG_DATA_HOME": "/data", "XDG_STATE_HOME": "/state",
    ])
    #expect(absolute.dataDirectory == "/data/argyle")
    #expect(absolute.logFile == "/state/argyle/argyle.log")
    let relative = Settings(environment: [
      "HOME": "/home/ann", "XDG_DATA_HOME": "data", "XDG_STATE_HOME": "",
    ])
    #expect(relative.dataDirectory == "/home/ann/.local/share/argyle")
    #expect(relative.logFile == "/home/ann/.local/state/argyle/argyle.log")
  }

  @Test func `the option for the data goes before the environment`() {
    let settings = Settings(environment: ["XDG_DATA_HOME": "/data"], dataDirectory: "here")
    #expect(settings.dataDirectory == "here")
  }

  @Test func `a variable that is empty is not set`() {
    let settings = Settings(environment: ["NO_COLOR": "", "TERM": "", "BROWSER": ""])
    #expect(!settings.isColorless)
    #expect(settings.terminalType == "dumb")
    #expect(settings.configuration.browsers.first == "xdg-open")
    #expect(Settings(environment: ["NO_COLOR": "0"]).isColorless)
  }

  @Test(arguments: [
    ("2", 2.0), ("0.5", 0.5), ("0", 20), ("-3", 20), ("1e9", 20), ("nan", 20), ("soon", 20),
    ("", 20),
  ])
  func `the time-out is a sensible number of seconds, or the default`(text: String, value: Double) {
    #expect(Settings(environment: ["ARGYLE_TIMEOUT": text]).configuration.fetching.timeout == value)
  }
}
