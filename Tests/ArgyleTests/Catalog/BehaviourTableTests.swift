import Foundation
import Testing

@testable import Argyle

/// Compares the documentation's table of behaviours with the catalog and the existing tests.
@MainActor
@Suite struct BehaviourTableTests {
  private struct Row {
    let number, page, keys, words, test: String
  }

  private static let root = (0..<4).reduce(URL(fileURLWithPath: #filePath)) { url, _ in
    url.deletingLastPathComponent()
  }

  private static func rows() throws -> [Row] {
    let file = root.appendingPathComponent("Sources/Loading/Loading.docc/Behaviours.md")
    return try String(contentsOf: file, encoding: .utf8).split(separator: "\n").compactMap { line in
      let cells = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
      guard cells.count == 6, Int(cells[0]) != nil else { return nil }
      return Row(
        number: cells[0], page: cells[2],
        keys: cells[3].trimmingCharacters(in: CharacterSet(charactersIn: "`")), words: cells[4],
        test: cells[5])
    }
  }

  @Test func `every row of the table can be seen by its keys`() throws {
    let rows = try Self.rows()
    #expect(rows.map(\.number) == (1...24).map { "\($0)" })
    for row in rows {
      let index = CatalogPage.all.firstIndex { $0.name == row.page }
      let turns = Array(repeating: "n ", count: try #require(index, "\(row.page)")).joined()
      let last = row.keys.split(separator: " ").last { $0.first == "@" }?.dropFirst()
      let time = String(try #require(last, "\(row.number) has no time at its end"))
      let picture = try ScreenshotCommand.parse([
        "catalog", "--size", "140x40", "--keys", turns + row.keys, "--at", time,
      ]).picture()
      #expect(picture.contains(row.words), "\(row.number)\n\(picture)")
    }
  }

  @Test func `every test that the table names exists`() throws {
    var source = ""
    let tests = Self.root.appendingPathComponent("Tests")
    let files = FileManager.default.enumerator(at: tests, includingPropertiesForKeys: nil)
    for case let file as URL in files ?? .init() where file.pathExtension == "swift" {
      source += try String(contentsOf: file, encoding: .utf8)
    }
    for row in try Self.rows() {
      #expect(source.contains("func `\(row.test)`("), "\(row.number): \(row.test)")
    }
  }
}
