import Foundation
import Testing

@testable import Articles

/// What fuzzing begins with is read and not refused: from a refusal it would get nowhere.
@Suite struct FuzzingCorpusTests {
  private static let corpora = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .appending(path: "../Fuzzing/Corpora").standardizedFileURL

  private func texts(_ corpus: String) throws -> [(name: String, bytes: [UInt8])] {
    let folder = Self.corpora.appending(path: corpus)
    return try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted().map {
      ($0, Array(try Data(contentsOf: folder.appending(path: $0))))
    }
  }

  @Test func `every feed of the corpus has a title`() throws {
    let feeds = try texts("feeds")
    #expect(feeds.count > 4)
    for (name, bytes) in feeds {
      let feed = try FeedParser.parse(bytes, address: "https://example.org/")
      #expect(!feed.title.isEmpty, "\(name)")
    }
  }

  @Test func `every text of the corpus is a document`() throws {
    for (name, bytes) in try texts("html") {
      let html = String(decoding: bytes, as: UTF8.self)
      #expect(!HTMLRenderer.document(html: html).blocks.isEmpty, "\(name)")
    }
    for (name, bytes) in try texts("markdown") {
      #expect(!MarkdownText(bytes).html.isEmpty, "\(name)")
    }
  }
}
