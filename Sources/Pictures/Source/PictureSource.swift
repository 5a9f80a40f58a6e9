import Limits
public import HTTP

/// Where a picture's bytes come from.
///
/// Sources with equal addresses and origins are the same picture.
public struct PictureSource: Hashable, Sendable {
  enum Origin: Sendable {
    case file
    case web(RequestOrigin)
    case memory(@Sendable () -> [UInt8])
  }

  /// A path, an http or https address, or the name of a picture in memory.
  public let address: String
  let origin: Origin

  /// A file at an absolute path, or at one relative to the working directory.
  public static func file(_ path: String) -> PictureSource {
    PictureSource(address: path, origin: .file)
  }

  /// A picture at an http or https address.
  ///
  /// - Parameter origin: who named the address, which decides where it may lead.
  public static func web(_ address: String, origin: RequestOrigin = .user) -> PictureSource {
    PictureSource(address: address, origin: .web(origin))
  }

  /// Whether it is fetched over a network.
  public var isRemote: Bool { namedBy != nil }

  /// The origin of a web address; nil for others.
  private var namedBy: RequestOrigin? {
    if case .web(let origin) = origin { origin } else { nil }
  }

  /// A picture in memory, such as a bundled one.
  ///
  /// - Parameters:
  ///   - name: unique among the program's pictures.
  ///   - bytes: called off the main actor when the picture is loaded.
  public static func memory(
    _ name: String, bytes: @escaping @Sendable () -> [UInt8]
  ) -> PictureSource {
    PictureSource(address: name, origin: .memory(bytes))
  }

  private var kind: Int {
    switch origin {
    case .file: 0
    case .web: 1
    case .memory: 2
    }
  }

  public static func == (left: PictureSource, right: PictureSource) -> Bool {
    left.address == right.address && left.kind == right.kind && left.namedBy == right.namedBy
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(address)
    hasher.combine(kind)
    hasher.combine(namedBy)
  }
}

/// Reads a picture's file with blocking calls.
public enum PictureFile {
  /// Checks, from its first bytes, that a file is a picture of a type that can be shown.
  ///
  /// Reads the file on the calling thread.
  public static func check(_ path: String, limit: Int = PictureLimits().bytes)
    throws(PictureError)
  {
    switch PictureHeader(try bytes(of: path, limit: limit, headLength: PictureHeader.length)) {
    case .unknown: throw .notAPicture
    case .other(let type): throw .typeNotShown(type)
    case .shown: break
    }
  }

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
