import Testing

@testable import Articles

@Suite struct FeedAddressTests {
  @Test(arguments: [
    ("https://example.org/feed", "https://example.org/feed"),
    (" HTTP://example.org ", "http://example.org/"),
    ("feed://example.org/x", "http://example.org/x"),
    ("feed:https://example.org/x", "https://example.org/x"),
    ("https://example.org/feed?a=b#top", "https://example.org/feed?a=b"),
    ("https://User:Pass@Example.ORG:8080/Feed#Top", "https://User:Pass@example.org:8080/Feed"),
    ("Example.org/Feed?A=B", "https://example.org/Feed?A=B"),
    ("example.org/feed.xml", "https://example.org/feed.xml"),
    ("localhost.example:8080/x", "https://localhost.example:8080/x"),
    ("localhost:8080/x", "http://localhost:8080/x"), ("localhost/x", "http://localhost/x"),
    ("127.0.0.1:8080/x", "http://127.0.0.1:8080/x"), ("192.168.1.5/x", "http://192.168.1.5/x"),
    ("7days.example", "https://7days.example/"), ("nas:8080", "http://nas:8080/"),
    ("[2001:DB8::1]:8080/x", "http://[2001:db8::1]:8080/x"), ("[::1]", "http://[::1]/"),
    ("::1", "http://[::1]/"), ("2001:db8::1/feed?a", "http://[2001:db8::1]/feed?a"),
    ("[draft]: x", "file:///home/ann/%5Bdraft%5D:%20x"),
    ("a:b", "file:///home/ann/a:b"),
    ("nas 1:80", "file:///home/ann/nas%201:80"),
    ("/srv/feeds/a b%.xml", "file:///srv/feeds/a%20b%25.xml"),
    ("./a.xml", "file:///home/ann/a.xml"), ("../a.xml", "file:///home/a.xml"),
    ("feeds", "file:///home/ann/feeds"), ("file:///a/../b%20c", "file:///b%20c"),
    ("file://localhost/b", "file:///b"),
  ])
  func `what the user types becomes an address`(text: String, address: String) {
    #expect(FeedAddress.normalized(text, directory: "/home/ann") == address)
  }

  @Test(arguments: [
    "", "  ", "ftp://example.org/feed", "javascript://x", "file://elsewhere/feed", "http://",
    "file:relative", "file:///a%00b", "exec:", "filter:up",
    "filter:up:http://ann:secret@example.org/",
  ])
  func `what cannot be fetched is none`(text: String) {
    #expect(FeedAddress.normalized(text, directory: "/home/ann") == nil)
  }

  @Test func `a path survives the way there and back`() throws {
    for path in ["/a b/ü?#%25.xml", "/plain", "/;x=1&y"] {
      let address = try #require(FeedAddress.normalized(path, directory: "/"))
      #expect(FileAddress.path(address) == path)
    }
  }

  @Test(arguments: [
    ("text/xml; charset=utf-8", "utf-8"), ("text/xml;Charset=\"KOI8-R\" ; x=y", "KOI8-R"),
    ("text/xml", nil), ("text/xml; charset", nil), ("charset=x", nil),
  ])
  func `the charset of a content type is found`(type: String, charset: String?) {
    #expect(WebSource.charset(type) == charset)
  }
}
