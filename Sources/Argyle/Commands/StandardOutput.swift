import Foundation

/// Where a command answers.
enum StandardOutput {
  /// Writes all of a text.
  ///
  /// `print` fails without a word, and a script that fills the disk has to hear of it.
  ///
  /// - Throws: ``CommandFailure``.
  static func write(_ text: String) throws(CommandFailure) {
    do {
      try FileHandle.standardOutput.write(contentsOf: Data(text.utf8))
    } catch {
      throw CommandFailure(
        status: .cannotWrite, "The answer cannot be written.",
        advice: "Check where it goes and the space that is left.")
    }
  }
}
