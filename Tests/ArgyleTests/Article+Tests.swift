import Articles

extension Article {
  /// Makes an article of the first feed.
  init(
    _ number: some BinaryInteger, of feed: String = "Feed", title: String, isRead: Bool = false,
    isStarred: Bool = false, tags: [String] = []
  ) {
    self.init(
      id: ID(rawValue: Int64(number)), feedID: Feed.ID(rawValue: 1), feedTitle: feed, title: title,
      isRead: isRead, isStarred: isStarred, tags: tags)
  }
}
