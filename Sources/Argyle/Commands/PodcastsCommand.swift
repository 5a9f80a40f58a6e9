import ArgumentParser
import Articles
import Foundation
import Loading
import Pictures
import Terminal

/// The `podcasts` command: downloads and plays files that articles enclose, such as episodes.
struct PodcastsCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "podcasts",
    abstract: "Download and play what is enclosed with articles, such as episodes of podcasts.",
    discussion: """
      argyle articles list prints the numbers of articles, which download, chapters and transcript take; \
      list prints those of downloads, which play, mark and remove take. The folder, the player and the limits are in the \
      table [podcasts] of the configuration file.
      """,
    subcommands: [
      List.self, Fetch.self, Play.self, Mark.self, Remove.self, Chapters.self, Transcript.self,
    ],
    defaultSubcommand: List.self)

  struct List: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "list", abstract: "List the downloads in the order of the queue.",
      discussion: """
        A line begins with the number of the download, which play, mark and remove take, and ends with \
        that of the article, which download, chapters and transcript take.
        """)
    @OptionGroup var unknown: UnknownWords
    @OptionGroup var options: LibraryOptions
    @OptionGroup var output: OutputOptions

    func run() async throws {
      try unknown.refuse(in: PodcastsCommand.self)
      let library = try options.library()
      try library.print(try await library.storedDownloads(), to: output)
    }
  }

  struct Fetch: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "download",
      abstract: "Download what is enclosed with articles, or what waits in the queue.",
      discussion: """
        What was begun goes on where it stopped, if the server allows that. Of several files, the \
        first sound or film is downloaded; a wrong --enclosure lists them all. A file that was \
        moved or deleted is downloaded again only with the number of its article.
        """)
    @Argument(
      help: """
        The numbers of articles; without any, everything that waits or has failed, except files \
        that are gone.
        """)
    var articles: [Int64] = []
    @Flag(help: "Only put them into the queue.") var queue = false
    @Option(
      help: ArgumentHelp(
        "Which of the files of one article, counted from 1; else the first.", valueName: "number"))
    var enclosure: Int?
    @OptionGroup var options: LibraryOptions
    @OptionGroup var output: OutputOptions

    func validate() throws {
      if queue, articles.isEmpty {
        throw ValidationError("Give the number of at least one article to --queue.")
      }
      if enclosure != nil, articles.count != 1 {
        throw ValidationError("Give the number of one article to --enclosure.")
      }
    }

    func run() async throws {
      let library = try options.library()
      var ids: [Download.ID] = []
      for article in articles.map(Article.ID.init(rawValue:)) {
        let id = try await CommandFailure.naming(article) {
          try await library.queueDownload(
            of: article, enclosure: try await chosenEnclosure(of: article, in: library))
        }
        // Articles of two feeds may enclose the same file.
        if !ids.contains(id) { ids.append(id) }
      }
      var note: String?
      if articles.isEmpty {
        let stored = try await library.storedDownloads()
        ids = stored.filter(\.isToBeFetched).map(\.id)
        note = Self.note(onGone: stored.count(where: \.isFileGone))
      }
      let failure = queue ? nil : try await fetch(ids, in: library)
      let downloads = try await library.storedDownloads().filter { ids.contains($0.id) }
      try library.print(downloads, to: output, noteIfEmpty: note)
      if let failure { throw failure }
    }

    /// Returns what to say if nothing but files that are gone could be fetched.
    private static func note(onGone count: Int) -> String? {
      switch count {
      case 0: nil
      case 1: "The file of 1 download is gone; name its article to download it again."
      default:
        "The files of \(count) downloads are gone; name their articles to download them again."
      }
    }

    /// Returns the file that the user chose; nil for the first.
    private func chosenEnclosure(
      of article: Article.ID, in library: Library
    ) async throws -> Attachment? {
      guard let enclosure else { return nil }
      let all = try await library.enclosures(of: article)
      guard !all.isEmpty else { throw DownloadError.nothingEnclosed }
      guard 1...all.count ~= enclosure else {
        let names = all.names
        let files = all.enumerated().map { index, file in
          "\(index + 1) \(names[file.address] ?? file.fileName) (\(file.summary))"
        }
        throw ValidationError(
          "There is no file \(enclosure). The article encloses: "
            + printable(files.joined(separator: ", ")) + ".")
      }
      return all[enclosure - 1]
    }

    /// Fetches the downloads.
    ///
    /// - Returns: the first failure; the list shows the others.
    private func fetch(_ ids: [Download.ID], in library: Library) async throws -> (any Error)? {
      let limit = LoadLimit(library.options.downloads.parallel)
      return await withTaskGroup(of: (any Error)?.self) { group in
        for id in ids {
          group.addTask {
            do {
              _ = try await library.fetchDownload(id).limited(by: limit).value()
              return nil
            } catch { return error }
          }
        }
        var failure: (any Error)?
        for await error in group { failure = failure ?? error }
        return failure
      }
    }
  }

  struct Play: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "play", abstract: "Play a download with the program of podcasts.player.")
    @Argument(help: "The number of the download.") var download: Int64
    @Option(
      help: ArgumentHelp(
        "Where to begin, such as 12:34; else where the player has stopped.", valueName: "time"),
      transform: { text in
        guard let seconds = Attachment.time(text) else {
          throw ValidationError("“\(printable(text))” is not a time, such as 12:34.")
        }
        return seconds
      })
    var start: Int?
    @OptionGroup var options: LibraryOptions

    func run() async throws {
      let settings = try options.settings
      let library = try options.library(settings)
      guard let found = try await library.found([download]).first else {
        throw DownloadError.noSuchDownload
      }
      if case .failed(let message) = found.state {
        throw CommandFailure(
          status: .notThere, message.what, advice: message.advice, detail: message.detail)
      }
      guard found.path != nil else { throw DownloadError.notDownloaded }
      if let start, let length = found.enclosure.seconds, start >= length {
        // The feed may be wrong about that.
        StandardError.write(
          "argyle: According to its feed, “\(found.printableTitle)” is only "
            + "\(Attachment.clock(length)) long.\n")
      }
      guard let command = OutsideCommand.player(settings.configuration.podcasts.player) else {
        throw CommandFailure(
          status: .badConfiguration, "No player is set.",
          advice: "Set podcasts.player in the configuration file, such as "
            + "[\"mpv\", \"--\", \"{file}\"].")
      }
      guard command.canBegin(found, at: start) else {
        throw CommandFailure(
          status: .badConfiguration, "The player is told no time.",
          advice: "Put {position} into podcasts.player in the configuration file.")
      }
      let arguments = try await command.arguments(playing: found, at: start) {
        try await library.positionsFolder(of: $0, start: $1)
      }
      let date = try await library.notePlaying(found.id)
      let (outcome, key) = await Self.leavingKeys {
        await command.run(arguments, reading: nil, hasTerminal: true)
      }
      // The failure of the player is the one to be said.
      if outcome.failedSoon, key == nil {
        try? await library.takeBackPlaying(found, notedAt: date)
      }
      // The user's key has ended a player that does not handle it.
      if case .ended(.signal(let number), _) = outcome.end, Self.keySignals.contains(number) {
        raiseAgain(number)
      }
      if let words = outcome.words(command.program) {
        // A player that handles the key may end with a status of its own, as mpv does.
        if let key { throw ExitCode(128 + key) }
        throw CommandFailure(
          status: .failure, words, advice: "Check podcasts.player in the configuration file.")
      }
    }

    private static let keySignals = [SIGINT, SIGQUIT]
    // The signal of the key that the user has pressed; 0 for none. Unsafe, since the handler below
    // writes it: on the main thread, which receives the signals of the process.
    nonisolated(unsafe) private static var keyCame: sig_atomic_t = 0

    /// Leaves Ctrl-C and Ctrl-\ to the program that has the terminal while `body` runs.
    ///
    /// Otherwise, this process would end first, and the shell would use the terminal together with
    /// the player. The signals are not ignored, because a player would inherit that.
    ///
    /// - Returns: what `body` returns, and the signal of the key that was pressed.
    private static func leavingKeys<Value>(
      _ body: () async -> Value
    ) async -> (Value, key: Int32?) {
      keyCame = 0
      let handlers = keySignals.map { number in (number, signal(number) { Play.keyCame = $0 }) }
      let value = await body()
      // There, a signal that has come before the player ended was handled.
      let key = await MainActor.run { keyCame }
      for (number, handler) in handlers { signal(number, handler) }
      return (value, key == 0 ? nil : key)
    }
  }

  struct Mark: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "mark", abstract: "Mark downloads as played to the end, or as not played.",
      discussion: "The next time they are played, they begin at the beginning.")
    @Argument(help: "The numbers of downloads.") var downloads: [Int64]
    @Flag(inversion: .prefixedNo, help: "Mark as played, or not.") var played = true
    @OptionGroup var options: LibraryOptions
    @OptionGroup var output: OutputOptions

    func run() async throws {
      let library = try options.library()
      let found = try await library.found(downloads)
      if let missing = found.first(where: { $0.path == nil }) {
        let message = DownloadError.notDownloaded.message
        throw CommandFailure(
          status: .notThere, "Download \(missing.id.rawValue) is not complete.",
          advice: message.advice)
      }
      for download in found { try await library.setPlayed(played, download.id) }
      let marked = try await library.found(downloads)
      try output.print(marked.map { $0.answer() }) {
        marked.map { "Marked as \(played ? "" : "not ")played: “\($0.printableTitle)”." }
          .joined(separator: "\n")
      }
    }
  }

  struct Remove: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "remove", abstract: "Remove downloads and their files.")
    @Argument(help: "The numbers of downloads.") var downloads: [Int64]
    @OptionGroup var options: LibraryOptions
    @OptionGroup var output: OutputOptions

    func run() async throws {
      let library = try options.library()
      let found = try await library.found(downloads)
      for download in found { try await library.removeDownload(download.id) }
      try await library.purgeDownloads(found.map(\.id))
      try output.print(found.map { $0.answer() }) {
        found.map { "Removed “\($0.printableTitle)”." }.joined(separator: "\n")
      }
    }
  }
}

extension Library {
  /// Prints downloads, and which of them another copy of the program is fetching.
  fileprivate func print(
    _ downloads: [Download], to output: OutputOptions, noteIfEmpty note: String? = nil
  ) throws {
    let fetching = Set(downloads.filter { $0.path == nil }.map(\.id).filter(isFetching))
    let answers = downloads.map { $0.answer(isFetching: fetching.contains($0.id)) }
    let nothing = "Nothing is downloaded. To download a file: argyle podcasts download NUMBER"
    try output.print(answers, noteIfEmpty: note ?? nothing) {
      downloads.map { $0.line(isFetching: fetching.contains($0.id)) }.joined(separator: "\n")
    }
  }

  /// Returns the downloads with these numbers.
  ///
  /// Throws if one of them is mistyped, before anything is done to the others.
  fileprivate func found(_ numbers: [Int64]) async throws -> [Download] {
    let stored = try await storedDownloads()
    return try numbers.map { number in
      guard let download = stored.first(where: { $0.id.rawValue == number }) else {
        let message = DownloadError.noSuchDownload.message
        throw CommandFailure(
          status: .notThere, "There is no download \(number).", advice: message.advice)
      }
      return download
    }
  }
}

extension Download {
  /// Whether a command without numbers fetches it; not if its file is gone, which the user may have
  /// deleted, or have on a disk that is not mounted.
  fileprivate var isToBeFetched: Bool {
    switch state {
    case .waiting: true
    case .failed: !isFileGone
    case .paused, .done: false
    }
  }

  fileprivate var stateName: String {
    switch state {
    case .waiting: "waiting"
    case .paused: "stopped"
    case .failed: "failed"
    case .done: position != nil ? "begun" : played == nil ? "downloaded" : "played"
    }
  }

  fileprivate var printableTitle: String { printable(title.isEmpty ? "Untitled" : title) }

  /// Returns the lines of the download in the list.
  ///
  /// - Parameter isFetching: whether another copy of the program is fetching it.
  fileprivate func line(isFetching: Bool) -> String {
    let shown = isFetching ? "another copy is downloading" : stateName
    var words = "\(id.rawValue)  \(shown)  \(positionWords ?? Attachment.size(received))  "
    words += "\(printable(feedTitle))  \(printableTitle)"
    if let articleID { words += "  (article \(articleID.rawValue))" }
    if let path { words += "\n   \(printable(path))" }
    if case .failed(let message) = state {
      let sentences = [printable(message.what), message.pauseWords(.local)].compactMap(\.self)
      words += "\n   " + sentences.joined(separator: " ")
    }
    return words
  }
}

extension Download {
  /// - Parameter isFetching: whether another copy of the program is fetching it.
  fileprivate func answer(isFetching: Bool = false) -> Answer {
    [
      "id": id.rawValue, "articleID": articleID?.rawValue, "feed": feedTitle, "title": title,
      "address": enclosure.address, "type": enclosure.type, "byteCount": enclosure.byteCount,
      "seconds": enclosure.seconds, "state": isFetching ? "downloading" : stateName,
      "received": received, "path": path, "played": played, "position": position,
      "failure": state.failure?.what, "failureMessage": state.failure?.answer,
    ]
  }
}
