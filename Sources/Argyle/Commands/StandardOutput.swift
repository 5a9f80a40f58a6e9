import Foundation

/// Where a command answers.
enum StandardOutput {
  /// Writes all of a text.
  ///
  /// `print` fails without a word, and a script that fills the disk has to hear of it.
  ///
  /// - Throws: ``CommandFailure``.
  static func write(_ text: String) throws(CommandFailure) { try write(Array(text.utf8)) }

  /// Writes all of some bytes.
  ///
  /// - Throws: ``CommandFailure``.
  static func write(_ bytes: [UInt8]) throws(CommandFailure) {
    do {
      try FileHandle.standardOutput.write(contentsOf: Data(bytes))
    } catch {
      throw CommandFailure(
        status: .cannotWrite, "The output cannot be written.",
        advice: "Check its destination and the space left on the disk.")
    }
  }
}

/// Where a command says what went wrong.
enum StandardError {
  /// Writes as much of a text as can be written, without waiting for a terminal that takes nothing.
  ///
  /// There is nobody left to tell of a failure: the descriptor may be closed, and the disk full.
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

  /// In milliseconds.
  private static let patience: Int32 = 300
}
