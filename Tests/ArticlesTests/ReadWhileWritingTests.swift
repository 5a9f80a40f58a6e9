import Dispatch
import PseudoTerminal
import Testing

@testable import Articles

/// What the user does while feeds are stored and indexed.
@Suite struct ReadWhileWritingTests {
  @Test(.timeLimit(.minutes(10)))
  func `nothing that is read waits for what is being written`() async throws {
    let directory = try TemporaryDirectory()
    let shelf = try Shelf(ArticleStore(directory: directory.path))
    let feed = try await shelf.put(["one", "two"])
    let id = try await shelf.id("one")
    try await shelf.library.index()

    let (begun, tellBegun) = AsyncStream.makeStream(of: Void.self)
    let end = DispatchSemaphore(value: 0)
    async let writing: Void = shelf.store.write { database in
      try database.execute(sql: "UPDATE article SET title = 'changed'")
      tellBegun.finish()
      end.wait()
    }
    for await _ in begun {}
    #expect(try await shelf.titles() == ["one", "two"])
    #expect(try await shelf.library.storedDocument(of: id).article.title == "one")
    #expect(try await shelf.library.nextUnread(after: id)?.title == "two")
    #expect(try await shelf.summary(feed)?.unreadCount == 2)
    #expect(try await shelf.store.counts(since: .distantPast).recentUnread == 2)
    let condition = try #require(try ArticleCondition("two"))
    let results = try await shelf.store.search(condition, in: ArticleQuery(), limit: 5)
    #expect(results.map(\.title.text) == ["two"])
    end.signal()
    try await writing
    #expect(try await Set(shelf.titles()) == ["changed"])
  }
}
