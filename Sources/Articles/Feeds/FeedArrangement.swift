/// What a person makes of a feed: a title of their own, a folder, tags.
public struct FeedArrangement: Sendable, Hashable {
  /// Nil for the feed's own title.
  public var title: String? {
    didSet { title = Self.cleaned(title) }
  }
  /// Nil for the top level.
  public var folder: FeedFolder?
  /// Without duplicates.
  public var tags: [String] {
    didSet { tags = Self.cleaned(tags) }
  }

  /// Names become one line without control characters; an empty title is none.
  public init(title: String? = nil, folder: FeedFolder? = nil, tags: [String] = []) {
    self.title = Self.cleaned(title)
    self.folder = folder
    self.tags = Self.cleaned(tags)
  }

  /// As it is now.
  public init(_ feed: Feed) {
    self.init(title: feed.customTitle, folder: feed.folder, tags: feed.tags)
  }

  private static func cleaned(_ title: String?) -> String? {
    title.flatMap { NameList.cleaned([$0]).first }
  }

  private static func cleaned(_ tags: [String]) -> [String] {
    var seen: Set<String> = []
    // A list of feeds separates them by commas.
    return NameList.cleaned(tags.map(withoutCommas)).filter {
      seen.insert($0).inserted
    }
  }

  private static func withoutCommas(_ tag: String) -> String {
    // By scalar: a comma with a mark on it is another character, but a comma in a list all the same.
    String(String.UnicodeScalarView(tag.unicodeScalars.map { $0 == "," ? " " : $0 }))
  }
}
