import Articles

/// Every setting of the configuration file but the keys and the saved searches.
///
/// The file is read by this table, and the default file is written by it.
enum ConfigurationSettings {
  static let all: [Setting] = [
    Setting(
      "display", "theme", \.display.theme, .choice,
      "The colours: terminal (its own palette), dark, light, high-contrast or mono."),
    Setting(
      "display", "reduce-motion", \.display.reduceMotion, .flag, "Whether nothing moves by itself."),
    Setting(
      "display", "plain", \.display.isPlain, .flag,
      "Whether there are no boxes and no ornaments, and states are words: for screen readers."),
    Setting(
      "display", "open-tab", \.openTab, .choice,
      "Where the program begins: articles, socks, gallery or catalog."),
    Setting(
      "reader", "measure", \.reader.measure, .integer(ReaderSettings.measures),
      "The widest that a line of an article gets, in columns."),
    Setting(
      "reader", "justified", \.reader.isJustified, .flag,
      "Whether lines end at one edge, their blanks widened."),
    Setting(
      "reader", "copying", \.reader.copying, .choice,
      "Whether y asks the terminal to copy (OSC 52): known (in terminals known to be safe), osc52 "
        + "(in any) or off."),
    Setting(
      "reader", "save-folder", \.reader.saveFolder, .text,
      "Where S saves articles as Markdown; nothing for the documents folder, or else the home."),
    Setting(
      "reader", "browsers", \.browsers, .texts,
      "The programs that may open a link, the first that is there; $BROWSER goes before them."),
    Setting(
      "fetching", "freshness", \.fetching.freshness, .number(0...31_536_000),
      "A feed that was fetched within this many seconds is not fetched by itself."),
    Setting(
      "fetching", "reload-minutes", \.fetching.reloadMinutes,
      .integer(0...FeedArrangement.longestReloadMinutes),
      "After how many minutes a feed is reloaded by itself while the program runs; 0 for never. A "
        + "feed may have an interval of its own: see argyle feeds set."),
    Setting(
      "fetching", "timeout", \.fetching.timeout, .number(0.1...3600),
      "How many seconds a server may be silent. A connection gets half of it, a whole fetch three "
        + "times as much."),
    Setting(
      "fetching", "parallel", \.fetching.parallel, .integer(1...128),
      "How many feeds are fetched at one time."),
    Setting(
      "fetching", "parallel-per-host", \.fetching.parallelPerHost, .integer(1...128),
      "How many of them from one server."),
    Setting(
      "keeping", "days", \.keeping.days, .integer(0...36_500),
      "How many days an article is kept after it was first seen; 0 for ever. One with a star is kept "
        + "for ever."),
    Setting(
      "keeping", "articles-per-feed", \.keeping.articlesPerFeed, .integer(0...1_000_000),
      "How many articles of each feed are kept, beside those with a star; 0 for all."),
    Setting(
      "keeping", "unread", \.keeping.unread, .flag,
      "Whether an article that nobody has read is kept however old it is."),
  ]

  /// The names of the tables, in their order.
  static let sections = all.map(\.section).reduce(into: [String]()) { sections, name in
    if sections.last != name { sections.append(name) }
  }
}
