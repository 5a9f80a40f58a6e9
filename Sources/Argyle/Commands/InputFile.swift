import Foundation

/// Files that a command names.
enum InputFile {
  /// The contents of a file, or of standard input for `-`: up to a chunk more than `limit`.
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

  /// Writes a file, all of it or nothing, for it may be the only copy; for `-` to standard output.
  ///
  /// - Throws: ``CommandFailure``.
  static func write(_ text: String, to name: String) throws(CommandFailure) {
    try write(Array(text.utf8), to: name)
  }

  /// Writes bytes where `name` says.
  ///
  /// - Throws: ``CommandFailure``.
  static func write(_ bytes: [UInt8], to name: String) throws(CommandFailure) {
    guard name != "-" else { return try StandardOutput.write(bytes) }
    do {
      try Data(bytes).write(to: URL(fileURLWithPath: name), options: .atomic)
    } catch {
      throw CommandFailure(
        status: .cannotWrite, "The file cannot be written.",
        advice: "Check its path and permissions, and the space left on the disk.", detail: name)
    }
  }
}
