import Foundation
import GRDB
import HTTP
import TestServer
import Testing

@testable import Articles

/// Tests of the feeds of an account: added, renamed and removed, here and elsewhere.
@Suite(.timeLimit(.minutes(10))) struct SyncFeedTests {
  typealias Dialect = GoogleReaderDouble.Dialect

  private static let other = "https://example.org/other"

  private func feed(_ reader: SyncedReader) async throws -> Feed {
    try #require(
      try await reader.store.feeds(in: .all).first {
        $0.feed.address == "https://example.org/feed"
      }
    ).feed
  }

  private func requests(_ reader: SyncedReader, to path: String) -> Int {
    reader.double.edit { state in state.requests.count { $0.hasSuffix(path) } }
  }

  // MARK: Additions

  // MARK: Titles

  // MARK: Removals

  // MARK: Articles

  @Test func `what was marked as read by mistake comes back, however many articles its feed has`()
    async throws
  {
    let reader = try SyncedReader(
      .freshRSS, ["a", "b", "c"], retention: Retention(age: nil, countPerFeed: 1))
    let account = try await reader.addSyncedAccount()
    try await reader.library.markRead()
    #expect(try await reader.library.tidy() == 2)
    #expect(try await reader.library.undo()?.undoing == .all)
    #expect(try await reader.titles(.unread) == ["a", "b", "c"])
    #expect(try await reader.library.tidy() == 0)
    try await reader.library.sync(account)
    #expect(reader.unreadOfServer() == ["a", "b", "c"])
  }
}
