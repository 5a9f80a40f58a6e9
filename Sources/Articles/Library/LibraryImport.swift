import Foundation

/// The result of importing a list of feeds.
public struct ImportReport: Sendable, Hashable {
  /// The feeds that were added.
  public var added: [Subscription] = []
  /// The feeds that already existed.
  public var known: [Subscription] = []
  /// The feeds in ``known`` that got another title, folder or tags.
  public var updated: [Subscription] = []
  /// The feeds in ``updated`` that got another title.
  public var renamed: [Subscription] = []
  /// The feeds in ``updated`` that are in another folder now, or in none any more.
  public var moved: [Subscription] = []
  public var refusals: [SubscriptionList.Refusal] = []
  /// How many of the list's entries newsboat hides; here, their feeds are shown.
  public var hiddenCount = 0
  /// How many imported read marks belong to feeds that exist here.
  public var readMarks = 0

  public init() {}
}

extension NewsboatList {
  /// Whether a typed text is the path of newsboat's list, by its name or by what the file begins with,
  /// and not an address that ends with that name.
  ///
  /// - Parameter directory: the base of a relative path.
  public static func isFile(
    _ text: String, directory: String = FileManager.default.currentDirectoryPath
  ) -> Bool {
    guard ProgramAddress(text) == nil,
      let path = FeedAddress.normalized(text, directory: directory).flatMap(FileAddress.path)
    else { return false }
    return isName(text) || (try? FetchError.bytes(ofFile: path)).map(isList) ?? false
  }
}

extension Library {
  /// Imports a list of feeds, without fetching any.
  ///
  /// An existing feed, which the list may have under an address from before a permanent redirect,
  /// gets the folder that the list has for it, the list's title unless the user has given it one and
  /// the list is that of others, and the list's tags in addition to its own. If a list has no folders at all, feeds stay in theirs.
  /// ``undo()`` undoes the import, except for read marks and empty folders. Attributes that OPML does not
  /// define are exported again, up to the limits of ``Subscription/others``.
  ///
  /// ```swift
  /// let report = try await library.add(try OPML.read(bytes))
  /// ```
  ///
  /// - Parameter cache: newsboat's database, from which articles are marked as read.
  public func add(
    _ list: SubscriptionList, cache: NewsboatCache? = nil
  ) async throws -> ImportReport {
    var report = ImportReport()
    report.refusals = list.refusals
    report.hiddenCount = list.hiddenCount
    let added = try await store.insert(
      list.subscriptions, emptyFolders: list.emptyFolders, keepsTitles: !list.isOwn)
    report.added = list.subscriptions.filter { added.addresses.contains($0.address) }
    report.known = list.subscriptions.filter { !added.addresses.contains($0.address) }
    report.updated = list.subscriptions.filter { added.updates[$0.address] != nil }
    report.renamed = report.updated.filter { added.updates[$0.address]?.isRenaming == true }
    report.moved = report.updated.filter { added.updates[$0.address]?.isMoving == true }
    let count = report.added.count + report.updated.count
    if count > 0 {
      record(
        .importedFeeds, count: count,
        step: .feeds(added: added.ids, arranged: Array(added.updates.values)))
    }
    if let cache {
      var marks: [String: Set<Int64>] = [:]
      for mark in cache.marks {
        guard let address = FeedAddress.normalized(mark.feed, directory: "/") else { continue }
        marks[FeedCredentials.split(address).address, default: []].formUnion(
          [mark.guid, mark.link].compactMap { $0 }.filter { !$0.isEmpty }.map(FeedMemory.key))
      }
      report.readMarks = try await store.insertReadMarks(marks)
    }
    changed()
    return report
  }

  /// Imports the list of feeds in a file, in OPML or newsboat's `urls`, under whatever name.
  ///
  /// newsboat's list may name programs of ``Options/programs``.
  ///
  /// - Parameters:
  ///   - path: a path, or a `file` URL.
  ///   - directory: the base of a relative path.
  /// - Throws: ``FetchError``, ``OPMLError`` or ``StoreError``; for the address of a server,
  ///   ``FeedError/notAFeed(found:)``.
  public func importList(
    at path: String, directory: String = FileManager.default.currentDirectoryPath
  ) async throws -> ImportReport {
    guard
      let file = FeedAddress.normalized(path, directory: directory).flatMap(
        FileAddress.path)
    else { throw FeedError.notAFeed(found: .xml(root: "opml")) }
    let bytes = try FetchError.bytes(ofFile: file)
    guard NewsboatList.isName(file) || NewsboatList.isList(bytes) else {
      return try await add(try OPML.read(bytes))
    }
    return try await add(
      try NewsboatList.read(bytes, programs: Set(options.programs.keys)))
  }

  /// Returns the feeds as a list for another reader, in the order in which they were added.
  ///
  /// User names and passwords are left out.
  public func subscriptions() async throws -> [Subscription] { try await store.subscriptions() }

  /// Returns the folders of imported lists that have no feeds, so that an export has them too.
  public func emptyFolders() async throws -> [FeedFolder] { try await store.emptyFolders() }
}
