import Loading

/// A tag that the user has given to articles.
public struct ArticleTag: Sendable, Hashable, Identifiable, Encodable {
  /// The name of the tag for articles to be read later.
  public static let later = "later"

  /// Whether a name is that of the tag for articles to be read later, in any case.
  public static func isLater(_ name: String) -> Bool { FoldedText.folded(name) == later }

  public let name: String
  /// How many articles that are not muted have the tag; copies in several feeds count once.
  public var articleCount = 0
  /// How many of these are unread.
  public var unreadCount = 0

  public var id: String { name }

  public init(name: String, articleCount: Int = 0, unreadCount: Int = 0) {
    (self.name, self.articleCount, self.unreadCount) = (name, articleCount, unreadCount)
  }

  /// Splits typed names at commas; each appears once, spelled like an entry of `known` that differs
  /// only in case and diacritics.
  public static func names(typed text: String, among known: [String] = []) -> [String] {
    let spelling = Dictionary(
      known.map { (FoldedText.folded($0), $0) }, uniquingKeysWith: { first, _ in first })
    var names: [String] = []
    var seen: Set<String> = []
    for name in NameList.cleaned(text.split(separator: ",").map(String.init)) {
      let folded = FoldedText.folded(name)
      if seen.insert(folded).inserted { names.append(spelling[folded] ?? name) }
    }
    return names
  }
}

extension Library {
  /// Loads all tags of articles that are not muted, sorted by name.
  public func articleTags() -> Loader<[ArticleTag]> {
    Loader { [self] _ in try await storedArticleTags() }
  }

  /// Returns the tags that ``articleTags()`` loads; for commands.
  public func storedArticleTags() async throws -> [ArticleTag] { try await store.articleTags() }

  /// Adds tags to articles and removes others from them, as one change.
  ///
  /// Articles with a tag are never dropped. Articles that are gone, and those of the bundled feed,
  /// are skipped.
  ///
  /// - Returns: the articles whose tags or mute changed.
  @discardableResult
  public func tag(
    _ ids: [Article.ID], adding: [String] = [], removing: [String] = []
  ) async throws -> [Article.ID] {
    let known = try await store.tagNames()
    let removed = Set(
      ArticleTag.names(typed: removing.joined(separator: ",")).map(FoldedText.folded))
    let added = ArticleTag.names(typed: adding.joined(separator: ","), among: known)
    let marks =
      known.filter { removed.contains(FoldedText.folded($0)) }.map { (ArticleMark.tag($0), false) }
      + added.map { (ArticleMark.tag($0), true) }
    let changes = try await store.mark(marks, of: ids)
    record(changes, as: LibraryChange.Kind(ofTags: changes))
    return changes.articles
  }
}

extension LibraryChange.Kind {
  /// Returns the kind of a change of tags; a change of only ``ArticleTag/later`` has a kind of its
  /// own.
  fileprivate init(ofTags changes: [MarkChange]) {
    var values: Set<Bool> = []
    for change in changes {
      guard case .tag(let name) = change.mark else { continue }
      guard ArticleTag.isLater(name) else {
        self = .tagged
        return
      }
      values.insert(change.value)
    }
    self = values == [true] ? .markedLater : values == [false] ? .unmarkedLater : .tagged
  }
}
