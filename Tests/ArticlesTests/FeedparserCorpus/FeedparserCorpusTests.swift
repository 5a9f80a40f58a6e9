import Foundation
import Testing

/// feedparser's own `wellformed` tests, which `make corpus` fetches.
///
/// `Differences.md` beside this file says of each case that differs why it does: the test fails
/// when a case differs that is not in it, and when one is in it that agrees.
@Suite(.enabled(if: Corpus.isThere, "feedparser's test files are not there: `make corpus`"))
struct FeedparserCorpusTests {
  @Test func `what feedparser expects of well-formed feeds is what we read`() throws {
    let cases = try Corpus.cases()
    #expect(cases.count > 1_000)
    let known = try Corpus.knownDifferences()
    var table: [CorpusCase.Field: (agreed: Int, differing: Int)] = [:]
    var differing: [String: String] = [:]
    var concerned = 0
    for item in cases {
      let outcome = item.outcome()
      guard outcome != .outOfScope else { continue }
      concerned += 1
      for field in item.fields {
        if outcome == .agrees {
          table[field, default: (0, 0)].agreed += 1
        } else {
          table[field, default: (0, 0)].differing += 1
        }
      }
      if case .differs(let how) = outcome { differing[item.name] = how }
    }
    print("feedparser's wellformed cases: \(cases.count), of our fields \(concerned)")
    for field in CorpusCase.Field.allCases {
      let (agreed, differing) = table[field] ?? (0, 0)
      print("  \(field.rawValue): \(agreed) agree, \(differing) differ")
    }
    for (name, how) in differing.sorted(by: { $0.key < $1.key }) {
      print("  differs: \(name): \(known[name] ?? "unexplained, \(how.prefix(300))")")
    }
    #expect(differing.keys.filter { known[$0] == nil }.sorted() == [])
    #expect(known.keys.filter { differing[$0] == nil }.sorted() == [])
    #expect(differing.count * 20 <= concerned, "fewer than 95 % agree")
  }
}

private enum Corpus {
  private static let here = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
  private static let folder = here.appending(
    path: "../../../.build/corpora/feedparser-6.0.14/tests/wellformed"
  ).standardizedFileURL

  static let isThere = FileManager.default.fileExists(atPath: folder.path)

  static func cases() throws -> [CorpusCase] {
    let names = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
    return try names.filter { $0.hasSuffix(".xml") }.sorted().compactMap { name in
      CorpusCase(name: name, bytes: Array(try Data(contentsOf: folder.appending(path: name))))
    }
  }

  /// The rows of the table in `Differences.md`: case and reason.
  static func knownDifferences() throws -> [String: String] {
    let text = try String(contentsOf: here.appending(path: "Differences.md"), encoding: .utf8)
    var reasons: [String: String] = [:]
    for line in text.split(separator: "\n") where line.hasPrefix("| `") {
      let cells = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
      if cells.count == 2 { reasons[String(cells[0].dropFirst().dropLast())] = cells[1] }
    }
    return reasons
  }
}
