import Foundation
import Terminal

/// Asks for a password on the terminal itself, without an echo.
enum PasswordPrompt {
  /// Returns the line that the user types; nil if there is no terminal.
  ///
  /// Ctrl-C and Ctrl-\ end the process by their signals, with the echo on again, which any other
  /// signal that ends the process restores, too.
  static func ask(_ question: String) -> String? {
    let terminal = open("/dev/tty", O_RDWR | O_NOCTTY | O_CLOEXEC)
    guard terminal >= 0 else { return nil }
    defer { close(terminal) }
    var modes = termios()
    guard tcgetattr(terminal, &modes) == 0 else { return nil }
    var silent = modes
    silent.c_lflag &= ~tcflag_t(ECHO | ISIG)
    silent.c_lflag |= tcflag_t(ICANON | IEXTEN)
    // The keys that end a process end the line here instead: no signal handler has to restore the
    // echo.
    let ends = [(key: VEOL, of: VINTR, signal: SIGINT), (key: VEOL2, of: VQUIT, signal: SIGQUIT)]
    let codes = withUnsafeMutableBytes(of: &silent.c_cc) { codes in
      ends.map { end in
        codes[Int(end.key)] = codes[Int(end.of)]
        return (code: codes[Int(end.of)], signal: end.signal)
      }
    }
    let line: [UInt8]? = withModesRestored(modes, of: terminal) {
      guard tcsetattr(terminal, TCSAFLUSH, &silent) == 0 else { return nil }
      write(question, to: terminal)
      let line = readLine(from: terminal, endingWith: codes.map(\.code).filter { $0 != 0 })
      // What was typed behind the line is no command for the shell.
      tcsetattr(terminal, TCSAFLUSH, &modes)
      return line
    }
    guard let line else { return nil }
    write("\n", to: terminal)
    // A key that is switched off has the code 0, which ends no line.
    for (code, signal) in codes where code != 0 && line.last == code { raiseAgain(signal) }
    return String(decoding: line, as: UTF8.self)
  }

  private static func write(_ text: String, to terminal: Int32) {
    _ = Array(text.utf8).withUnsafeBytes { Foundation.write(terminal, $0.baseAddress, $0.count) }
  }

  /// Returns one line of at most 4,096 bytes, with the newline or the code that ends it.
  private static func readLine(from terminal: Int32, endingWith codes: [UInt8]) -> [UInt8] {
    let ends = codes + [UInt8(ascii: "\n")]
    var (line, bytes): ([UInt8], _) = ([], [UInt8](repeating: 0, count: 4_096))
    // Ctrl-D hands over what was typed before it, and the line goes on.
    while line.count < bytes.count, line.last.map({ !ends.contains($0) }) ?? true {
      let count = bytes.withUnsafeMutableBytes { read(terminal, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      if count <= 0 { break }
      line += bytes[..<count]
    }
    return line
  }
}
