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
