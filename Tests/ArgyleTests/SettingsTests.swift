import ArgumentParser
import Foundation
import PseudoTerminal
import Testing

@testable import Argyle

@Suite struct SettingsTests {
  private func settings(_ environment: [String: String], _ arguments: String...) throws -> Settings
  {
    try DisplayOptions.parse(arguments).applied(to: Settings(environment: environment))
  }

  @Test func `without a wish everything moves, in the terminal's own colours`() throws {
    #expect(try settings([:]).configuration.display == DisplaySettings())
  }

  @Test func `the environment says how everything is drawn`() throws {
    let display = try settings([
      "ARGYLE_THEME": "high-contrast", "ARGYLE_REDUCE_MOTION": "1", "ARGYLE_PLAIN": "1",
    ]).configuration.display
    #expect(
      display == DisplaySettings(theme: .highContrast, reduceMotion: true, isPlain: true))
  }

  @Test func `an option counts more than the environment`() throws {
    let display = try settings(["ARGYLE_THEME": "dark"], "--theme", "light", "--plain")
      .configuration.display
    #expect(display == DisplaySettings(theme: .light, isPlain: true))
  }

  @Test func `a variable that is 0 switches off what the file has switched on`() throws {
    var configuration = Configuration()
    configuration.display.isPlain = true
    configuration.display.reduceMotion = true
    let variables = ["ARGYLE_PLAIN": "0", "ARGYLE_REDUCE_MOTION": "0"]
    let settings = Settings(environment: variables, configuration: configuration)
    #expect(settings.configuration.display == DisplaySettings())
  }

  @Test func `an empty variable is none`() throws {
    #expect(
      try settings(["ARGYLE_THEME": "", "ARGYLE_PLAIN": "", "ARGYLE_REDUCE_MOTION": ""])
        .configuration.display
        == DisplaySettings())
  }

  @Test(arguments: [
    ("/mnt/pods", "/mnt/pods"), ("~/pods", "/home/maud/pods"), ("~", "/home/maud"),
    ("pods", "/home/maud/pods"),
  ])
  func `a folder that is not absolute is below the home`(chosen: String, path: String) {
    var configuration = Configuration()
    configuration.podcasts.folder = chosen
    configuration.reader.saveFolder = chosen
    let settings = Settings(environment: ["HOME": "/home/maud"], configuration: configuration)
    #expect(settings.downloadFolder == path)
    #expect(settings.saveFolder == path)
  }

  @Test func `the documents folder is that of the desktop, whatever its language`() throws {
    let home = try TemporaryDirectory()
    let files = FileManager.default
    for name in [".config", "Documents", "Dokumente \"neu\""] {
      try files.createDirectory(atPath: home.path + "/" + name, withIntermediateDirectories: true)
    }
    func saveFolder(_ line: String) throws -> String {
      try Data("# A comment\nXDG_MUSIC_DIR=\"$HOME/Musik\"\n\(line)\n".utf8)
        .write(to: URL(filePath: home.path + "/.config/user-dirs.dirs"))
      return Settings(environment: ["HOME": home.path]).saveFolder
    }
    let own = home.path + "/Dokumente \"neu\""
    #expect(try saveFolder(#"XDG_DOCUMENTS_DIR="$HOME/Dokumente \"neu\"" "#) == own)
    let escaped = own.replacing("\"", with: "\\\"")
    #expect(try saveFolder("XDG_DOCUMENTS_DIR=\"\(escaped)\"") == own)
    for line in ["", "XDG_DOCUMENTS_DIR=\"$HOME/gone\"", "XDG_DOCUMENTS_DIR=\"relative\""] {
      #expect(try saveFolder(line) == home.path + "/Documents")
    }
  }

  @Test func `a theme that does not exist any more takes no other option with it`() throws {
    let file = Settings(environment: [:])
    let settings = try DisplayOptions.parse(["--plain", "--reduce-motion", "--theme", "sea"])
      .overriding(file)
    let display = DisplaySettings(theme: .auto, reduceMotion: true, isPlain: true)
    #expect(settings.configuration.display == display)
    #expect(settings.unknownTheme == "sea")
  }

  @Test func `a tilde of an option or the environment is the home`() {
    let settings = Settings(
      environment: ["HOME": "/home/maud", "ARGYLE_LOG": "~/log"], dataDirectory: "~/data")
    #expect(settings.dataDirectory == "/home/maud/data")
    #expect(settings.loadLog == "/home/maud/log")
  }

  @Test func `a theme that does not exist is answered with those that do`() throws {
    #expect {
      try settings(["ARGYLE_THEME": "pink"])
    } throws: { error in
      let text = "\(error)"
      return text.contains("pink")
        && text.contains("auto, terminal, dark, light, high-contrast, mono")
    }
    #expect(
      try settings(["ARGYLE_THEME": "pink"], "--theme", "mono").configuration.display.theme
        == .mono)
  }

  @Test(arguments: ["foo", "0", "-1", "3601", "nan"])
  func `a time-out that is none is refused, with what it can be`(text: String) throws {
    let settings = try settings(["ARGYLE_TIMEOUT": text])
    #expect(settings.configuration.fetching.timeout == FetchingSettings().timeout)
    do {
      try settings.checkTimeout()
      Issue.record("it was taken")
    } catch {
      #expect(
        error.message.text
          == "ARGYLE_TIMEOUT is “\(text)”. Set it to a number of seconds from 0.1 to 3600, or to nothing."
      )
    }
    try self.settings(["ARGYLE_TIMEOUT": ""]).checkTimeout()
    try self.settings(["ARGYLE_TIMEOUT": "0.5"]).checkTimeout()
  }

  @Test func `no variable of the environment says which addresses are public`() throws {
    // An earlier version read it in every build, for tests.
    let settings = try settings(["ARGYLE_TEST_PUBLIC": "127.0.0.1"])
    #expect(try settings == self.settings([:]))
  }

  @Test
  func `an option goes before the environment, that before the file, that before the default`()
    throws
  {
    var file = Configuration()
    file.display = DisplaySettings(theme: .light, reduceMotion: true, isPlain: true)
    file.browsers = ["w3m"]
    file.fetching.timeout = 7
    func configuration(
      _ environment: [String: String], _ arguments: String...
    ) throws -> Configuration {
      let settings = Settings(environment: environment, configuration: file)
      return try DisplayOptions.parse(arguments).applied(to: settings).configuration
    }
    #expect(try configuration([:]) == file)
    #expect(try configuration(["ARGYLE_THEME": "dark"]).display.theme == .dark)
    #expect(
      try configuration(["ARGYLE_THEME": "dark"], "--theme", "terminal").display.theme == .terminal)
    #expect(try configuration(["ARGYLE_TIMEOUT": "3"]).fetching.timeout == 3)
    #expect(try configuration(["BROWSER": "lynx"]).browsers == ["lynx", "w3m"])
    #expect(
      try configuration(["BROWSER": "firefox --tab %s:lynx"]).browsers
        == ["firefox --tab %s", "lynx", "w3m"])
    let still = try configuration([:], "--no-reduce-motion", "--no-plain").display
    #expect(!still.reduceMotion && !still.isPlain)
  }
}
