import ArgumentParser
import Articles
import Foundation
import Loading
import Pictures
import Socks
import TerminalUI

/// The `open` command: opens the reader.
struct OpenCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "open", abstract: "Open the reader (the default).")
  @OptionGroup var unknown: UnknownWords
  @OptionGroup var options: LibraryOptions
  @OptionGroup var display: DisplayOptions

  /// The command as `argyle` alone gives it: the parser would take a tenth of the time of a start to
  /// find no arguments.
  static var withoutArguments: OpenCommand {
    var unknown = UnknownWords()
    unknown.words = []
    var options = LibraryOptions()
    var configuration = ConfigurationOptions()
    configuration.config = nil
    (options.dataDirectory, options.log) = (nil, nil)
    options.configuration = configuration
    var display = DisplayOptions()
    (display.theme, display.reduceMotion, display.plain) = (nil, nil, nil)
    var command = OpenCommand()
    (command.unknown, command.options, command.display) = (unknown, options, display)
    return command
  }

  @MainActor
  func run() async throws {
    try unknown.refuse(in: Argyle.self)
    let file = options.configuration.chosenFile
    let configuration = try file.read()
    let settings = try display.applied(to: options.settings(configuration))
    try settings.checkTimeout()
    let live = LiveSettings(settings, file: file) { [options, display] configuration in
      display.overriding(options.settings(configuration))
    }
    try await open(live)
  }

  @MainActor
  private func open(_ settings: LiveSettings) async throws {
    TerminalApp.putMainThreadFirst()
    try options.openLog(settings.current)
    let log = LoadLog.current.withLock(\.self)
    let observer = LoadingObserver { log?.add($0) }
    let focus = LoadGate("unfocused")
    let scheduler = LoadScheduler.terminal.observed(by: observer).refreshing(whileOpen: focus)
    let network = NetworkMonitor(clock: .terminal)
    let client = options.client(settings.current) { report in
      network.note(report)
      log?.add(report)
    }
    let threads = Library.Threads(feeds: WorkerPool(width: 4), articles: WorkerPool(width: 2))
    let library = try options.library(settings.current, client: client, threads: threads)
    // Before the model, which may read lists again when the settings change.
    settings.apply { settings in
      let configuration = settings.configuration
      library.options = settings.libraryOptions
      client.setPlaces(
        configuration.fetching.parallel, perHost: configuration.fetching.parallelPerHost)
    }
    let pictures = PictureSupply(
      PictureLibrary(
        client: client, requestLimits: { library.options.limits },
        folder: settings.current.pictureDirectory, network: network.gate,
        retryDate: { CacheHeaders.retryDate($0, now: Date()) }))
    let model = ProgramModel(
      settings: settings,
      source: ArticleSource(
        library, passwords: KeptPasswords(directory: settings.current.dataDirectory),
        network: network.gate,
        dayStart: { DayText.local.dayStart }),
      socks: Resource(
        .drawer(in: settings.current, pictures: pictures, scheduler: scheduler), name: "drawer",
        clock: .terminal, scheduler: scheduler),
      pictures: pictures,
      seed: .random(in: .min ... .max),
      scheduler: scheduler)
    if library.isReadOnly { model.toasts.show(LibraryOptions.readOnlyWords) }
    model.reader.prepare()
    try await Program(settings: settings).run(
      scheduler: scheduler, focus: focus, work: model.work
    ) {
      RootScreen(model: model, days: .local).environment(observer)
    }
  }
}
