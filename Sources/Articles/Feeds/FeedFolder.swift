/// A folder of feeds, identified by the names from the outermost folder to it.
public struct FeedFolder: Sendable, Hashable {
  /// How deep folders may be nested.
  static let depthLimit = 10

  /// The names; neither the path nor any name is empty.
  public let path: [String]

  /// Creates a folder; nil without a name.
  ///
  /// Names become one line without control characters; names beyond the tenth level are dropped.
  public init?(_ path: [String]) {
    let path = NameList.cleaned(path.prefix(Self.depthLimit))
    guard !path.isEmpty else { return nil }
    self.path = path
  }

  /// Parses a folder that the user has typed with slashes between names: `News/Tech`.
  ///
  /// Nil without a name.
  ///
  /// - Parameter known: existing folders, searched first: a name may itself contain a slash.
  public init?(typed text: String, among known: some Sequence<FeedFolder> = []) {
    let text = text.trimmingWhiteSpace()
    if let folder = known.first(where: { $0.text == text }) {
      self = folder
    } else {
      self.init(text.split(separator: "/").map(String.init))
    }
  }

  /// Creates the folder in a column of the store; nil for none.
  init?(stored text: String?) { self.init(NameList.names(text ?? "")) }

  /// The folder as it is stored.
  var stored: String { NameList.text(path) }

  /// The names with slashes between them, as shown to the user: `News / Tech`.
  public var text: String { path.joined(separator: " / ") }

  /// The folder's own name.
  public var name: String { path[path.count - 1] }

  /// The folder that contains this one; nil at the top level.
  public var parent: FeedFolder? { path.count > 1 ? FeedFolder(clean: path.dropLast()) : nil }

  private init(clean path: [String]) { self.path = path }

  /// Whether it is the other folder, or inside it.
  public func isWithin(_ other: FeedFolder) -> Bool { path.starts(with: other.path) }
}

/// A list of names in one column of the store.
enum NameList {
  /// A control character, which no sanitised name contains.
  static let separator = "\u{1F}"
  private static let lengthLimit = 200
  static let countLimit = 100

  /// The part of a name that can possibly be kept, however its characters are encoded.
  static func beginning(_ name: String) -> String {
    String(name.unicodeScalars.prefix(lengthLimit * 4))
  }

  static func cleaned(_ names: some Sequence<String>) -> [String] {
    let names = names.prefix(countLimit).map { name in
      let name = beginning(name)
      // XML forbids these two characters, so no exported feed list could contain them.
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
