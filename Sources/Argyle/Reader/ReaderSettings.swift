/// The settings for reading, copying and saving articles.
struct ReaderSettings: Hashable, Sendable {
  /// The widest a line of an article gets, in columns.
  var measure = 76
  /// Whether to justify an article's lines.
  var isJustified = false
  /// The widest the list of feeds gets beside the articles, in columns; nil where nobody has asked.
  var feedsWidth: Int?
  /// What the rows of articles and of feeds show.
  var articleRow = RowFormat<ArticleField>()
  var feedRow = RowFormat<FeedField>()
  /// Whether addresses are copied by the terminal.
  var copying = Copying.known
  /// The folder in which articles are saved; empty for the documents folder, or else the home folder.
  var saveFolder = ""
  /// Whether the pictures of articles are fetched.
  var pictures = PictureLoading.always
  /// Whether an article that several feeds have is one in lists across feeds.
  var joinsDuplicates = true

  static let measures = 20...400
  static let feedsWidths = 12...200
}

/// Whether the terminal is asked to copy text to the clipboard.
enum Copying: String, CaseIterable, Sendable {
  /// In terminals that are known to do it, and to do nothing else with it.
  case known
  /// Always, by the sequence OSC 52.
  case osc52
  case off
}

/// When the pictures of articles are fetched, which tells their servers that somebody reads them.
enum PictureLoading: String, CaseIterable, Sendable {
  case always
  /// When a key is pressed, for one article at a time.
  case whenAsked = "when asked"
  case never
}
