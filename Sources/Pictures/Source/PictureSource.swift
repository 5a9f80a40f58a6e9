public import HTTP

/// Where a picture's bytes come from.
///
/// What a source is, is its address, with who named it: two with the same ones are the same picture.
public struct PictureSource: Hashable, Sendable {
  enum Origin: Sendable {
    case file
    case web(RequestOrigin)
    case memory(@Sendable () -> [UInt8])
  }

  /// A path, an http or https address, or the name of a picture in memory.
  public let address: String
  let origin: Origin

  /// The file at an absolute path, or at one relative to the process's folder.
  public static func file(_ path: String) -> PictureSource {
    PictureSource(address: path, origin: .file)
  }

  /// An http or https address.
  ///
  /// - Parameter origin: who named it, which decides where it may lead.
  public static func web(_ address: String, origin: RequestOrigin = .user) -> PictureSource {
    PictureSource(address: address, origin: .web(origin))
  }

  /// Whether it is fetched over a network.
  public var isRemote: Bool { namedBy != nil }

  /// Who named a web address.
  private var namedBy: RequestOrigin? {
    if case .web(let origin) = origin { origin } else { nil }
  }

  /// Bytes that are there already, such as a bundled picture's.
  ///
  /// - Parameters:
  ///   - name: no other picture's in the program.
  ///   - bytes: called off the main actor, when the picture is wanted.
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
