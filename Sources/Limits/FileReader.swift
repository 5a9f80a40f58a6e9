import Foundation

/// Reads files with blocking calls.
public enum FileReader {
  /// Why a file cannot be read.
  public enum Failure: Error, Hashable, Sendable {
    case missing
    /// It is a folder, a pipe or a device.
    case notAFile
    /// It has more bytes than the limit.
    case tooLarge
    /// The system refused, with this `errno`.
    case refused(Int32)

    /// The reason as a clause; where the system knows it, in the words of the system.
    public var reason: String {
      switch self {
      case .missing: String(cString: strerror(ENOENT))
      case .notAFile: "it is not a file"
      case .tooLarge: "it is too large"
      case .refused(let code): String(cString: strerror(code))
      }
    }
  }

  /// Returns the bytes of a file, or its first bytes.
  ///
  /// - Parameters:
  ///   - limit: the largest size of the file, in bytes.
  ///   - headLength: the most bytes to return; nil for all.
  ///   - acceptsPipes: whether it may be a pipe or a device, which is read to its end or to the
  ///     limit, however long that takes.
  public static func bytes(
    of path: String, limit: Int, headLength: Int? = nil, acceptsPipes: Bool = false
  ) throws(Failure) -> [UInt8] {
    try bytes(
      of: Array(path.utf8CString), limit: limit, headLength: headLength,
      acceptsPipes: acceptsPipes)
  }

  /// Returns the bytes of a file whose name may be any bytes, with a zero at the end.
  ///
  /// - Parameter followsLinks: whether the path may be a symbolic link.
  public static func bytes(
    of path: [CChar], limit: Int, headLength: Int? = nil, followsLinks: Bool = true,
    acceptsPipes: Bool = false
  ) throws(Failure) -> [UInt8] {
    // Without O_NONBLOCK, opening a pipe could wait forever for a writer.
    let waits = acceptsPipes ? 0 : O_NONBLOCK
    let file = open(path, O_RDONLY | O_CLOEXEC | waits | (followsLinks ? 0 : O_NOFOLLOW))
    guard file >= 0 else {
      throw errno == ENOENT || errno == ENOTDIR ? .missing : .refused(errno)
    }
    defer { close(file) }
    var status = stat()
    guard fstat(file, &status) == 0 else { throw .refused(errno) }
    let type = status.st_mode & S_IFMT
    guard type == S_IFREG || acceptsPipes && type != S_IFDIR else { throw .notAFile }
    let size = max(Int(status.st_size), 0)
    guard size <= limit else { throw .tooLarge }
    // One byte more than there should be: the file may grow while it is read, and some files say
    // that they are empty.
    var bytes: [UInt8] = []
    let end = headLength ?? limit + 1
    while bytes.count < end {
      let wanted = min(end - bytes.count, max(size + 1 - bytes.count, 1 << 12))
      let (chunk, code) = read(file, wanted)
      guard code == 0 else { throw .refused(code) }
      guard !chunk.isEmpty else { break }
      if bytes.isEmpty { bytes = chunk } else { bytes += chunk }
    }
    guard bytes.count <= limit else { throw .tooLarge }
    return bytes
  }

  /// Returns at most `count` bytes, and none at the end of the file, or the `errno`.
  private static func read(_ file: Int32, _ count: Int) -> ([UInt8], Int32) {
    var code: Int32 = 0
    let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
      var got = Foundation.read(file, buffer.baseAddress, count)
      while got < 0, errno == EINTR { got = Foundation.read(file, buffer.baseAddress, count) }
      if got < 0 { code = errno }
      filled = max(got, 0)
    }
    return (bytes, code)
  }
}
