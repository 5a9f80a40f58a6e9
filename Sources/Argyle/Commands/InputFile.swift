import Foundation
import Limits

/// Reads and writes the files that a command names.
enum InputFile {
  /// Returns the contents of a file, or of standard input for `-`.
  ///
  /// Stops at most one chunk of 64 KiB after `limit`, so that the caller can tell that there is
  /// more.
  ///
  /// - Throws: ``CommandFailure``.
  static func bytes(_ name: String, limit: Int) throws(CommandFailure) -> [UInt8] {
    let handle = name == "-" ? FileHandle.standardInput : FileHandle(forReadingAtPath: name)
    var bytes: [UInt8] = []
    do {
      guard let handle else { throw CocoaError(.fileReadNoSuchFile) }
      while bytes.count <= limit, let data = try handle.read(upToCount: 1 << 16), !data.isEmpty {
        bytes += data
      }
      return bytes
    } catch {
      throw CommandFailure(
        status: .notThere, "The file does not exist or cannot be read.",
        advice: "Check its path and its permissions.", detail: name)
    }
  }

  /// Writes a text to a file, or to standard output for `-`.
  ///
  /// - Throws: ``CommandFailure``.
  static func write(_ text: String, to name: String) throws(CommandFailure) {
    try write(Array(text.utf8), to: name)
  }

  /// Writes bytes to a file, as ``FileWriter`` does, or to standard output.
  ///
  /// - Throws: ``CommandFailure``.
  static func write(_ bytes: [UInt8], to name: String) throws(CommandFailure) {
    guard !isStandardOutput(name) else { return try StandardOutput.write(bytes) }
    do {
      try FileWriter.write(bytes, to: name)
    } catch {
      throw CommandFailure(
        status: .cannotWrite, "The file cannot be written.",
        advice: "Check its path and permissions, and the space left on the disk.", detail: name)
    }
  }

  /// Whether a name means standard output: `-`, or whatever else names the file that it goes to,
  /// which must not be replaced while the shell writes to it, too.
  static func isStandardOutput(_ name: String) -> Bool {
    var (file, output) = (stat(), stat())
    return name == "-"
      || stat(name, &file) == 0 && fstat(STDOUT_FILENO, &output) == 0
        && file.st_dev == output.st_dev && file.st_ino == output.st_ino
  }
}
