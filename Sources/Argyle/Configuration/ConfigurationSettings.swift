import Articles

/// Every setting of the configuration file except for the keys and the `[[…]]` tables.
///
/// The file is read with this list, and the default file is written from it.
enum ConfigurationSettings {
  static let all: [Setting] = [
    Setting(
      "display", "theme", \.display.theme, .theme,
      """
      The colours: auto (dark or light, as the terminal's background is), terminal (its own palette), \
      dark, light, high-contrast, mono, or the name of a theme of your own, see [[theme]].
      """),
    Setting(
      "display", "reduce-motion", \.display.reduceMotion, .flag, "Whether to do without animation."),
    Setting(
      "display", "plain", \.display.isPlain, .flag,
      "Whether to draw no boxes and ornaments, and to show states in words, for screen readers."),
    Setting(
      "display", "title", \.display.setsTitle, .flag,
      "Whether the title of the terminal's window says how many articles are unread, from the next start "
        + "on. The title that was there before comes back at the end, where the terminal keeps it."),
    Setting(
      "display", "open-tab", \.openTab, .choice,
      "The tab that is open at the start: articles, socks, gallery or catalog."),
    Setting(
      "display", "tabs", \.tabs, .choices(),
      "Which tabs there are: articles, socks, gallery and catalog. With only one there is no bar."),
    Setting(
      "reader", "measure", \.reader.measure, .integer(ReaderSettings.measures),
      "The maximum width of an article's lines, in columns."),
    Setting(
      "reader", "feeds-width", \.reader.feedsWidth, .integerOrNone(ReaderSettings.feedsWidths),
      "The maximum width of the list of feeds beside the articles, in columns; it never has more than half "
        + "of the screen. 0 for 32, but at most a third of the screen."),
    Setting(
      "reader", "justified", \.reader.isJustified, .flag,
      "Whether to justify an article's lines."),
    Setting(
      "reader", "join-duplicates", \.reader.joinsDuplicates, .flag,
      "Whether an article that several feeds have is one in the lists across feeds: it is shown, "
        + "counted and marked once."),
    Setting(
      "reader", "article-row", \.reader.articleRow,
      "What a row of a list of articles shows: text, and the fields {title}, {feed}, {author}, {date}, "
        + "{minutes}, {tags}, {alsoIn}, {marks}, {star} and {unread}, such as \"{date} {feed:15} {title} {marks}\". "
        + "{feed:15} is 15 columns wide, {minutes:>5} stands at the right of 5. The title, which must be among "
        + "them, has the room that is left; where it is narrow the last fields are left out. Empty for the program's own rows, "
        + "which plain mode always has."),
    Setting(
      "reader", "feed-row", \.reader.feedRow,
      "The same for the list of feeds, with {title}, {state} (fetching, failed, gone) and {unread}."
    ),
    Setting(
      "reader", "copying", \.reader.copying, .choice,
      "Whether y asks the terminal to copy (OSC 52): known (in terminals known to be safe), osc52 "
        + "(in any) or off."),
    Setting(
      "reader", "save-folder", \.reader.saveFolder, .text,
      "The folder where S saves articles as Markdown; empty for the documents folder, or else the home "
        + "folder."),
    Setting(
      "reader", "pictures", \.reader.pictures, .choice,
      "Whether the pictures of articles are fetched, which tells their servers that you read them: "
        + "always, when asked (p loads those of an article) or never."),
    Setting(
      "reader", "browsers", \.browsers, .texts,
      "The programs that open links: the first that is installed is used. They may have arguments, in "
        + "which %s stands for the address. $BROWSER is tried before them."
    ),
    Setting(
      "fetching", "freshness", \.fetching.freshness, .number(0...31_536_000),
      "When a list is shown, at the start too, those of its feeds are fetched that were last fetched "
        + "longer ago than this many seconds."
    ),
    Setting(
      "fetching", "reload-minutes", \.fetching.reloadMinutes,
      .integer(0...FeedArrangement.longestReloadMinutes),
      "After how many minutes a feed is reloaded by itself while the program runs; 0 for never. A "
        + "feed may have an interval of its own: see argyle feeds set."),
    Setting(
      "fetching", "quiet", \.fetching.quiet, .hours,
      "The hours in which no feed is reloaded by itself, such as \"22:00-07:00\"; empty for none. "
        + "Feeds that have an interval are reloaded when they end."),
    Setting(
      "fetching", "timeout", \.fetching.timeout, .number(0.1...3600),
      "How many seconds a server may be silent. A connection gets half of it, a whole fetch three "
        + "times as much."),
    Setting(
      "fetching", "parallel", \.fetching.parallel, .integer(1...128),
      "How many feeds, pictures and pages are fetched at the same time, at most."),
    Setting(
      "fetching", "parallel-per-host", \.fetching.parallelPerHost, .integer(1...128),
      "The same for each server."),
    Setting(
      "fetching", "passwords-over-http", \.fetching.sendsPasswordsInClear, .flag,
      "Whether the password of a feed may be sent over http, where others on the way can read it. "
        + "To this machine it always may."),
    Setting(
      "fetching", "on-new", program: \.fetching.onNew, of: "new articles", placeholders: ["count"],
      "A program with its arguments that is started when new articles have come, such as "
        + "[\"notify-send\", \"{count} new articles\"]. It reads them as JSON from its standard input. "
        + "No shell reads the arguments."),
    Setting(
      "fetching", "full-text", \.fetching.fullText, .flag,
      "Whether the full text of new articles is fetched from their web pages, for feeds that have only "
        + "the beginning. A feed may have a setting of its own: see argyle feeds set. In an article, w "
        + "fetches it."),
    Setting(
      "fetching", "notify", \.fetching.notifies, .flag,
      "Whether the terminal shows a notification when new articles have come, in terminals that are known "
        + "to do so: foot, ghostty, iTerm2, kitty and WezTerm."),
    Setting(
      "fetching", "bell", \.fetching.bell, .flag,
      "Whether the terminal's bell rings when new articles have come."),
    Setting(
      "keeping", "days", \.keeping.days, .integer(0...36_500),
      "How many days an article is kept after it was first seen; 0 keeps it for ever. Articles with a "
        + "star or a tag are always kept."),
    Setting(
      "keeping", "articles-per-feed", \.keeping.articlesPerFeed, .integer(0...1_000_000),
      "How many articles of each feed are kept: the newest, read or unread, not counting those "
        + "with a star or a tag and the unread ones of accounts. 0 keeps all of them."),
    Setting(
      "keeping", "unread", \.keeping.unread, .flag,
      "Whether unread articles are kept however old they are; articles-per-feed limits them, too, "
        + "except in accounts."),
    Setting(
      "podcasts", "folder", \.podcasts.folder, .text,
      "The folder for what is downloaded (D in an article); empty for the folder podcasts beside the "
        + "stored articles. A relative path begins in the home folder."),
    Setting(
      "podcasts", "parallel", \.podcasts.parallel, .integer(1...16),
      "The maximum number of files that are downloaded at the same time."),
    Setting(
      "podcasts", "largest-file", \.podcasts.largestFile, .integer(1...1_000_000),
      "Larger files are not downloaded, in megabytes."),
    Setting(
      "podcasts", "player", program: \.podcasts.player, of: "a player",
      placeholders: ["file", "position", "positions"],
      "A program with its arguments that plays a downloaded file (P), such as [\"mpv\", \"--\", "
        + "\"{file}\"]. No shell reads the arguments. {position} is where it was stopped, in "
        + "seconds; {positions} is a folder where the player may say so, in a file with a line "
        + "start=SECONDS: [\"mpv\", \"--save-position-on-quit\", "
        + "\"--watch-later-directory={positions}\", \"--\", \"{file}\"] goes on there."),
    Setting(
      "podcasts", "player-in-terminal", \.podcasts.isPlayerInTerminal, .flag,
      "Whether the player has the terminal until it ends."),
  ]

  /// The names of the tables, in the order of the file.
  static let sections = all.map(\.section).reduce(into: [String]()) { sections, name in
    if sections.last != name { sections.append(name) }
  }
}

extension Setting {
  /// Makes the setting of a program with its arguments, in which only these placeholders have a value.
  fileprivate init(
    _ section: String, _ name: String,
    program path: WritableKeyPath<Configuration, [String]> & Sendable, of role: String,
    placeholders: [String], _ comment: String
  ) {
    let choices = placeholders.map { "{\($0)}" }
    self.init(
      section: section, name: name, comment: comment,
      read: { value, configuration throws(TableProblem) in
        let words = try SettingKind.texts.value(of: value)
        let unknown = words.lazy.flatMap(OutsideCommand.placeholders)
          .first { !choices.contains($0) }
        if let unknown {
          throw TableProblem(
            message: "there is no \(unknown) for \(role); "
              + (choices.count == 1 ? "there is only " : "the choices are ")
              + choices.joined(separator: ", "))
        }
        configuration[keyPath: path] = words
      }, write: { SettingKind.texts.write($0[keyPath: path]) })
  }
}
