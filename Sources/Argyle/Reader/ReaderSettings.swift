/// The settings for reading, copying and saving articles.
struct ReaderSettings: Hashable, Sendable {
  /// The maximum width of an article's lines, in columns.
  var measure = 76
  /// Whether an article's lines are justified.
  var isJustified = false
  /// The maximum width of the list of feeds beside the articles, in columns; nil if the user set
  /// none.
  var feedsWidth: Int?
  /// The formats of the rows of articles and of feeds.
  var articleRow = RowFormat<ArticleField>()
  var feedRow = RowFormat<FeedField>()
  /// Whether addresses are copied through the terminal.
  var copying = Copying.known
  /// The folder for saved articles; empty for the documents folder, or else the home folder.
  var saveFolder = ""
  /// Whether the pictures of articles are fetched.
  var pictures = PictureLoading.always
  /// Whether lists across feeds show an article that several feeds contain only once.
  var joinsDuplicates = true

  static let measures = 20...400
  static let feedsWidths = 12...200
}

/// Whether text is copied to the clipboard through the terminal.
enum Copying: String, CaseIterable, Sendable {
  /// In terminals that are known to support it, and that do nothing else with the sequence.
  case known
  /// Always, with the sequence OSC 52.
  case osc52
  case off
}

/// When the pictures of articles are fetched, which reveals to their servers that the article is
/// read.
enum PictureLoading: String, CaseIterable, Sendable {
  case always
  /// When the user presses a key, for one article at a time.
  case whenAsked = "when asked"
  case never
}
