import CNcurses
import CSignals

/// The terminal, opened again with a descriptor of its own.
///
/// The inherited descriptors are shared with the shell, which would break if they became
/// non-blocking. The device is closed when its last reference is released, so that no dispatch
/// source outlives it.
final class TerminalDevice: Sendable {
  /// The descriptor for reading and writing, neither of which blocks.
  let descriptor: Int32
  /// The terminal's modes when it was opened.
  let originalModes: termios

  /// Opens the terminal of standard input or output, or the controlling terminal of this process.
  init() throws(TerminalError) {
    guard isatty(STDOUT_FILENO) == 1 else { throw .outputIsNotATerminal }
    // By name first, because some systems cannot wait for input on /dev/tty.
    descriptor =
      TerminalDevice.open(STDIN_FILENO) ?? TerminalDevice.open(STDOUT_FILENO)
      ?? descriptor_open("/dev/tty", TerminalDevice.flags)
    guard descriptor >= 0 else { throw .cannotOpenTerminal(code: c_error()) }
    var modes = termios()
    guard tcgetattr(descriptor, &modes) == 0 else {
      let code = c_error()
      CNcurses.close(descriptor)
      throw .cannotChangeModes(code: code)
    }
    originalModes = modes
  }

  deinit { CNcurses.close(descriptor) }

  private static let flags = O_RDWR | O_NOCTTY | O_NONBLOCK

  private static func open(_ descriptor: Int32) -> Int32? {
    guard isatty(descriptor) == 1, let name = ttyname(descriptor) else { return nil }
    let copy = descriptor_open(name, flags)
    return copy >= 0 ? copy : nil
  }

  /// The number of columns and rows, or 80 × 24 if the terminal does not report them.
  ///
  /// The size is limited, because 65,535 in both directions would exhaust the memory.
  var size: Size {
    var columns: Int32 = 0
    var rows: Int32 = 0
    guard terminal_size(descriptor, &columns, &rows) != 0 else {
      return Size(width: 80, height: 24)
    }
    return Size(width: min(Int(columns), 2000), height: min(Int(rows), 1000))
  }

  /// Whether this process is in the foreground of the terminal.
  var isForeground: Bool { terminal_is_foreground(descriptor) != 0 }

  /// Sets the terminal modes of a full-screen program.
  func setScreenModes() throws(TerminalError) {
    var modes = terminal_modes_for_screen(originalModes)
    while tcsetattr(descriptor, TCSANOW, &modes) != 0 {
      guard c_error() == EINTR else { throw .cannotChangeModes(code: c_error()) }
    }
  }

  /// Reads the available bytes into `buffer`.
  ///
  /// - Returns: the number of bytes, `nil` if there are none yet, or 0 if the terminal is gone.
  func read(into buffer: UnsafeMutableRawBufferPointer) -> Int? {
    while true {
      let count = CNcurses.read(descriptor, buffer.baseAddress, buffer.count)
      if count >= 0 { return count }
      switch c_error() {
      case EINTR: continue
      case EAGAIN: return nil
      default: return 0
      }
    }
  }

  /// Writes as much as is possible at once; returns the number of bytes, or `nil` if the terminal
  /// is gone.
  func write(_ bytes: UnsafeRawBufferPointer) -> Int? {
    while true {
      let count = CNcurses.write(descriptor, bytes.baseAddress, bytes.count)
      if count >= 0 { return count }
      switch c_error() {
      case EINTR: continue
      case EAGAIN: return 0
      default: return nil
      }
    }
  }
}
