import Articles
import Foundation
import Loading
import Storage
import TerminalUI

/// Shows a view of this program on a real terminal.
struct Program {
  let settings: LiveSettings

  /// How many seconds the program may take to end; saving gets two of them.
  private static let endingTime = 3
  /// How much of that is reserved for what follows saving: restoring the terminal, reporting what
  /// was not saved, and closing files.
  private static let closingTime = Duration.milliseconds(750)

  /// Makes the file for what libraries print while the screen is shown; returns nil if it cannot be
  /// written, since nobody has asked for it.
  private static func libraryLog(at path: String) -> String? {
    let files = FileManager.default
    try? files.createDirectory(
      atPath: (path as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
    if !files.fileExists(atPath: path) {
      _ = files.createFile(atPath: path, contents: nil, attributes: [.posixPermissions: 0o600])
    }
    return files.isWritableFile(atPath: path) ? path : nil
  }

  /// Runs until the user quits.
  ///
  /// If a signal ended the run, the process ends by that signal.
  ///
  /// - Parameters:
  ///   - focus: the gate that is closed while another window has the focus.
  ///   - work: what is saved before the end, whether a key or a signal ends the run.
  ///   - film: keys that are pressed for the user, who can press others meanwhile.
  /// - Throws: `TerminalError`, or ``ExitStatus/locked`` if something was not saved in time;
  ///   standard error and the log say what.
  @MainActor
  func run(
    clock: AnyClock = .terminal, scheduler: LoadScheduler = .terminal,
    focus: LoadGate, work: UnfinishedWork? = nil, film: KeyScript? = nil,
    @ViewBuilder root: @escaping () -> some View
  ) async throws {
    let start = settings.current
    // A demo, which saves nothing, writes no log either.
    let log = work == nil ? nil : Self.libraryLog(at: start.logFile)
    var options = TerminalOptions(
      terminalType: start.terminalType, colorDepth: start.isColorless ? .monochrome : nil,
      logPath: log ?? "/dev/null")
    options.setsTitle =
      start.configuration.display.setsTitle && KnownTerminal.hasTitle(type: start.terminalType)
    let screen = try NcursesScreen(options: options)
    var environment = EnvironmentValues(start.configuration.display)
    environment.colorDepth = screen.colorDepth
    let app = TerminalApp(
      screen: screen, clock: clock, scheduler: scheduler, focus: focus, environment: environment,
      root: root)
    var background: Color?
    settings.apply { [weak app] settings in app?.environment.apply(settings, on: background) }
    app.foundBackground = { [weak app, settings] color in
      background = color
      app?.environment.apply(settings.current, on: color)
    }
    screen.askForBackground()
    if let work {
      app.finish = {
        // Ends the process in time even if the main thread is busy with something else.
        let timeLeft = endProcess(within: Self.endingTime)
        FileWatch.endAll()
        await work.finish(within: timeLeft - Self.closingTime)
        // Goes to the log: the terminal may be gone by the time this is printed.
        StandardError.write(work.report)
      }
    }
    let playing = film.map { film in Task { await Self.play(film, on: app, clock) } }
    let exit = await app.run()
    playing?.cancel()
    if let work, !work.losses.isEmpty {
      StandardError.write(work.report)
      throw ExitStatus.locked.code
    }
    if case .signal(let number) = exit {
      StoreFile.closeAll()
      raiseAgain(number)
    }
  }
}

extension Program {
  /// Presses the keys of a script at their times, until the task is cancelled.
  @MainActor
  private static func play(_ script: KeyScript, on app: TerminalApp, _ clock: AnyClock) async {
    let start = clock.now
    for step in script.steps {
      switch step {
      case .time(let time):
        guard (try? await clock.sleep(until: start.advanced(by: time))) != nil else { return }
      case .key(let key): app.send(.key(key))
      case .mouse(let events): for event in events { app.send(.mouse(event)) }
      // The terminal has the size that the user gives it.
      case .resize: break
      }
    }
  }
}

extension EnvironmentValues {
  /// The values that every view of the program inherits.
  @MainActor
  init(_ display: DisplaySettings, days: DayText = .local) {
    self.init()
    apply(display)
    describeError = { error in
      let message = UserMessage(error)
      let hasSeveral = (error as? ReloadError)?.failures.count ?? 0 > 1
      let pause = message.retryDate.map { date in
        ErrorDescription.Pause(
          .seconds(date.timeIntervalSince(days.now())), "not before \(days.end(date))")
      }
      return ErrorDescription(
        what: message.what,
        advice: hasSeveral ? message.advice : message.pauseWords(days) ?? message.advice,
        detail: message.detail, pause: pause,
        lead: hasSeveral ? ErrorDescription.Lead(.showFailedFeed, "to see them") : nil)
    }
  }

  fileprivate mutating func apply(_ display: DisplaySettings, on background: Color? = nil) {
    theme = display.colors(on: background)
    reduceMotion = display.reduceMotion
    isPlain = display.isPlain
  }

  /// Applies the settings that can change while the program runs.
  fileprivate mutating func apply(_ settings: Settings, on background: Color?) {
    apply(settings.configuration.display, on: background)
    theme = theme.reduced(to: colorDepth)
    keyMap = KeyMap(settings.configuration.keys)
  }
}

extension TerminalError {
  /// A one-line message for the user.
  var text: String {
    let inScripts = "In scripts, use the subcommands: see argyle --help."
    return switch self {
    case .outputIsNotATerminal: "The reader needs a terminal. \(inScripts)"
    case .dumbTerminal: "\(self) \(inScripts)"
    default: printable(description)
    }
  }
}
