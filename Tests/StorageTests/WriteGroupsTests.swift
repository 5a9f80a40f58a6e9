import Dispatch
import GRDB
import Synchronization
import Testing

@testable import Storage

/// Writes that wait together, on a queue that runs when the test says so.
@Suite final class WriteGroupsTests: Sendable {
  private let queue = DispatchQueue(label: "writing")
  private let database: DatabaseQueue
  private let groups: WriteGroups
  private let outcomes = Mutex<[Int: Bool]>([:])
  private var told: [Int: Bool] { outcomes.withLock(\.self) }
  private let transactions = Transactions()

  private struct Refusal: Error {}

  private final class Counted: Sendable {
    let value = Mutex<Int?>(nil)
  }

  private final class Transactions: TransactionObserver, Sendable {
    private let commits = Mutex(0)
    var count: Int { commits.withLock(\.self) }

    func observes(eventsOfKind eventKind: DatabaseEventKind) -> Bool { true }
    func databaseDidChange(with event: DatabaseEvent) {}
    func databaseDidCommit(_ database: Database) { commits.withLock { $0 += 1 } }
    func databaseDidRollback(_ database: Database) {}
  }

  init() throws {
    let database = try DatabaseQueue()
    try database.write { try $0.execute(sql: "CREATE TABLE kept (number INTEGER PRIMARY KEY)") }
    database.add(transactionObserver: transactions, extent: .databaseLifetime)
    self.database = database
    groups = WriteGroups(queue: queue) { try database.write($1) }
  }

  /// Writes a number, and then does something else.
  private func add(_ number: Int, _ body: @escaping @Sendable (Database) throws -> Void = { _ in })
  {
    groups.add(
      WriteGroups.Write { [self] database in
        try database.execute(sql: "INSERT INTO kept VALUES (?)", arguments: [number])
        try body(database)
        return { [self] in outcomes.withLock { $0[number] = true } }
      } failed: { [self] _ in
        outcomes.withLock { $0[number] = false }
      })
  }

  private func kept() throws -> [Int] {
    try database.read { try Int.fetchAll($0, sql: "SELECT number FROM kept ORDER BY number") }
  }

  /// Adds writes 1…5 while nothing can be written, and then lets them be.
  private func addFive(_ body: @escaping @Sendable (Int, Database) throws -> Void = { _, _ in }) {
    queue.suspend()
    for number in 1...5 { add(number) { try body(number, $0) } }
    queue.resume()
    finish(5)
  }

  private func finish(_ count: Int) {
    while told.count < count { queue.sync {} }
  }

  @Test func `those that wait together are one transaction`() throws {
    addFive()
    #expect(try kept() == [1, 2, 3, 4, 5])
    #expect(!told.values.contains(false))
    #expect(transactions.count == 1)
  }

  @Test func `one that fails leaves nothing of itself, and the others as they are`() throws {
    addFive { number, _ in if number == 3 { throw Refusal() } }
    #expect(try kept() == [1, 2, 4, 5])
    #expect(told == [1: true, 2: true, 3: false, 4: true, 5: true])
    #expect(transactions.count == 4, "each of them has its own")
  }

  @Test func `one that ends the transaction takes nobody with it`() throws {
    addFive { number, database in
      guard number == 3 else { return }
      try database.execute(sql: "INSERT OR ROLLBACK INTO kept VALUES (3)")
    }
    #expect(try kept() == [1, 2, 4, 5])
    #expect(told == [1: true, 2: true, 3: false, 4: true, 5: true])
  }

  @Test func `nobody is told before it is kept`() throws {
    addFive { [self] _, _ in #expect(told.isEmpty) }
    #expect(try kept().count == 5)
  }

  @Test func `who comes between two groups does not wait for all of them`() throws {
    queue.suspend()
    for number in 0..<WriteGroups.limit * 3 { add(number) }
    let between = Counted()
    queue.async { [self] in between.value.withLock { $0 = told.count } }
    queue.resume()
    finish(WriteGroups.limit * 3)
    let countBetween = between.value.withLock(\.self)
    #expect(countBetween == WriteGroups.limit)
    #expect(transactions.count == 3)
  }
}
