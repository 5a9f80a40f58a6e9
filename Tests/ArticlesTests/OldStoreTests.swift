import Foundation
import GRDB
import PseudoTerminal
import Storage
import Testing

@testable import Articles

/// Filled stores of every released version, which `OldStores/make.py` makes.
@Suite struct OldStoreTests {
  private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .appending(path: "OldStores")
  private static let versions = 1...StoreSchema.articleSteps.count

  private static func file(_ version: Int) -> URL {
    folder.appending(path: (version < 10 ? "0" : "") + "\(version).sqlite")
  }

  /// A folder with the file of a version, as a user has it.
  private func home(_ version: Int) throws -> TemporaryDirectory {
    let directory = try TemporaryDirectory()
    try FileManager.default.copyItem(
      at: Self.file(version), to: URL(fileURLWithPath: directory.path + "/articles.sqlite"))
    return directory
  }

  private static func number(_ id: Int64) -> Article.ID { Article.ID(rawValue: id) }

  @Test func `there is a file of each version that was released`() throws {
    for version in Self.versions {
      let head = try FileHandle(forReadingFrom: Self.file(version)).read(upToCount: 64)
      // The version lies in the header, with its highest byte first.
      #expect(head?[60..<64].reduce(0) { $0 << 8 | Int($1) } == version)
    }
  }

  /// The rows of all tables, each with the columns that are asked for, or with those that it has.
  private func rows(
    _ database: Database, columns: [String: [String]]? = nil
  ) throws -> (rows: [String: [String]], columns: [String: [String]]) {
    var (rows, all): ([String: [String]], [String: [String]]) = ([:], [:])
    let tables = try String.fetchAll(
      database,
      sql: """
        SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'search%'
          AND name NOT LIKE 'sqlite%'
        """)
    for table in tables {
      if let columns, columns[table] == nil { continue }
      let own = try (columns?[table] ?? database.columns(in: table).map(\.name))
        // Nothing has ever read it.
        .filter { table != "account" || $0 != "failureDate" }
      all[table] = own
      let list = own.map { "\"\($0)\"" }.joined(separator: ", ")
      rows[table] = try Row.fetchAll(database, sql: "SELECT \(list) FROM \(table)")
        .map(\.description).sorted()
    }
    return (rows, all)
  }

  @Test(arguments: versions)
  func `every row of it is there with every value`(version: Int) async throws {
    let directory = try home(version)
    let file = try DatabaseQueue(path: directory.path + "/articles.sqlite")
    let old = try await file.read { [self] in try rows($0) }
    #expect((old.rows["article"]?.count ?? 0) >= 4)
    let store = try ArticleStore(directory: directory.path)
    let new = try await store.read { [self] in try rows($0, columns: old.columns).rows }
    for (table, expected) in old.rows where table != "listArrangement" || version > 11 {
      #expect(new[table] == expected, "\(table)")
    }
    let newest = try await store.read { try Int.fetchOne($0, sql: "PRAGMA user_version") }
    #expect(newest == StoreSchema.articleSteps.count)
  }

  @Test(arguments: versions)
  func `what it has is listed, found, read and restored`(version: Int) async throws {
    let directory = try home(version)
    let store = try ArticleStore(directory: directory.path)
    let library = Library(store: store)
    library.options.retention = .everything
    let titles = try await store.articles(matching: ArticleQuery()).map(\.title)
    let banana = version < 7 ? "Banana" : "Bananas"
    let synced = version < 17 ? [] : ["Hazelnut"]
    // The article that two feeds have is one in lists.
    #expect(titles.sorted() == ["Apple", banana, "Cherry"] + synced)

    let (_, text) = try #require(try await store.article(Self.number(1)))
    #expect((text.html, text.base) == ("<p>Red wool", "https://example.org/"))
    #expect(text.attachments.count == (version < 2 ? 0 : 2))
    #expect(text.full?.html == (version < 18 ? nil : "<p>All of the red wool"))
    let position = version < 3 ? nil : ReadingPosition(block: 7, offset: 8)
    #expect(try await store.position(of: Self.number(1)) == position)
    let starred = try await store.articles(matching: .starred).map(\.title)
    #expect(Set(starred) == (version < 3 ? [] : [banana, "Elder"]))
    let later = try await store.articles(matching: .later).map(\.title)
    #expect(later == (version < 15 ? [] : ["Cherry"]))
    let muted = try await store.articles(matching: .muted).map(\.title)
    #expect(Set(muted) == (version < 13 ? [] : version < 25 ? ["Grape"] : ["Grape", "Kiwi"]))
    #expect(try await library.articleTags().value().count == (version < 15 ? 0 : 2))
    // A mark, and a feed that is in another folder than on the server.
    #expect(try await store.accountSummaries().map(\.waitingCount) == (version < 17 ? [] : [2]))
    #expect(
      try await library.downloads().value().count
        == (version < 21 ? 0 : version < 26 ? 2 : 3))
    #expect(try await library.closedFolders().value().count == (version < 11 ? 0 : 1))

    // What was in the index, what was not yet, and what had changed since.
    #expect(try await library.found("wool").contains { $0.article.title == "Apple" })
    #expect(try await library.found("yellow").map(\.article.title) == [banana])
    #expect(
      try await library.found("brown").map(\.article.id.rawValue).contains(2) == (version > 6))
    try await store.write { database in
      // With a rank it compares the whole index with the texts.
      try database.execute(sql: "INSERT INTO search (search, rank) VALUES ('integrity-check', 1)")
    }

    try await library.tidy()
    if version >= 3 {
      #expect(try await store.restoreFeed(Feed.ID(rawValue: 3)) == 2)
      #expect(try await library.found("green").map(\.article.title) == ["Fig"])
    }
    if version >= 8 {
      // Nothing is dropped by these settings, so what had been is back.
      let old = try #require(try await store.article(Self.number(90)))
      #expect((old.0.title, old.1.html, old.1.attachments.count) == ("Old", "<p>Ancient", 1))
      #expect(old.1.full?.html == (version < 24 ? nil : "<p>Old page"))
      #expect(try await library.found("ancient").count == 1)
    }
    let counts = try await store.read { database in
      try Row.fetchAll(
        database,
        sql: """
          SELECT articleCount, unreadCount, mutedCount FROM feed UNION ALL
          SELECT COUNT(*), SUM(isRead = 0 AND isMuted = 0), SUM(isMuted) FROM article
            GROUP BY feedID
          """
      ).map(\.description)
    }
    withExtendedLifetime(directory) {}
    let (stored, counted) = (counts.prefix(counts.count / 2), counts.suffix(counts.count / 2))
    #expect(Set(stored) == Set(counted))
  }

  @Test(arguments: versions.dropLast())
  func `an older program that has it open neither writes to it nor reads from then on`(
    version: Int
  ) async throws {
    let directory = try home(version)
    let own = StoreSchema.articles
    let schema = StoreSchema(
      applicationID: own.applicationID, steps: Array(own.steps.prefix(version)),
      functions: StoreSchema.articleFunctions)
    let older = try StoreFile("articles", in: directory.path, schema: schema)
    try await older.write { try $0.execute(sql: "UPDATE feed SET title = 'Older' WHERE id = 1") }
    let newer = try ArticleStore(directory: directory.path)
    let refusal = StoreError.newer(
      path: newer.path, version: own.steps.count, known: version)
    await #expect(throws: refusal) {
      try await older.write { try $0.execute(sql: "DELETE FROM feed") }
    }
    await #expect(throws: refusal) {
      try await older.read { try String.fetchAll($0, sql: "SELECT title FROM article") }
    }
    let titles = try await newer.read { try String.fetchAll($0, sql: "SELECT title FROM feed") }
    #expect(titles.contains("Older"))
  }
}
