/// What a user makes of a feed: a title of their own, a folder, tags, how often it is reloaded.
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
  /// After how many minutes it is reloaded by itself: 0 for never, nil for
  /// ``Library/Options/reloadInterval``.
  public var reloadMinutes: Int? {
    didSet { reloadMinutes = reloadMinutes.map(Self.clamped) }
  }

  /// Whether the full text of its articles is fetched from their web pages; nil for
  /// ``Library/Options/fullText``.
  public var fullText: Bool?

  /// The most ``reloadMinutes``: a week.
  public static let longestReloadMinutes = 10_080

  /// Names become one line without control characters; an empty title is none.
  public init(
    title: String? = nil, folder: FeedFolder? = nil, tags: [String] = [], reloadMinutes: Int? = nil,
    fullText: Bool? = nil
  ) {
    self.title = Self.cleaned(title)
    self.folder = folder
    self.tags = Self.cleaned(tags)
    self.reloadMinutes = reloadMinutes.map(Self.clamped)
    self.fullText = fullText
  }

  /// As it is now.
  public init(_ feed: Feed) {
    self.init(
      title: feed.customTitle, folder: feed.folder, tags: feed.tags,
      reloadMinutes: feed.reloadMinutes, fullText: feed.fullText)
  }

  private static func clamped(_ minutes: Int) -> Int { min(max(minutes, 0), longestReloadMinutes) }

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
