import Articles

// The values that placeholders are drawn with: only the lengths of their words are visible.

extension FeedSummary {
  static let samples = ["Notes on terminals", "A weekly letter", "The sock report"].enumerated().map
  {
    FeedSummary(
      feed: Feed(id: Feed.ID(rawValue: Int64(-$0.offset - 1)), address: "", title: $0.element),
      articleCount: 12, unreadCount: 12)
  }
}

extension Article {
  static let samples = (1...12).map { number in
    Article(
      id: Article.ID(rawValue: Int64(-number)), feedID: Feed.ID(rawValue: -1), feedTitle: "",
      title: [
        "What a screen should say while it waits",
        "Small programs and the people who keep them",
        "An afternoon with a very slow server",
      ][number % 3], isRead: true)
  }
}

extension ArticleDocument {
  static func sample(of article: Article) -> ArticleDocument {
    let paragraph = Block.paragraph([
      .text(
        """
        Somewhere a server is looking for this text, and it may take its time. Until then these \
        lines keep the place of those that are to come, so that nothing moves when they do.
        """)
    ])
    return ArticleDocument(
      article: article,
      document: Document(blocks: [
        paragraph, .heading(level: 2, [.text("A heading")]), paragraph, paragraph,
      ]))
  }
}
