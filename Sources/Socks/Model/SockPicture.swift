import Foundation

/// The location of a sock's picture.
///
/// It is written as one text: `bundled:argyle-red`, an `http` or `https` address, or otherwise the
/// path of a file.
public enum SockPicture: Hashable, Sendable {
  /// The path of a file.
  case file(String)
  /// The name of a picture that is compiled into the program.
  case bundled(String)
  /// An address on the web.
  case web(String)

  /// Parses ``text``; nil for an empty or invalid one.
  public init?(_ text: String) {
    guard !text.isEmpty, !text.unicodeScalars.contains(where: \.isControl) else { return nil }
    if text.hasPrefix(Self.bundledScheme) {
      self = .bundled(String(text.dropFirst(Self.bundledScheme.count)))
    } else if ["http://", "https://"].contains(where: { text.lowercased().hasPrefix($0) }) {
      self = .web(text)
    } else {
      self = .file(text)
    }
  }

  /// The location as text, which the user may also type.
  public var text: String {
    switch self {
    case .bundled(let name): Self.bundledScheme + name
    case .file(let path): path
    case .web(let address): address
    }
  }

  private static let bundledScheme = "bundled:"
}

extension SockPicture: Codable {
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    guard let picture = SockPicture(try container.decode(String.self)) else {
      throw DecodingError.dataCorruptedError(
        in: container, debugDescription: "This is not the address of a picture.")
    }
    self = picture
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(text)
  }
}

extension Unicode.Scalar {
  /// Whether it is a control character or ends a line.
  var isControl: Bool {
    switch properties.generalCategory {
    case .control, .lineSeparator, .paragraphSeparator: true
    default: false
    }
  }
}
