import Limits

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
    do {
      return try FileReader.bytes(of: path, limit: limit, headLength: headLength)
    } catch {
      switch error {
      case .missing: throw .notFound(path: path)
      case .notAFile: throw .notAFile(path: path)
      case .tooLarge: throw .tooManyBytes(limit: limit)
      case .refused(let code): throw .cannotRead(path: path, code: code)
      }
    }
  }
}
