import Testing
import TerminalUI

@testable import Argyle

/// Tests of settings that follow a file.
@MainActor
@Suite struct LiveSettingsTests {
  private let failure = ConfigurationFailure(path: "config.toml", reason: .unreadable("it is gone"))

  @Test func `an edit is told to everyone who applies settings, once`() {
    let live = LiveSettings(Settings(environment: [:]))
    var themes: [ThemeName] = []
    live.apply { themes.append($0.configuration.display.theme) }
    var configuration = Configuration()
    configuration.display.theme = .dark
    live.take(.success(configuration))
    live.take(.success(configuration))
    #expect(themes == [.auto, .dark])
    #expect(live.current.configuration == configuration)
  }

  @Test func `an edit that cannot be taken changes nothing, and is forgotten with the next`() {
    var configuration = Configuration()
    configuration.keys = [.quit: ["Z"]]
    let live = LiveSettings(Settings(environment: [:], configuration: configuration))
    live.take(.failure(failure))
    #expect(live.failure == failure)
    #expect(live.current.configuration == configuration)
    live.take(.success(configuration))
    #expect(live.failure == nil)
  }

  @Test func `what goes before the file still does after an edit`() {
    let live = LiveSettings(Settings(environment: ["ARGYLE_THEME": "light"])) {
      Settings(environment: ["ARGYLE_THEME": "light"], configuration: $0)
    }
    var configuration = Configuration()
    configuration.display.theme = .dark
    configuration.reader.measure = 40
    live.take(.success(configuration))
    #expect(live.current.configuration.display.theme == .light)
    #expect(live.current.configuration.reader.measure == 40)
  }
}
