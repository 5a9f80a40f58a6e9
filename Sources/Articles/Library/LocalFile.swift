import Foundation

/// Reads a file of this machine whole, in calls that block.
enum LocalFile {
  /// - Parameter limit: how many bytes it may have.
  static func bytes(of path: String, limit: Int) throws(FetchError) -> [UInt8] {
    try bytes(of: Array(path.utf8CString), limit: limit)
  }

  /// The bytes of a file whose name may be any bytes.
  ///
  /// - Parameter followsLinks: whether it may be a link to a file.
  static func bytes(
    of path: [CChar], limit: Int, followsLinks: Bool = true
  ) throws(FetchError) -> [UInt8] {
    // Without waiting: opening a pipe that nobody writes to would block for ever.
    let flags = O_RDONLY | O_NONBLOCK | O_CLOEXEC | (followsLinks ? 0 : O_NOFOLLOW)
    let file = open(path, flags)
    var name: String {
      String(decoding: path.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
    }
    guard file >= 0 else {
      throw errno == ENOENT || errno == ENOTDIR
        ? .fileMissing(path: name) : .fileUnreadable(path: name, reason: systemReason())
    }
    defer { close(file) }
    var status = stat()
    guard fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      throw .notAFile(path: name)
    }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(min(max(Int(status.st_size), 0), limit) + 1)
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    // Checked after reading: the file may have grown meanwhile.
    while bytes.count <= limit {
      let count = chunk.withUnsafeMutableBytes { read(file, $0.baseAddress, $0.count) }
      if count < 0 {
        if errno == EINTR { continue }
        throw .fileUnreadable(path: name, reason: systemReason())
      }
      guard count > 0 else { return bytes }
      bytes.append(contentsOf: chunk[..<count])
    }
    throw .fileTooLarge(path: name, limit: limit)
  }

  private static func systemReason() -> String { String(cString: strerror(errno)) }
}
