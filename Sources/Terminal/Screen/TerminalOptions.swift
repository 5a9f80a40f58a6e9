/// The options with which a program opens its terminal.
///
/// Nothing here looks at the environment: that is for the program to do, in one place.
public struct TerminalOptions: Hashable, Sendable {
  /// Which description of a terminal to use: the value of `TERM`.
  public var terminalType: String
  /// How many colours to use; by default as many as the description says.
  ///
  /// ``ColorDepth/monochrome`` is what `NO_COLOR` asks for.
  public var colorDepth: ColorDepth?
  /// Whether clicks and the wheel are reported.
  ///
  /// While they are, selecting text with the mouse needs Shift in most terminals.
  public var mouse: Bool
  /// Where standard error goes while the screen is open; nowhere by default.
  ///
  /// C libraries write there, and would write over the screen.
  public var logPath: String?
  /// Whether the title of the window is kept, and given back at the end; without that it cannot be set.
  public var setsTitle = false
  /// How many seconds the program may take to end after SIGINT, SIGTERM or SIGHUP; `nil` for any
  /// time.
  ///
  /// After that the process exits with status 75, its terminal restored: a main thread that is busy
  /// cannot make a program ignore signals.
  public var endingTime: Int? = 3

  /// A terminal of type `terminalType`, with its own colours, the mouse, and no log, unless told
  /// otherwise.
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

/// Why a screen could not be opened.
///
/// The terminal is as it was.
public enum TerminalError: Error, Hashable, Sendable {
  /// Standard output is a file or a pipe.
  case outputIsNotATerminal
  /// The terminal could not be opened for reading and writing; `code` is an `errno`.
  case cannotOpenTerminal(code: Int32)
  /// `TERM` is empty or `dumb`.
  case dumbTerminal
  /// There is no description of this type of terminal.
  case unknownTerminalType(String)
  /// The description has no way to place the cursor.
  case cannotPlaceCursor(terminalType: String)
  /// The terminal does not let its modes be read or changed; `code` is an `errno`.
  case cannotChangeModes(code: Int32)
  /// The C library knows no locale whose text is UTF-8.
  case noUTF8Locale
  /// The log cannot be written; `code` is an `errno`.
  case cannotOpenLog(path: String, code: Int32)
  /// The system is out of descriptors or memory; `code` is an `errno`.
  case outOfResources(code: Int32)
  /// This process has a screen open already.
  case alreadyOpen
}
