import ArgumentParser
import Articles
import Foundation

extension FeedsCommand {
  struct Import: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "import", abstract: "Import feeds, from OPML or from newsboat.",
      discussion: """
        Nothing is fetched: argyle reload does that. A feed that you already have gets the folder \
        that the list gives it, its tags as well, and its title unless it has one from you or from an \
        earlier list; your own list (--own, or newsboat's) changes that, too. A list without any \
        folder moves no feed. Entries that would run a program are left out and named, \
        and in OPML, which may come from others, those that would read a file of this machine; then \
        the status is 1. newsboat's list, and your own in OPML with --own, may name files, and \
        programs of the configuration file as exec:NAME or filter:NAME:URL.
        """)
    @Argument(
      help: "The file, or - for standard input (with --newsboat: ~/.newsboat/urls).",
      completion: .file())
    var file: String?
    @Flag(help: "It is newsboat's list of feeds (urls), not OPML.")
    var newsboat = false
    @Flag(help: "You have exported the list in OPML yourself: take its files and programs, too.")
    var own = false
    @Option(
      help: ArgumentHelp(
        "newsboat's cache.db: what was read there is marked as read here.", valueName: "file"),
      completion: .file())
    var cache: String?
    @OptionGroup var options: LibraryOptions
    @OptionGroup var output: OutputOptions

    func validate() throws {
      if file == nil, !newsboat { throw ValidationError("Give a file, or - for standard input.") }
      if own, newsboat { throw ValidationError("--own goes with OPML: newsboat's list is yours.") }
      if cache != nil, !newsboat { throw ValidationError("--cache goes with --newsboat.") }
    }

    func run() async throws {
      let name = file ?? Self.newsboatList(below: options.settings(Configuration()).home)
      let bytes = try InputFile.bytes(name, limit: OPML.sizeLimit)
      let library = try options.library()
      let programs = Swift.Set(library.options.programs.keys)
      let list = newsboat ? try urls(bytes, programs) : try opml(bytes, programs)
      let report = try await library.add(
        list, cache: try cache.map { try NewsboatCache(path: $0) })
      for refusal in report.refusals {
        StandardError.write("argyle: \(printable(refusal.words)): \(refusal.sentence)\n")
      }
      try output.print(report.answer) {
        ([report.words] + report.renamed.map(renaming) + report.moved.map(move))
          .joined(separator: "\n")
      }
      if !report.refusals.isEmpty { throw ExitCode.failure }
    }

    /// Reads a list in OPML; the error for a plain text names the option for newsboat's list.
    private func opml(
      _ bytes: [UInt8], _ programs: Swift.Set<String>
    ) throws -> SubscriptionList {
      do {
        return try OPML.read(bytes, isOwn: own, programs: programs)
      } catch .document(.notAFeed(found: .text)) {
        throw CommandFailure(
          status: .badData, "This is not a list of feeds in OPML.",
          advice: "Choose a file in OPML format; for newsboat's list of feeds add --newsboat.")
      }
    }

    /// Reads newsboat's list; the error for a list in OPML says which option is wrong.
    private func urls(
      _ bytes: [UInt8], _ programs: Swift.Set<String>
    ) throws -> SubscriptionList {
      // Each line of it would be refused otherwise.
      if String(decoding: bytes.prefix(10_000), as: UTF8.self).lowercased().contains("<opml") {
        throw CommandFailure(
          status: .badData, "This is a list of feeds in OPML, not newsboat's list.",
          advice: "Leave out --newsboat.")
      }
      return try NewsboatList.read(bytes, programs: programs)
    }

    private func renaming(_ feed: Subscription) -> String {
      "  " + printable("\(feed.shownAddress) is called “\(feed.name ?? "")” now")
    }

    private func move(_ feed: Subscription) -> String {
      let place = feed.folder.map { "the folder “\($0.text)”" }
      return "  " + printable("\(feed.shownAddress) is in \(place ?? "no folder") now")
    }

    /// Returns the path where newsboat itself looks.
    private static func newsboatList(below home: String) -> String {
      let places = ["/.newsboat/urls", "/.config/newsboat/urls"].map { home + $0 }
      return places.first { FileManager.default.fileExists(atPath: $0) } ?? places[0]
    }
  }

  struct Export: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "export", abstract: "Export the feeds to a list in OPML.",
      discussion: "The list contains no names and passwords of servers.")
    @Argument(help: "The file, or - for standard output.", completion: .file())
    var file = "-"
    @OptionGroup var options: LibraryOptions
    @OptionGroup var output: OutputOptions

    func validate() throws {
      guard output.json, InputFile.isStandardOutput(file) else { return }
      throw ValidationError("Give a file with --json: standard output gets the list itself.")
    }

    func run() async throws {
      let library = try options.library()
      let feeds = try await library.subscriptions()
      let text = OPML.text(feeds, emptyFolders: try await library.emptyFolders())
      try InputFile.write(text, to: file)
      let left = feeds.count(where: \.isOfThisMachine)
      if left > 0 {
        StandardError.write(
          "argyle: \(counted(left, "feed is a file or program", "feeds are files or programs")) of "
            + "this machine, which only an import with --own takes.\n")
      }
      guard !InputFile.isStandardOutput(file) else { return }
      try output.print(["file": file, "feedCount": feeds.count] as Answer) {
        "Exported \(counted(feeds.count, "feed")) to \(printable(file))."
      }
    }
  }
}

extension ImportReport {
  fileprivate var answer: Answer {
    [
      "added": added.map(\.address), "known": known.map(\.address),
      "updated": updated.map(\.address), "renamed": renamed.map(\.address),
      "moved": moved.map(\.address),
      "refused": refusals.map {
        ["entry": $0.entry, "line": $0.line, "reason": $0.sentence] as Answer
      },
      "readMarks": readMarks, "hiddenCount": hiddenCount,
    ]
  }
}
