import Articles
import TerminalUI

/// The values of the configuration file; what is not set there has its default.
///
/// The one place of every default; `ConfigurationSettings` says how each of them is called.
struct Configuration: Hashable, Sendable {
  var display = DisplaySettings()
  /// Where the program begins.
  var openTab = ProgramModel.Part.articles
  /// Which tabs there are.
  var tabs = ProgramModel.Part.allCases
  var reader = ReaderSettings()
  var fetching = FetchingSettings()
  var keeping = KeepingSettings()
  var podcasts = PodcastSettings()
  /// The programs that may open a link, best first; each is run with the address as its argument.
  var browsers = ["xdg-open", "open"]
  /// The keys of actions that do not have their own.
  var keys: [KeyAction: [KeySequence]] = [:]
  /// The actions that have no key left, as the file gives theirs to something else.
  var actionsLeftWithoutKey: [KeyAction] = []
  var searches: [SavedSearch] = []
  /// What happens to articles when they are fetched first.
  var rules: [ArticleRule] = []
  /// What can be run on an article.
  var commands: [ArticleCommand] = []
  /// Several actions by one key.
  var macros: [Macro] = []
  /// Where the article is on the pages of some sites.
  var fullTextSites: [FullTextSite] = []
  /// The programs that may write feeds.
  var feedPrograms: [FeedProgramSetting] = []
}

/// How everything is drawn.
struct DisplaySettings: Hashable, Sendable {
  /// The colours.
  var theme = ThemeName.auto
  /// Whether to do without animation.
  var reduceMotion = false
  /// Whether everything is drawn without boxes and ornaments, states as words.
  var isPlain = false
  /// Whether the terminal's title says how much is unread.
  var setsTitle = false
  /// Themes of the user's.
  var ownThemes: [OwnTheme] = []
}

/// How feeds are fetched.
struct FetchingSettings: Hashable, Sendable {
  /// A feed that was fetched within this time is not fetched by itself.
  ///
  /// In seconds.
  var freshness = 3600.0
  /// After how many minutes a feed is reloaded by itself while the program runs; 0 for never.
  var reloadMinutes = 0
  /// When nothing is reloaded by itself; nil for never.
  var quiet: QuietHours?
  /// How long a server may be silent before a fetch is given up, in seconds.
  ///
  /// A connection gets half of it, and a whole fetch three times as much.
  var timeout = 20.0
  /// The maximum number of feeds that are fetched at the same time.
  var parallel = 16
  /// The maximum number of feeds that are fetched from one server at the same time.
  var parallelPerHost = 4
  /// A program, with its arguments, that is told of new articles; none where it is empty.
  var onNew: [String] = []
  /// Whether the full text of articles is fetched from their web pages.
  var fullText = false
  /// Whether the terminal's bell rings when new articles have come.
  var bell = false
  /// Whether the terminal shows a message then, where it is known to do that.
  var notifies = false
  /// Whether passwords may be sent over `http` to another machine.
  var sendsPasswordsInClear = false
}

/// How what is enclosed with articles is downloaded and played.
struct PodcastSettings: Hashable, Sendable {
  /// The folder for the files; empty for one beside the articles.
  var folder = ""
  /// The maximum number of files that are fetched at the same time.
  var parallel = 2
  /// Larger files are not fetched, in megabytes.
  var largestFile = 2_000
  /// The program that plays, with its arguments; none where it is empty.
  var player: [String] = []
  /// Whether it has the terminal until it ends.
  var isPlayerInTerminal = true
}

/// How long articles are kept; one with a star is kept for ever.
struct KeepingSettings: Hashable, Sendable {
  /// How many days after it was first seen; 0 for ever.
  var days = 180
  /// How many of each feed; 0 for all.
  var articlesPerFeed = 1_000
  /// Whether age alone is no reason to drop what nobody has read.
  var unread = true
}

/// A search that is one of the lists.
struct SavedSearch: Hashable, Sendable {
  let name: String
  /// What would be typed.
  let text: String
}
