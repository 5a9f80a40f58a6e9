import Foundation

/// The modes of a terminal: what `stty -a` prints.
public struct TerminalModes: Equatable, CustomStringConvertible, Sendable {
  /// The flags for input, output, control and local matters, and the special characters.
  public let description: String

  init(of descriptor: Int32) {
    var modes = termios()
    guard tcgetattr(descriptor, &modes) == 0 else {
      description = "no terminal"
      return
    }
    let characters = withUnsafeBytes(of: modes.c_cc) { Array($0) }
    description =
      "iflag \(modes.c_iflag) oflag \(modes.c_oflag) cflag \(modes.c_cflag) lflag \(modes.c_lflag) "
      + "characters \(characters)"
  }
}
