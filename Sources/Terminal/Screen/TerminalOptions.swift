import CNcurses

/// The options with which a program opens its terminal.
///
/// Nothing here reads the environment; the program does that, in one place.
public struct TerminalOptions: Hashable, Sendable {
  /// The terminal description to use: the value of `TERM`.
  public var terminalType: String
  /// How many colours to use, if the terminal supports them; by default as many as its description
  /// says.
  ///
  /// Use ``ColorDepth/monochrome`` if `NO_COLOR` is set.
  public var colorDepth: ColorDepth?
  /// Whether clicks and the wheel are reported.
  ///
  /// If they are, selecting text with the mouse requires Shift in most terminals.
  public var mouse: Bool
  /// The file to which standard output and standard error go while the screen is open, where they
  /// are a terminal; by default, their last lines appear when the screen is closed.
  ///
  /// C libraries write to them, which would overwrite the screen. With `/dev/null` they are
  /// discarded.
  public var logPath: String?
  /// Whether the window title is saved, and restored at the end; otherwise it cannot be set.
  public var setsTitle = false
  /// How many seconds the program may take to end after SIGINT, SIGTERM or SIGHUP; `nil` or 0 for
  /// no limit.
  ///
  /// After that time, the terminal is restored and the process exits with status 75, so that even a
  /// program whose main thread is busy obeys signals.
  public var endingTime: Int? = 3

  /// Creates options; by default with the terminal's own colours, the mouse, and no log.
  public init(
    terminalType: String, colorDepth: ColorDepth? = nil, mouse: Bool = true,
    logPath: String? = nil
  ) {
    self.terminalType = terminalType
    self.colorDepth = colorDepth
    self.mouse = mouse
    self.logPath = logPath
  }
}

/// The reasons why a screen cannot be opened.
///
/// The terminal is left unchanged.
public enum TerminalError: Error, Hashable, Sendable {
  /// Standard output is a file or a pipe.
  case outputIsNotATerminal
  /// The terminal could not be opened for reading and writing; `code` is an `errno`.
  case cannotOpenTerminal(code: Int32)
  /// `TERM` is empty or `dumb`.
  case dumbTerminal
  /// The system has no description of this type of terminal.
  case unknownTerminalType(String)
  /// The terminal's description has no way to position the cursor.
  case cannotPlaceCursor(terminalType: String)
  /// The terminal's modes cannot be read or changed; `code` is an `errno`.
  case cannotChangeModes(code: Int32)
  /// The C library has no locale that uses UTF-8.
  case noUTF8Locale
  /// The log file cannot be opened for writing; `code` is an `errno`.
  case cannotOpenLog(path: String, code: Int32)
  /// The system has run out of descriptors or memory; `code` is an `errno`.
  case outOfResources(code: Int32)
  /// Another screen is already open in this process.
  case alreadyOpen
}

extension TerminalError: CustomStringConvertible {
  /// A sentence for the user; the type of a terminal and a path stand in it as they are.
  public var description: String {
    switch self {
    case .outputIsNotATerminal: "The output is not a terminal."
    case .cannotOpenTerminal(let code): "The terminal cannot be opened (\(reason(code)))."
    case .dumbTerminal: "This terminal cannot move its cursor (TERM is dumb or not set)."
    case .unknownTerminalType(let type):
      "This system has no description of the terminal “\(type)”. Set TERM to a known one."
    case .cannotPlaceCursor(let type): "The terminal “\(type)” cannot move its cursor."
    case .cannotChangeModes(let code):
      "The terminal's modes cannot be changed (\(reason(code)))."
    case .noUTF8Locale: "This system has no UTF-8 locale. Install one, such as C.UTF-8."
    case .cannotOpenLog(let path, let code):
      "The log \(path) cannot be written (\(reason(code)))."
    case .outOfResources(let code): "The system is out of resources (\(reason(code)))."
    case .alreadyOpen: "The screen is already open."
    }
  }

  private func reason(_ code: Int32) -> String { String(cString: strerror(code)) }
}
