import Dispatch
import Foundation
import GRDB
import PseudoTerminal
import Synchronization
import Testing

@testable import Storage

/// What becomes of a connection, and of those who use it, when it is closed.
///
/// SQLite ends the process when a connection is used that is closed: such tests have one of their own.
struct StoreConnectionTests {
  @Test func `who waits for a connection is served before it is closed, who comes later fails`()
    async
  {
    await #expect(processExitsWith: .success) {
      let directory = try TemporaryDirectory()
      let file = try StoreFile("numbers", in: directory.path, schema: .numbers)
      let reader = file.anotherReader("another")
      let (held, waiting, late) = (DispatchSemaphore(value: 0), Answer(), Answer())
      reader.queue.async { held.wait() }
      waiting.ask(reader)
      reader.close()
      late.ask(reader)
      held.signal()
      reader.queue.sync {}
      #expect(try waiting.value() == 1)
      #expect(throws: CancellationError.self) { try late.value() }
    }
  }

  @Test func `at the end of the process nobody meets a closed connection`() async {
    await #expect(processExitsWith: .success) {
      let directory = try TemporaryDirectory()
      let file = try StoreFile("numbers", in: directory.path, schema: .numbers)
      let (held, waiting) = (DispatchSemaphore(value: 0), Answer())
      file.reading.queue.async { held.wait() }
      waiting.ask(file.reading)
      // It is in use for longer than that.
      StoreFile.closeAll(within: 0)
      held.signal()
      #expect(try waiting.value() == 1)
      await #expect(throws: CancellationError.self) { try await file.read(one) }
      await #expect(throws: CancellationError.self) { try await file.write(one) }
    }
  }

  @Test func `who waits when a file is released is served`() async {
    await #expect(processExitsWith: .success) {
      let directory = try TemporaryDirectory()
      var file: StoreFile? = try StoreFile("numbers", in: directory.path, schema: .numbers)
      let reader = try #require(file).anotherReader("another")
      let (held, waiting) = (DispatchSemaphore(value: 0), Answer())
      let reading = try #require(file).reading
      for queue in [reading.queue, reader.queue] { queue.async { held.wait() } }
      waiting.ask(reading)
      file = nil
      for _ in 1...2 { held.signal() }
      #expect(try waiting.value() == 1)
      // It is its owner's to close.
      #expect(try await reader.run { try $0.readSnapshot(one) } == 1)
    }
  }

  @Test func `whichever connection is closed last, no log is left`() throws {
    for _ in 1...50 {
      let directory = try TemporaryDirectory()
      var file: StoreFile? = try StoreFile("numbers", in: directory.path, schema: .numbers)
      let connections = try [
        #require(file).reading, #require(file).writing, #require(file).anotherReader("another"),
      ]
      let answer = Answer()
      answer.ask(connections[2])
      #expect(try answer.value() == 1)
      #expect(directory.names == ["numbers.sqlite", "numbers.sqlite-shm", "numbers.sqlite-wal"])
      connections[2].close()
      file = nil
      for connection in connections { connection.queue.sync {} }
      #expect(directory.names == ["numbers.sqlite"])
    }
  }
}

/// What somebody reads with a connection, once it was asked for.
private final class Answer: Sendable {
  private let outcome = Mutex<Result<Int?, any Error>?>(nil)
  private let isThere = DispatchSemaphore(value: 0)

  func ask(_ connection: StoreConnection) {
    connection.queue.async { [self] in
      let read = Result { try connection.use { try $0.readSnapshot(one) } }
      outcome.withLock { $0 = read }
      isThere.signal()
    }
  }

  func value() throws -> Int? {
    isThere.wait()
    let outcome = outcome.withLock { $0 }
    return try #require(outcome).get()
  }
}

@Sendable private func one(_ database: Database) throws -> Int? {
  try Int.fetchOne(database, sql: "SELECT 1")
}

extension StoreSchema {
  static let numbers = StoreSchema(
    applicationID: 1, steps: ["CREATE TABLE number (value INTEGER PRIMARY KEY) STRICT"])
}

extension TemporaryDirectory {
  fileprivate var names: [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).sorted()
  }
}
