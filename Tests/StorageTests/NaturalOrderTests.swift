import GRDB
import PseudoTerminal
import Testing

@testable import Storage

struct NaturalOrderTests {
  private func compare(_ one: String, _ other: String) -> Int32 {
    Array(one.utf8).withUnsafeBytes { one in
      Array(other.utf8).withUnsafeBytes { NaturalOrder.compare(one, $0) }
    }
  }

  @Test func `numbers in titles count as numbers, and letters without their case`() async throws {
    // A space comes before letters.
    let sorted = [
      "", "1. first", "2. second", "10. tenth", "feed", "Feed 1", "feed 2", "Feed 10",
      "Feed 10 000", "feed 10b", "feed 18446744073709551616", "Feed 99999999999999999999",
      "Feed x", "Äpfel",
    ]
    let file = try StoreFile.inMemory("numbers", schema: .numbers)
    let read = try await file.read { database in
      let rows = sorted.reversed().map { "('\($0)')" }.joined(separator: ", ")
      return try String.fetchAll(
        database, sql: "SELECT column1 FROM (VALUES \(rows)) ORDER BY column1 COLLATE TITLES")
    }
    #expect(read == sorted)
  }

  @Test func `leading zeros do not count, and it is an order`() {
    #expect(compare("Part 007", "part 7") == 0)
    let letters = Array("aB1029 é")
    forEachSeed(20) { generator, _ in
      let words = (0..<20).map { _ in
        String(
          (0..<Int.random(in: 0...5, using: &generator)).compactMap { _ in
            letters.randomElement(using: &generator)
          })
      }
      for a in words {
        #expect(compare(a, a) == 0)
        for b in words {
          #expect(compare(a, b).signum() == -compare(b, a).signum())
          for c in words where compare(a, b) <= 0 && compare(b, c) <= 0 {
            #expect(compare(a, c) <= 0)
          }
        }
      }
    }
  }
}
