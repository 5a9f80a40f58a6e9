import GRDB
import PseudoTerminal
import Synchronization
import Testing

@testable import Storage

/// What a log is told of stores, in processes of their own: there is one observer for all files.
struct StoreReportTests {
  private final class Told: Sendable {
    private let reports = Mutex<[StoreReport]>([])
    var works: [StoreReport.Work] { reports.withLock { $0.map(\.work) } }
    var errors: [(any Error)?] { reports.withLock { $0.map(\.error) } }

    init() { StoreReport.observe { report in self.reports.withLock { $0.append(report) } } }
  }

  private struct Refusal: Error {}

  @Test func `opening, reading and writing are told, with the rows that were changed`() async {
    await #expect(processExitsWith: .success) {
      let told = Told()
      let directory = try TemporaryDirectory()
      let file = try StoreFile("numbers", in: directory.path, schema: .numbers)
      try await file.write { database in
        try database.execute(sql: "CREATE TABLE kept (number INTEGER)")
        try database.execute(sql: "INSERT INTO kept VALUES (1), (2), (3)")
      }
      try await file.write(durability: .system) { try $0.execute(sql: "DELETE FROM kept") }
      #expect(try await file.read { try Int.fetchOne($0, sql: "SELECT COUNT(*) FROM kept") } == 0)
      #expect(
        told.works == [.opened, .wrote(writes: 1, rows: 3), .wrote(writes: 1, rows: 3), .read])
      #expect(told.errors.allSatisfy { $0 == nil })
    }
  }

  @Test func `a transaction that fails is told with its error`() async {
    await #expect(processExitsWith: .success) {
      let directory = try TemporaryDirectory()
      let file = try StoreFile("numbers", in: directory.path, schema: .numbers)
      let told = Told()
      await #expect(throws: Refusal.self) { try await file.write { _ in throw Refusal() } }
      #expect(told.works == [.wrote(writes: 1, rows: 0)])
      #expect(told.errors.map { $0 is Refusal } == [true])
    }
  }
}
