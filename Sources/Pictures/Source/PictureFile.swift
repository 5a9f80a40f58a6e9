import Foundation

/// Reads a picture's file with blocking calls.
enum PictureFile {
  /// Returns the bytes of a file, or its first bytes.
  ///
  /// - Parameters:
  ///   - limit: the largest size of the file, in bytes.
  ///   - headLength: the most bytes to read; nil for all.
  static func bytes(
    of path: String, limit: Int, headLength: Int? = nil
  ) throws(PictureError) -> [UInt8] {
    // Without O_NONBLOCK, opening a pipe could wait forever for a writer.
    let file = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    guard file >= 0 else {
      throw errno == ENOENT || errno == ENOTDIR
        ? .notFound(path: path) : .cannotRead(path: path, code: errno)
    }
    defer { close(file) }
    var status = stat()
    guard fstat(file, &status) == 0 else { throw .cannotRead(path: path, code: errno) }
    guard status.st_mode & S_IFMT == S_IFREG else { throw .notAFile(path: path) }
    guard status.st_size <= limit else { throw .tooManyBytes(limit: limit) }

    // Bytes appended meanwhile are ignored: the limit was checked for the size found above.
    let wanted = min(headLength ?? .max, Int(status.st_size))
    var code: Int32 = 0
    let bytes = [UInt8](unsafeUninitializedCapacity: wanted) { buffer, filled in
      while filled < wanted {
        let count = read(file, buffer.baseAddress.map { $0 + filled }, wanted - filled)
        if count > 0 {
          filled += count
        } else if count == 0 || errno != EINTR {
          code = count == 0 ? 0 : errno
          return
        }
      }
    }
    guard code == 0 else { throw .cannotRead(path: path, code: code) }
    return bytes
  }
}

/// Returns the system's message for an `errno`.
func systemMessage(_ code: Int32) -> String { String(cString: strerror(code)) }
