import CNcurses
import CSignals

/// The terminal, opened a second time with a descriptor of its own.
///
/// The inherited descriptors are shared with the shell, which would break if they became non-blocking.
/// The device is closed when its last reference is released, so that no dispatch source outlives it.
final class TerminalDevice: Sendable {
  /// Reads and writes the terminal, and blocks for neither.
  let descriptor: Int32
  /// The modes it had when it was opened.
  let originalModes: termios

  /// Opens the terminal of standard input or output, or the one that controls this process.
  init() throws(TerminalError) {
    guard isatty(STDOUT_FILENO) == 1 else { throw .outputIsNotATerminal }
    // By name first: some systems cannot wait for input on /dev/tty.
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

  /// How many columns and rows it has, or the usual ones where it does not say.
  ///
  /// Bounded: a size of 65,535 each way would take all memory.
  var size: Size {
    var columns: Int32 = 0
    var rows: Int32 = 0
    guard terminal_size(descriptor, &columns, &rows) != 0 else {
      return Size(width: 80, height: 24)
    }
    return Size(width: min(Int(columns), 2000), height: min(Int(rows), 1000))
  }

  /// Whether this process is the one that the user is working with.
  var isForeground: Bool { terminal_is_foreground(descriptor) != 0 }

  /// Sets the modes of a full screen.
  func setScreenModes() throws(TerminalError) {
    var modes = terminal_modes_for_screen(originalModes)
    while tcsetattr(descriptor, TCSANOW, &modes) != 0 {
      guard c_error() == EINTR else { throw .cannotChangeModes(code: c_error()) }
    }
  }

  /// Takes what is there into `buffer`: how many bytes, `nil` for none yet, 0 when the terminal is
  /// gone.
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

  /// Writes as much as goes at once: how many bytes, or `nil` when the terminal is gone.
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
