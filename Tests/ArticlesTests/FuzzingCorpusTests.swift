import Foundation
import Testing

@testable import Articles

/// What fuzzing begins with is read and not refused: from a refusal it would get nowhere.
@Suite struct FuzzingCorpusTests {
  private static let corpora = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .appending(path: "../Fuzzing/Corpora").standardizedFileURL

  private func texts(
    _ corpus: String, in corpora: URL = Self.corpora
  ) throws -> [(name: String, bytes: [UInt8])] {
    let folder = corpora.appending(path: corpus)
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

  @Test func `every answer of the corpus is one`() throws {
    for (name, bytes) in try texts("sync") {
      let answer = ServerAnswer(bytes, of: name)
      var ids: Set<RemoteID> = []
      let readings: [() throws -> Bool] = [
        { try answer.subscriptions().count > 0 }, { try answer.labels().count > 0 },
        { try answer.articles([RemoteID(number: 1)]).count == 1 },
        {
          _ = try answer.references(into: &ids); return ids.count > 0
        },
        { try answer.fever(wanted: [1]).auth == 1 },
      ]
      #expect(readings.contains { (try? $0()) == true }, "\(name)")
    }
  }

  @Test func `every list of the corpus is written as it was read`() throws {
    for (name, bytes) in try texts("opml") where !name.hasSuffix(".urls") {
      let list = try OPML.read(bytes)
      let again = try OPML.read(Array(OPML.text(list.subscriptions).utf8))
      #expect(again.refusals.isEmpty, "\(name)")
      // Folders may move to the place of their first feed.
      func sorted(_ list: SubscriptionList) -> [Subscription] {
        list.subscriptions.sorted { $0.address < $1.address }
      }
      for (kept, written) in zip(sorted(again), sorted(list)) {
        var kept = kept
        // One without a name is written under its address.
        if written.name == nil { kept.name = nil }
        #expect(kept == written, "\(name)")
      }
      #expect(again.subscriptions.count == list.subscriptions.count, "\(name)")
    }
  }

  @Test func `every list of the corpus has addresses of the web, each once, and plain refusals`()
    throws
  {
    for (name, bytes) in try texts("opml") {
      for list in [try? NewsboatList.read(bytes), try? OPML.read(bytes)].compactMap(\.self) {
        let addresses = list.subscriptions.map(\.address)
        #expect(Set(addresses).count == addresses.count, "\(name)")
        for address in addresses {
          #expect(["http://", "https://", "file://"].contains { address.hasPrefix($0) }, "\(name)")
        }
        for refusal in list.refusals {
          #expect(refusal.entry.unicodeScalars.allSatisfy { $0.value >= 0x20 }, "\(name)")
        }
      }
    }
  }

  @Test func `every list of the corpus has feeds`() throws {
    for (name, bytes) in try texts("opml") {
      let list = name.hasSuffix(".urls") ? try NewsboatList.read(bytes) : try OPML.read(bytes)
      #expect(!list.subscriptions.isEmpty, "\(name)")
    }
  }

  /// SwiftPM only warns of a source that is not there, and builds what is left of the target.
  @Test func `every source of the fuzzers is there`() throws {
    let package = Self.corpora.deletingLastPathComponent()
    let manifest = try String(
      contentsOf: package.appending(path: "Package.swift"), encoding: .utf8)
    let targets = manifest.components(separatedBy: "name: \"").dropFirst()
    let sources = targets.flatMap { target in
      let parts = target.components(separatedBy: "\"")
      return parts.filter { $0.hasSuffix(".swift") }.map { "Sources/\(parts[0])/\($0)" }
    }
    #expect(sources.count > 10)
    let missing = sources.filter {
      !FileManager.default.fileExists(atPath: package.appending(path: $0).path)
    }
    #expect(missing.isEmpty)
  }

  /// What fuzzing has found, by target, kept for ever: the promises that it broke.
  private static let found = corpora.appending(path: "../Found").standardizedFileURL

  @Test func `every feed that fuzzing found keeps the promises of a feed`() throws {
    let feeds = try texts("feeds", in: Self.found)
    #expect(!feeds.isEmpty)
    for (name, bytes) in feeds {
      let address = "https://example.org/feed"
      let feed = try FeedParser.parse(bytes, address: address)
      #expect(
        try FeedParser.parse(bytes, address: address, charset: nil, chunkSize: 5) == feed, "\(name)"
      )
      let articles = PreparedFeed(feed).articles.map(\.content)
      #expect(Set(articles.map(\.guid)).count == articles.count, "\(name)")
      for article in articles {
        #expect(!article.guid.isEmpty, "\(name)")
        #expect(article.title.utf8.allSatisfy { $0 >= 0x20 }, "\(name)")
      }
    }
  }

  @Test func `every list that fuzzing found is read again when it was written`() throws {
    let lists = try texts("opml", in: Self.found)
    #expect(!lists.isEmpty)
    for (name, bytes) in lists {
      let list = try OPML.read(bytes)
      let again = try OPML.read(Array(OPML.text(list.subscriptions).utf8))
      #expect(again.refusals.isEmpty, "\(name)")
      #expect(again.subscriptions.map(\.address) == list.subscriptions.map(\.address), "\(name)")
    }
  }
}
