import Foundation
import TestServer
import Testing

@testable import Articles

/// Tests of when an account is synced by itself.
@Suite(.timeLimit(.minutes(10))) struct SyncDueTests {
  private static let other = "https://example.org/other"

  private static let policies = [RefreshPolicy.scheduled(every: 600), .ifDue(after: 600)]

  /// Whether a reload syncs the account.
  private func isDue(_ reader: SyncedReader, _ policy: RefreshPolicy) async throws -> Bool {
    try await !reader.library.reload(refresh: policy).accounts.isEmpty
  }

  @Test(arguments: policies, [false, true])
  func `a feed that the server refuses makes its account due no sooner`(
    policy: RefreshPolicy, isAlone: Bool
  ) async throws {
    let (reader, account) = try await SyncedReader.synced()
    if isAlone {
      reader.double.edit { $0.model.unsubscribe("feed/1") }
      try await reader.library.sync(account)
    }
    reader.double.edit { $0.unfetchable = [Self.other] }
    reader.double.server.refuseConnections()
    let added = try await reader.library.addition(of: Self.other, to: account)
    #expect(added.failure != nil)
    try reader.double.server.acceptConnections()
    #expect(try await reader.library.sync(account).refusedFeeds.map(\.id) == [added.feed.id])
    #expect(try await reader.waiting() == 1)
    let dates = try await reader.store.feedSummaries(reloadInterval: 600) {
      [today = reader.today] in today.now
    }.compactMap(\.nextReload)
    #expect(dates == (isAlone ? [] : [reader.today.now + 600]))
    for _ in 1...2 {
      #expect(try await !isDue(reader, policy))
      reader.today.pass(599)
      #expect(try await !isDue(reader, policy))
      reader.today.pass(1)
      #expect(try await isDue(reader, policy))
    }
    // The user can always ask.
    #expect(try await isDue(reader, .always))
  }

  @Test(arguments: [RefreshPolicy.scheduled(every: 60), .ifDue(after: 60)])
  func `an account whose first sync has failed is synced again after the pause`(
    policy: RefreshPolicy
  ) async throws {
    let reader = try SyncedReader()
    let account = try await reader.addAccount()
    reader.double.edit { $0.faults = [.status(502)] }
    await #expect(throws: SyncError.self) { try await reader.library.sync(account) }
    reader.today.pass(299)
    #expect(try await !isDue(reader, policy))
    reader.today.pass(1)
    #expect(try await isDue(reader, policy))
    #expect(try await reader.titles() == ["a", "b", "c"])
  }

  @Test(arguments: policies) func `feeds that are added elsewhere to an empty account come here`(
    policy: RefreshPolicy
  ) async throws {
    let reader = try SyncedReader()
    reader.double.edit { $0.model.unsubscribe("feed/1") }
    let account = try await reader.addSyncedAccount()
    reader.double.edit { _ = $0.model.subscribe("https://example.org/feed", title: "Feed") }
    #expect(try await !isDue(reader, policy))
    reader.today.pass(599)
    #expect(try await !isDue(reader, policy))
    reader.today.pass(1)
    // The feeds of others do not bring it.
    #expect(try await reader.library.reload(.folder(#require(FeedFolder(["News"])))).accounts == [])
    #expect(try await isDue(reader, policy))
    #expect(try await reader.store.feeds(in: .account(account)).count == 1)
  }

  @Test func `an account without feeds is left alone unless something is reloaded by itself`()
    async throws
  {
    let reader = try SyncedReader()
    reader.double.edit { $0.model.unsubscribe("feed/1") }
    _ = try await reader.addSyncedAccount()
    reader.today.pass(86_400)
    for policy in [RefreshPolicy.scheduled(every: nil), .whenAsked, .never] {
      #expect(try await !isDue(reader, policy))
    }
  }
}
