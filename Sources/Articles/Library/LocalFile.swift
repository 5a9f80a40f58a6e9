import Foundation

/// Reads a whole file of this machine with blocking calls.
enum LocalFile {
  /// - Parameter limit: the largest size of the file, in bytes.
  static func bytes(of path: String, limit: Int) throws(FetchError) -> [UInt8] {
    try bytes(of: Array(path.utf8CString), limit: limit)
  }

  /// Returns the bytes of a file whose name may be any bytes.
  ///
  /// - Parameter followsLinks: whether the path may be a symbolic link.
  static func bytes(
    of path: [CChar], limit: Int, followsLinks: Bool = true
  ) throws(FetchError) -> [UInt8] {
    // Non-blocking: opening a pipe without a writer would block forever.
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
