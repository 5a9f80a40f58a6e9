import Loading
import TerminalUI
import Testing

@testable import Argyle

/// Tests of settings that follow a file.
@MainActor
@Suite struct LiveSettingsTests {
  private let failure = ConfigurationFailure(path: "config.toml", reason: .unreadable("it is gone"))

  @Test func `of several mistakes the first is told, and how many there are besides`() {
    let problems = (1...3).map { ConfigurationProblem(line: $0, key: "keys", message: "no \($0)") }
    let failure = ConfigurationFailure(
      path: "/x/config.toml", reason: .problems(ConfigurationProblems(all: problems)))
    #expect(failure.summary.hasPrefix("config.toml:1: "))
    #expect(failure.summary.hasSuffix("no 1. And 2 more."), "\(failure.summary)")
  }

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

  @MainActor
  private final class Shown {
    var toasts: ToastQueue?
  }

  @Test func `the same mistake saved again is told again, and once at a time`() throws {
    let settings = LiveSettings(Settings(environment: [:]))
    let shown = Shown()
    let scene = Scene("program", "", at: .zero) { runtime in
      let model = ProgramModel(
        settings: settings, part: .articles, source: DemoScript(.full).source,
        socks: Resource(name: "drawer", clock: runtime.clock, scheduler: runtime.scheduler),
        pictures: .demo, scripted: runtime, clock: runtime.clock, scheduler: runtime.scheduler)
      shown.toasts = model.toasts
      return RootScreen(model: model, days: .demo)
    }
    let still = Still(scene, 100, 24)
    defer { still.end() }
    still.run(to: .seconds(1))
    let toasts = try #require(shown.toasts)
    // A key, after which the program draws what has changed.
    let key = try KeyScript("j")
    settings.take(.failure(failure))
    still.play(key)
    #expect(still.frame.text.contains(failure.summary))
    toasts.dismiss()
    still.play(key)
    #expect(!still.frame.text.contains(failure.summary))
    for _ in 1...2 {
      settings.take(.failure(failure))
      still.play(key)
      #expect(still.frame.text.contains(failure.summary))
      #expect(toasts.count == 1)
    }
    settings.take(.success(Configuration()))
    #expect(toasts.count == 0)
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
