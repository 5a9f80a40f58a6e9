import Foundation
import Testing

@testable import Articles

/// Pages of other people, which are no part of this project: see `make corpus`.
@Suite struct ExtractionCorpusTests {
  private static let corpora = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().appending(path: "../../.build/corpora").standardizedFileURL
  private static let readability = corpora.appending(path: "readability/test/test-pages")
  private static let newspaper = corpora.appending(path: "newspaper4k-0.9.6/tests/data")

  private static func has(_ folder: URL) -> Bool {
    FileManager.default.fileExists(atPath: folder.path)
  }

  private static func text(_ file: URL) -> String? {
    (try? Data(contentsOf: file)).map {
      String(decoding: PageSource.utf8(Array($0), charset: nil), as: UTF8.self)
    }
  }

  private static func agreement(_ page: String, with expected: String) -> Agreement {
    let text = ArticleExtractor.text(of: page, address: "http://fakehost/test/page.html")
    return Agreement(text.map { ExtractionTests.words($0.html) } ?? "", with: expected)
  }

  private static func report(_ all: [(String, Agreement)]) -> String {
    all.filter { !$0.1.isGood }.map { name, agreement in
      "\(name): \(Int(agreement.found * 100)) % found, \(Int(agreement.foreign * 100)) % foreign"
    }.joined(separator: "\n")
  }

  @Test(
    .enabled(
      if: has(readability),
      "Mozilla's test pages are not in .build/corpora/readability: no registry has them"))
  func `of Mozilla's pages at least 120 of 130 are read as Readability reads them`() throws {
    let names = try FileManager.default.contentsOfDirectory(atPath: Self.readability.path).sorted()
    let all = names.compactMap { name -> (String, Agreement)? in
      let folder = Self.readability.appending(path: name)
      guard let page = Self.text(folder.appending(path: "source.html")),
        let expected = Self.text(folder.appending(path: "expected.html"))
      else { return nil }
      return (name, Self.agreement(page, with: ExtractionTests.words(expected)))
    }
    let good = all.count { $0.1.isGood }
    #expect(good * 130 >= all.count * 120, "\(good) of \(all.count)\n\(Self.report(all))")
  }

  @Test(
    .enabled(
      if: has(newspaper), "newspaper4k's test pages are not there: run make corpus"))
  func `the articles of real news pages are found`() throws {
    let names = try FileManager.default.contentsOfDirectory(
      atPath: Self.newspaper.appending(path: "txt").path
    ).sorted().map { String($0.dropLast(4)) }
    let all = names.compactMap { name -> (String, Agreement)? in
      let (html, txt) = ("html/\(name).html", "txt/\(name).txt")
      guard let page = Self.text(Self.newspaper.appending(path: html)),
        let expected = Self.text(Self.newspaper.appending(path: txt))
      else { return nil }
      return (name, Self.agreement(page, with: expected))
    }
    let good = all.count { $0.1.isGood }
    #expect(good >= 16, "\(good) of \(all.count)\n\(Self.report(all))")
  }
}
