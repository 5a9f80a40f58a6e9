import Foundation
import Limits

/// Writes the answer of a command.
enum StandardOutput {
  /// Writes all of a text.
  ///
  /// `print` ignores errors, but a script that fills the disk has to be told.
  ///
  /// - Throws: ``CommandFailure``.
  static func write(_ text: String) throws(CommandFailure) { try write(Array(text.utf8)) }

  /// Writes all of the bytes.
  ///
  /// If nobody reads them any more, as behind `| head`, the process ends by SIGPIPE, as others do.
  ///
  /// - Throws: ``CommandFailure``.
  static func write(_ bytes: [UInt8]) throws(CommandFailure) {
    do { try FileWriter.write(bytes, to: STDOUT_FILENO) } catch { try end(error) }
  }

  /// Ends a command whose answer cannot be written.
  static func end(_ failure: FileWriter.Failure) throws(CommandFailure) {
    guard failure.code == EPIPE else {
      throw CommandFailure(
        status: .cannotWrite, "The output cannot be written.",
        advice: "Check its destination and the space left on the disk.")
    }
    signal(SIGPIPE, SIG_DFL)
    // A command that reads a store runs on a thread that takes no signals.
    var taken = sigset_t()
    sigemptyset(&taken)
    sigaddset(&taken, SIGPIPE)
    pthread_sigmask(SIG_UNBLOCK, &taken, nil)
    raise(SIGPIPE)
  }
}

/// Writes a command's error messages.
enum StandardError {
  /// Writes a text, as far as possible without waiting for a terminal that does not read.
  ///
  /// A failure cannot be reported anywhere: the descriptor may be closed, or the disk full.
  static func write(_ text: String) {
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
      var descriptor = pollfd(fd: STDERR_FILENO, events: Int16(POLLOUT), revents: 0)
      guard poll(&descriptor, 1, patience) == 1 else { return }
      let count = rest.withUnsafeBytes { Foundation.write(STDERR_FILENO, $0.baseAddress, $0.count) }
      if count < 0 && errno != EINTR && errno != EAGAIN { return }
      rest = rest.dropFirst(max(0, count))
    }
  }

  /// Shows how far a command has come, in a line that the next words replace; an empty text removes
  /// it.
  ///
  /// Nothing is shown if the answer goes to a file or a pipe: then nobody waits for it at a terminal.
  static func showProgress(_ words: String) {
    guard isatty(STDERR_FILENO) == 1, isatty(STDOUT_FILENO) == 1 else { return }
    // A line that wraps would stay behind.
    let width = min(progressWidth, (OutputWidth.columns ?? progressWidth) - 1)
    write("\r\(words.padding(toLength: max(0, width), withPad: " ", startingAt: 0))\r")
  }

  private static let progressWidth = 30
  /// How long to wait for the terminal, in milliseconds.
  private static let patience: Int32 = 300
}
