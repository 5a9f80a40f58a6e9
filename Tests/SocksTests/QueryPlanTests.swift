import GRDB
import Synchronization
import Testing

@testable import Socks

/// What a list of 100,000 socks costs is decided by SQLite's plans: none may sort what an index has
/// in order, or look at every row for a few.
@Suite struct QueryPlanTests {
  /// The plans of everything that `body` reads.
  private func plans(
    _ body: (EmbeddedSockStore) async throws -> Void
  ) async throws -> [String] {
    let store = try EmbeddedSockStore(
      inMemoryWith: (1...50).map { sock($0, colour: "colour \($0 % 7)") })
    let statements = Statements()
    try await store.read { $0.trace { statements.append($0) } }
    try await body(store)
    return try await store.read { database in
      database.trace(nil)
      return try statements.all.flatMap { sql in
        try Row.fetchAll(database, sql: "EXPLAIN QUERY PLAN \(sql)").map { $0["detail"] as String }
      }
    }
  }

  private final class Statements: Sendable {
    private let list = Mutex<[String]>([])
    var all: [String] { list.withLock { $0 } }

    func append(_ event: Database.TraceEvent) {
      let sql = event.expandedDescription
      if sql.hasPrefix("SELECT") { list.withLock { $0.append(sql) } }
    }
  }

  @Test(arguments: SockOrder.Key.allCases, [false, true])
  func `a list comes in the order of an index, from either end`(
    key: SockOrder.Key, isDescending: Bool
  ) async throws {
    let plans = try await plans { store in
      let query = SockQuery(order: SockOrder(by: key, descending: isDescending))
      for start in [0, 10, 45] { _ = try await store.socks(start..<start + 5, query) }
    }
    let column =
      key == .name ? "Name" : key.rawValue.prefix(1).uppercased() + key.rawValue.dropFirst()
    let lists = plans.filter { !$0.contains("COVERING") }
    #expect(lists == Array(repeating: "SCAN sock USING INDEX sockBy\(column)", count: 3))
  }

  @Test func `a sock, the partners of one and the ids of a prefix are searched for`() async throws {
    let plans = try await plans { store in
      _ = try await store.sock(id(1))
      _ = try await store.partners(of: id(1), limit: 5)
      _ = try await store.ids(withPrefix: "0")
    }
    #expect(
      plans == [
        "SEARCH sock USING INDEX sqlite_autoindex_sock_1 (id=?)",
        "SEARCH sock USING INDEX sqlite_autoindex_sock_1 (id=?)",
        "SEARCH sock USING INDEX sockByLook (pattern=? AND colour=?)",
        "SEARCH sock USING INDEX sqlite_autoindex_sock_1 (id>? AND id<?)",
      ])
  }

  @Test func `all socks are counted over an index and not over the rows`() async throws {
    let plans = try await plans { _ = try await $0.count(.all) }
    #expect(plans.count == 1)
    #expect(plans[0].contains("USING COVERING INDEX"))
  }

  @Test func `a text of three characters is looked up, and a shorter one along the rows`()
    async throws
  {
    let plans = try await plans { store in
      for text in ["sock", "靴下が", "so"] {
        let filter = SockFilter(text: text)
        _ = try await store.count(filter)
        _ = try await store.socks(0..<5, SockQuery(filter: filter))
      }
    }
    let lookup = [
      "SEARCH sock USING INTEGER PRIMARY KEY (rowid=?)", "LIST SUBQUERY 1",
      "SCAN sockText VIRTUAL TABLE INDEX 0:M1",
    ]
    let sorting = ["USE TEMP B-TREE FOR ORDER BY"]
    #expect(
      plans == lookup + lookup + sorting + lookup + lookup + sorting + ["SCAN sock", "SCAN sock"]
        + sorting)
  }
}
