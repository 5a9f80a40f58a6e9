import ArgumentParser
import Articles

extension FeedsCommand {
  struct Set: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "set",
      abstract: "Change a feed's title, address, folder, tags, reload interval and text.",
      discussion: """
        Fields that are not given stay as they are. A folder in a folder is written with a slash, \
        such as --folder News/Tech; a folder that does not exist is created.
        """)
    @Argument(help: "The feed's address or title, as listed.")
    var feed: String
    @Option(help: ArgumentHelp("Another title; \"\" for the feed's own.", valueName: "text"))
    var title: String?
    @Option(
      help: ArgumentHelp(
        "Another address, where the feed is fetched from now on; its articles stay.",
        valueName: "address"))
    var address: String?
    @Option(help: ArgumentHelp("Another folder; \"\" for none.", valueName: "folder"))
    var folder: String?
    @Option(help: ArgumentHelp("Add a tag. May be repeated.", valueName: "tag"))
    var tag: [String] = []
    @Option(help: ArgumentHelp("Remove a tag. May be repeated.", valueName: "tag"))
    var untag: [String] = []
    @Option(
      parsing: .unconditional,
      help: ArgumentHelp(
        "Reload it by itself after so many minutes while the reader runs; 0 for never, \"default\" "
          + "for what the configuration says.", valueName: "number"))
    var reloadMinutes: String?
    @Option(
      help: ArgumentHelp(
        "Fetch the full text of its articles from their web pages: yes, no, or \"default\" for what the "
          + "configuration says.", valueName: "choice"))
    var fullText: FullTextChoice?
    @OptionGroup var options: LibraryOptions
    @OptionGroup var output: OutputOptions

    enum FullTextChoice: String, ExpressibleByArgument, CaseIterable {
      case yes, no, `default`
    }

    func validate() throws {
      guard
        title != nil || address != nil || folder != nil || reloadMinutes != nil || fullText != nil
          || !tag.isEmpty
          || !untag.isEmpty
      else { throw ValidationError("Give at least one change, such as --folder News.") }
      try ArticleTag.check(adding: tag, removing: untag)
      guard let reloadMinutes, reloadMinutes != "default" else { return }
      let range = 0...FeedArrangement.longestReloadMinutes
      guard let minutes = Int(reloadMinutes), range ~= minutes else {
        throw ValidationError(
          "--reload-minutes must be a number from \(range.lowerBound) to \(range.upperBound), or default."
        )
      }
    }

    func run() async throws {
      let library = try options.library()
      let found = try await library.feed(named: feed)
      // First, because it is the change that may be refused.
      if let address { try await library.setAddress(address, of: found.id) }
      var arrangement = FeedArrangement(found.feed)
      if let title { arrangement.title = title }
      if let folder {
        let folders = try await library.addedFeeds().compactMap(\.feed.folder)
        arrangement.folder = FeedFolder(typed: folder, among: folders)
      }
      if let reloadMinutes { arrangement.reloadMinutes = Int(reloadMinutes) }
      if let fullText {
        arrangement.fullText = fullText == .default ? nil : fullText == .yes
      }
      // Normalized as tags are stored, so that the typed names match the stored ones.
      let removed = FeedArrangement(tags: untag).tags.map(FoldedText.folded)
      arrangement.tags = (arrangement.tags + tag).filter {
        !removed.contains(FoldedText.folded($0))
      }
      try await library.arrange(
        found.id, as: arrangement, since: FeedArrangement(found.feed))
      let changed = try await library.addedFeeds().first { $0.id == found.id }
      guard let changed else { throw LibraryError.noSuchFeed() }
      let waiting = try await library.waitingLines(of: [changed.feed.account].compactMap(\.self))
      try output.print(changed.answer) { "Changed \(changed.feed.line).\(waiting)" }
    }
  }

  struct RenameFolder: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "rename-folder",
      abstract: "Rename a folder of feeds, or move it into another one.",
      discussion: "A folder in a folder is written with a slash, as in News/Tech.")
    @Argument(help: "The folder.") var folder: String
    @Argument(help: "Its new name.") var name: String
    @OptionGroup var options: LibraryOptions
    @OptionGroup var output: OutputOptions

    func validate() throws {
      guard FeedFolder(typed: name) != nil else { throw ValidationError("Give the folder a name.") }
    }

    func run() async throws {
      let library = try options.library()
      let (old, folders) = try await library.folder(named: folder)
      guard let new = FeedFolder(typed: name, among: folders) else {
        throw LibraryError.noSuchFolder(name)
      }
      let accounts = try await library.accounts(in: old)
      let count = try await library.move(old, to: new)
      let waiting = try await library.waitingLines(of: accounts)
      try output.print(["folder": new.path, "feedCount": count] as Answer) {
        "Renamed \(printable(old.text)) to \(printable(new.text)): \(counted(count, "feed"))."
          + waiting
      }
    }
  }
}

extension FeedsCommand {
  struct RemoveFolder: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "remove-folder", abstract: "Remove a folder of feeds, but not the feeds.",
      discussion: """
        Its feeds go to the folder around it, if there is one. A folder in a folder is written \
        with a slash, as in News/Tech.
        """)
    @Argument(help: "The folder.") var folder: String
    @OptionGroup var options: LibraryOptions
    @OptionGroup var output: OutputOptions

    func run() async throws {
      let library = try options.library()
      let old = try await library.folder(named: folder).folder
      let accounts = try await library.accounts(in: old)
      let count = try await library.remove(old)
      let waiting = try await library.waitingLines(of: accounts)
      try output.print(["folder": old.path, "feedCount": count] as Answer) {
        "Removed \(printable(old.text)); its feeds are still there: \(count).\(waiting)"
      }
    }
  }
}

extension Library {
  /// Returns the folder that the user named, and all folders that have feeds.
  ///
  /// - Throws: ``LibraryError/noSuchFolder(_:)`` or ``StoreError``.
  func folder(named name: String) async throws -> (folder: FeedFolder, all: [FeedFolder]) {
    let folders = try await addedFeeds().compactMap(\.feed.folder)
    guard let folder = FeedFolder(typed: name, among: folders),
      folders.contains(where: { $0.isWithin(folder) })
    else { throw LibraryError.noSuchFolder(name) }
    return (folder, folders)
  }

  /// Returns the accounts of the feeds in a folder.
  fileprivate func accounts(in folder: FeedFolder) async throws -> [SyncAccount.ID] {
    try await addedFeeds().map(\.feed).filter { $0.folder?.isWithin(folder) == true }
      .compactMap(\.account)
  }
}
