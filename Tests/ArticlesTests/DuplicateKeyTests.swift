import GRDB
import PseudoTerminal
import Storage
import Testing

@testable import Articles

@Suite struct DuplicateKeyTests {
  @Test func `the keys of ids are those that stores have`() {
    let uuid = "123E4567-E89B-12D3-A456-426614174000"
    let keyOfUUID: Int64 = 2_328_281_219_636_753_679
    let keys: [String: Int64] = [
      "HTTP://Example.org/a": -5_042_459_531_142_348_850,
      " https://example.org/b ": 8_360_986_998_147_589_701,
      "ht\ntp://example.org/c": 9_069_538_655_705_615_613,
      "TAG:example.org,2005:1": -389_481_433_517_041_338,
      "tag:example.org,2005:1": -4_761_712_830_002_982_573,
      "tag:": -357_282_370_010_334_572,
      uuid: keyOfUUID, uuid.lowercased(): keyOfUUID,
      "urn:uuid:\(uuid)": keyOfUUID, "URN:UUID:\(uuid)": keyOfUUID,
    ]
    let others = [
      "", "1234", "hello", "h", "tag", "urn:0:1", "urn:uuid:1", "{\(uuid)}", uuid + "1",
      "http:d", "https:", "//example.org/e", "www.example.org/f", "mailto:ann@example.org",
      "tag:google.com,2005:reader/item/0000000000000001", "\u{FEFF}http://example.org/g",
      "\u{3000}http://example.org/h",
    ]
    for id in Array(keys.keys) + others {
      let found = DuplicateKeys.keys(of: ParsedArticle(guid: id), home: nil)
      #expect(found == [keys[id]].compactMap(\.self), "\(id)")
    }
  }

  @Test func `an older store keeps no articles of two servers as copies for their number`()
    async throws
  {
    let directory = try TemporaryDirectory()
    let link = try #require(DuplicateKeys.key(ofLink: "https://b.org/2"))
    let number = "tag:google.com,2005:reader/item/0000000000000001"
    try await StoreSchema.makeStore(
      before: "CREATE TEMP TABLE numbered", in: directory.path,
      """
      INSERT INTO feed (address, title) VALUES
        ('https://a.org/', 'A'), ('https://b.org/', 'B'), ('https://c.org/', 'C');
      INSERT INTO article (feedID, guid, title, link, firstSeen, listed, digest, sameAs) VALUES
        (1, '\(number)', 'One', 'https://a.org/1', 5, 4, 9, 1),
        (2, '\(number)', 'Two', 'https://b.org/2', 5, 3, 9, 1),
        (1, 'x', 'Copy', 'https://x.org/3', 5, 2, 9, 3),
        (3, 'y', 'Copy', 'https://x.org/3', 5, 2, 9, 3),
        (3, 'z', 'Two', 'https://b.org/2', 5, 3, 9, 1);
      INSERT INTO articleText (articleID, html) SELECT id, '' FROM article;
      INSERT INTO articleKey SELECT 7, id FROM article WHERE id < 3;
      INSERT INTO articleKey VALUES (\(link), 2), (\(link), 5);
      """)
    let store = try ArticleStore(directory: directory.path)
    let articles = try await Library(store: store).storedArticles(matching: ArticleQuery())
    #expect(articles.map(\.title) == ["One", "Two", "Copy"])
    #expect(articles.map(\.alsoIn) == [[], ["C"], ["C"]])
    let keys = try await store.read {
      try Int64.fetchAll($0, sql: "SELECT key FROM articleKey ORDER BY articleID")
    }
    #expect(try keys == [#require(DuplicateKeys.key(ofLink: "https://a.org/1")), link, link])
  }
}
