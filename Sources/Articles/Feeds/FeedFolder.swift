/// A folder of feeds, by the names that lead to it from the outermost one.
public struct FeedFolder: Sendable, Hashable {
  /// How deep folders may lie in each other.
  static let depthLimit = 10

  /// Never empty; none of the names is.
  public let path: [String]

  /// Nil without a name.
  ///
  /// Names become one line without control characters; what lies deeper than ten folders stays in
  /// the tenth.
  public init?(_ path: [String]) {
    let path = NameList.cleaned(path.prefix(Self.depthLimit))
    guard !path.isEmpty else { return nil }
    self.path = path
  }

  /// The folder that a user means by names with slashes between them: `News/Tech`.
  ///
  /// Nil without a name.
  ///
  /// - Parameter known: folders that exist. One that has a slash in its name is found here.
  public init?(typed text: String, among known: some Sequence<FeedFolder> = []) {
    let text = text.trimmingWhiteSpace()
    if let folder = known.first(where: { $0.text == text }) {
      self = folder
    } else {
      self.init(text.split(separator: "/").map(String.init))
    }
  }

  /// The names with slashes between them, as a user reads and types them: `News / Tech`.
  public var text: String { path.joined(separator: " / ") }

  /// Its own name.
  public var name: String { path[path.count - 1] }

  /// The folder that this one is in.
  public var parent: FeedFolder? { path.count > 1 ? FeedFolder(clean: path.dropLast()) : nil }

  private init(clean path: [String]) { self.path = path }

  /// Whether it is the other one, or lies in it.
  public func isWithin(_ other: FeedFolder) -> Bool { path.starts(with: other.path) }
}

/// Names in one column of the store.
enum NameList {
  /// A control character, so that no cleaned name has it.
  static let separator = "\u{1F}"
  private static let lengthLimit = 200
  static let countLimit = 100

  /// As much of a name as may be kept of it, however its characters are written.
  static func beginning(_ name: String) -> String {
    String(name.unicodeScalars.prefix(lengthLimit * 4))
  }

  static func cleaned(_ names: some Sequence<String>) -> [String] {
    let names = names.prefix(countLimit).map { name in
      let name = beginning(name)
      // No list of feeds could carry these two: XML forbids them.
      let scalars = name.unicodeScalars.filter { $0 != "\u{FFFE}" && $0 != "\u{FFFF}" }
      return UserMessage.cleaned(String(String.UnicodeScalarView(scalars)), limit: lengthLimit)
    }
    return names.filter { !$0.isEmpty }
  }

  static func text(_ names: [String]) -> String { names.joined(separator: separator) }

  static func names(_ text: String) -> [String] {
    text.isEmpty ? [] : text.components(separatedBy: separator)
  }
}
