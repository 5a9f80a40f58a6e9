/// The user's settings of a feed: its title, folder, tags and reload interval, and whether the full
/// text of its articles is fetched.
public struct FeedArrangement: Sendable, Hashable {
  /// The user's title; nil for the feed's own.
  public var title: String? {
    didSet { title = Self.cleaned(title) }
  }
  /// The folder; nil for the top level.
  public var folder: FeedFolder?
  /// Without duplicates.
  public var tags: [String] {
    didSet { tags = Self.cleaned(tags) }
  }
  /// The interval in minutes of automatic reloads: 0 for never, nil for
  /// ``Library/Options/reloadInterval``.
  public var reloadMinutes: Int? {
    didSet { reloadMinutes = reloadMinutes.map(Self.clamped) }
  }

  /// Whether the full text of its articles is fetched from their web pages; nil for
  /// ``Library/Options/fullText``.
  public var fullText: Bool?

  /// The greatest ``reloadMinutes``: a week.
  public static let longestReloadMinutes = 10_080

  /// Creates the settings.
  ///
  /// Names become one line without control characters; an empty title counts as nil.
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

  /// Returns the stored settings with what differs here from those that the user saw: of the tags,
  /// those that the user has added or removed.
  func changes(since seen: FeedArrangement, in stored: FeedArrangement) -> FeedArrangement {
    FeedArrangement(
      title: title == seen.title ? stored.title : title,
      folder: folder == seen.folder ? stored.folder : folder,
      tags: stored.tags == seen.tags
        ? tags
        : stored.tags.filter { tags.contains($0) || !seen.tags.contains($0) }
          + tags.filter { !seen.tags.contains($0) },
      reloadMinutes: reloadMinutes == seen.reloadMinutes ? stored.reloadMinutes : reloadMinutes,
      fullText: fullText == seen.fullText ? stored.fullText : fullText)
  }

  /// Creates the current settings of a feed.
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
    // Feed lists separate tags with commas.
    return NameList.cleaned(tags.lazy.map(withoutCommas)).filter {
      seen.insert($0).inserted
    }
  }

  private static func withoutCommas(_ tag: String) -> String {
    // By scalar: a comma with a combining mark is another character, but still a comma in a feed
    // list.
    String(String.UnicodeScalarView(tag.unicodeScalars.map { $0 == "," ? " " : $0 }))
  }
}
