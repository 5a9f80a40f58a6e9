import Foundation

/// What came of taking over a list of feeds.
public struct ImportReport: Sendable, Hashable {
  /// The feeds that were not here.
  public var added: [Subscription] = []
  /// Those that were.
  public var known: [Subscription] = []
  public var refusals: [SubscriptionList.Refusal] = []
  /// How many marks of read articles are about feeds that are here.
  public var readMarks = 0

  public init() {}
}

extension Library {
  /// Takes over a list of feeds, without fetching any.
  ///
  /// A feed that is here already keeps its title and gets the list's tags, and its folder when it
  /// has none.
  ///
  /// ```swift
  /// let report = try await library.add(try OPML.read(bytes))
  /// ```
  ///
  /// - Parameter cache: what newsboat knows of their articles: those it has shown are read.
  /// - Throws: ``StoreError``.
  public func add(
    _ list: SubscriptionList, cache: NewsboatCache? = nil
  ) async throws -> ImportReport {
    var report = ImportReport()
    report.refusals = list.refusals
    let added = try await store.insert(list.subscriptions, emptyFolders: list.emptyFolders)
    report.added = list.subscriptions.filter { added.contains($0.address) }
    report.known = list.subscriptions.filter { !added.contains($0.address) }
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

  /// The feeds as a list for another reader, in the order in which they were added.
  ///
  /// Names and passwords of servers are not in it.
  ///
  /// - Throws: ``StoreError``.
  public func subscriptions() async throws -> [Subscription] { try await store.subscriptions() }

  /// The folders that a list of feeds had and that have no feeds, for handing them on.
  ///
  /// - Throws: ``StoreError``.
  public func emptyFolders() async throws -> [FeedFolder] { try await store.emptyFolders() }
}
