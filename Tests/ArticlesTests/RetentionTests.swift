import Foundation
import GRDB
import Testing

@testable import Articles

@Suite struct RetentionTests {
  private func shelf(_ retention: Retention) throws -> Shelf {
    try Shelf(retention: retention)
  }

  @Test func `the oldest of each feed are dropped, but for those with a star`() async throws {
    let shelf = try shelf(Retention(age: nil, countPerFeed: 2))
    try await shelf.put(["a", "b", "c", "d"], in: "one")
    try await shelf.put(["e"], in: "two")
    try await shelf.library.setStarred(true, of: [try await shelf.id("d")])
    #expect(try await shelf.library.tidy() == 1)
    #expect(try await Set(shelf.titles()) == ["a", "b", "d", "e"])
    #expect(try await shelf.library.tidy() == 0)
    // A star that is taken away leaves the article among the others.
    try await shelf.library.setStarred(false, of: [try await shelf.id("d")])
    #expect(try await shelf.library.tidy() == 1)
    #expect(try await Set(shelf.titles()) == ["a", "b", "e"])
  }

  @Test func `what was read is dropped by its age, and the unread where that is wanted`()
    async throws
  {
    for keepsUnread in [true, false] {
      let shelf = try shelf(Retention(age: 86_400, countPerFeed: nil, keepsUnread: keepsUnread))
      try await shelf.put(["read", "unread", "star"])
      try await shelf.library.setRead(
        true, of: [try await shelf.id("read"), try await shelf.id("star")])
      try await shelf.library.setStarred(true, of: [try await shelf.id("star")])
      shelf.today.pass(86_400)
      #expect(try await shelf.library.tidy() == 0)
      shelf.today.pass(1)
      #expect(try await shelf.library.tidy() == (keepsUnread ? 1 : 2))
      #expect(try await shelf.titles() == (keepsUnread ? ["unread", "star"] : ["star"]))
    }
  }

  @Test func `what was dropped is not new while its feed still carries it, or is back soon`()
    async throws
  {
    let shelf = try shelf(Retention(age: nil, countPerFeed: 1))
    try await shelf.put(["a", "b", "c"])
    #expect(try await shelf.library.tidy() == 2)
    for _ in 0..<30 {
      shelf.today.pass(86_400)
      try await shelf.put(["a", "b", "c"])
      #expect(try await shelf.titles() == ["a"])
    }
    // Left out for six days, one is known again; after more than a week, nobody remembers.
    try await shelf.put(["a"])
    shelf.today.pass(6 * 86_400)
    try await shelf.put(["a", "b"])
    #expect(try await shelf.titles() == ["a"])
    shelf.today.pass(2 * 86_400)
    try await shelf.put(["a", "c"])
    let remembered = try await shelf.store.read {
      try Int.fetchOne($0, sql: "SELECT COUNT(*) FROM dropped")
    }
    #expect(remembered == 2)
    shelf.today.pass(8 * 86_400)
    try await shelf.put(["a"])
    #expect(
      try await shelf.store.read { try Int.fetchOne($0, sql: "SELECT COUNT(*) FROM dropped") } == 0)
    try await shelf.put(["a", "b"])
    #expect(try await Set(shelf.titles()) == ["a", "b"])
  }

  @Test func `a feed that was removed for an hour is gone for good`() async throws {
    let shelf = try shelf(.everything)
    let feed = try await shelf.put((0..<250).map(String.init))
    try await shelf.library.remove(feed)
    shelf.today.pass(3_600)
    try await shelf.library.tidy()
    try await shelf.library.undo()
    #expect(try await shelf.titles().count == 250)
    try await shelf.library.remove(feed)
    shelf.today.pass(3_601)
    try await shelf.library.tidy()
    try await shelf.library.undo()
    #expect(try await shelf.titles().isEmpty)
    let rows = try await shelf.store.read { database in
      try ["feed", "article", "articleText", "unindexed"].map {
        try Int.fetchOne(database, sql: "SELECT COUNT(*) FROM \($0)")
      }
    }
    #expect(rows == [0, 0, 0, 0])
  }
}
