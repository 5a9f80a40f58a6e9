import Articles
import TerminalUI

/// The values of the configuration file; settings that it does not contain have their defaults.
///
/// Every default is here; `ConfigurationSettings` gives each setting its name in the file.
struct Configuration: Hashable, Sendable {
  var display = DisplaySettings()
  /// The tab that is shown when the program starts.
  var openTab = ProgramModel.Part.articles
  /// The tabs that are shown, in order.
  var tabs = ProgramModel.Part.allCases
  var reader = ReaderSettings()
  var fetching = FetchingSettings()
  var keeping = KeepingSettings()
  var podcasts = PodcastSettings()
  /// The programs that may open a link, best first, each with optional arguments, in which `%s`
  /// stands for the address.
  var browsers = ["xdg-open", "open"]
  /// The chosen keys of actions whose keys differ from the default.
  var keys: [KeyAction: [KeySequence]] = [:]
  /// The actions that have no key left, because the file assigns theirs to something else.
  var actionsLeftWithoutKey: [KeyAction] = []
  var searches: [SavedSearch] = []
  /// What is done with articles when they are first fetched.
  var rules: [ArticleRule] = []
  /// The programs that can be run on an article.
  var commands: [ArticleCommand] = []
  /// Keys that perform several actions each.
  var macros: [Macro] = []
  /// For some sites, where the article is on their pages.
  var fullTextSites: [FullTextSite] = []
  /// The programs that may write feeds.
  var feedPrograms: [FeedProgramSetting] = []
}

/// How everything is drawn.
struct DisplaySettings: Hashable, Sendable {
  /// The colours.
  var theme = ThemeName.auto
  /// Whether nothing is animated.
  var reduceMotion = false
  /// Whether everything is drawn without borders and ornaments, with states as words.
  var isPlain = false
  /// Whether the terminal's title shows the number of unread articles.
  var setsTitle = false
  /// The user's own themes.
  var ownThemes: [OwnTheme] = []
}

/// How feeds are fetched.
struct FetchingSettings: Hashable, Sendable {
  /// For how many seconds after a fetch a feed is not fetched automatically.
  var freshness = 3600.0
  /// After how many minutes a feed is reloaded automatically while the program runs; 0 for never.
  var reloadMinutes = 0
  /// The hours in which nothing is reloaded automatically; nil for none.
  var quiet: QuietHours?
  /// How long a server may be silent before a fetch is given up, in seconds.
  ///
  /// Connecting may take half of it, and a whole fetch three times as long.
  var timeout = 20.0
  /// The maximum number of transfers at the same time: of feeds, and of pictures and pages, too.
  var parallel = 16
  /// The maximum number of transfers from one server at the same time.
  var parallelPerHost = 4
  /// A program with its arguments that is run when new articles arrive; empty for none.
  var onNew: [String] = []
  /// Whether the full text of new articles is fetched from their web pages automatically, for feeds
  /// without a setting of their own.
  var fullText = false
  /// Whether the terminal's bell rings when new articles have arrived.
  var bell = false
  /// Whether the terminal also shows a notification, if it is known to support them.
  var notifies = false
  /// Whether passwords may be sent over `http` to another machine.
  var sendsPasswordsInClear = false
}

/// How files that articles enclose are downloaded and played.
struct PodcastSettings: Hashable, Sendable {
  /// The folder of downloaded files; empty for one beside the articles.
  var folder = ""
  /// The maximum number of files that are downloaded at the same time.
  var parallel = 2
  /// The size in megabytes up to which files are downloaded.
  var largestFile = 2_000
  /// The player with its arguments; empty for none.
  var player: [String] = []
  /// Whether the player gets the terminal until it ends.
  var isPlayerInTerminal = true
}

/// How long articles are kept; articles with a star or a tag are kept for ever.
struct KeepingSettings: Hashable, Sendable {
  /// How many days an article is kept after it was first seen; 0 for ever.
  var days = 180
  /// How many articles of each feed are kept, read or unread, not counting those with a star or a
  /// tag and the unread ones of accounts; 0 for all.
  var articlesPerFeed = 1_000
  /// Whether unread articles are kept however old they are; ``articlesPerFeed`` limits them, too,
  /// except in accounts.
  var unread = true
}

/// A search that is listed beside the other lists.
struct SavedSearch: Hashable, Sendable {
  var name: String
  /// The query, as the user would type it.
  let text: String
}
