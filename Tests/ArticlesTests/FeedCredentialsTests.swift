import Testing

@testable import Articles

@Suite struct FeedCredentialsTests {
  @Test(arguments: [
    ("https://example.org/feed", "https://example.org/feed", nil),
    ("https://ann:secret@example.org/feed", "https://example.org/feed", "ann:secret"),
    ("https://ann@example.org:8080/", "https://example.org:8080/", "ann:"),
    ("https://a%40b:p%3Aq@example.org/", "https://example.org/", "a@b:p:q"),
    ("https://ann:a@b@example.org/", "https://example.org/", "ann:a@b"),
    ("https://@example.org/", "https://example.org/", nil),
    ("https://example.org/@ann?x=@", "https://example.org/@ann?x=@", nil),
  ])
  func `an address is parted from its name and password`(
    text: String, address: String, credentials: String?
  ) {
    let split = FeedCredentials.split(text)
    #expect(split.address == address)
    #expect(split.credentials?.text == credentials)
  }

  @Test func `they are sent as RFC 7617 has it`() {
    #expect(
      FeedCredentials(text: "Aladdin:open sesame").authorization
        == "Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ==")
  }

  @Test func `a message hides what could be a password`() {
    #expect(FeedCredentials.hidden(in: "ftp://ann:secret@example.org") == "ftp://…@example.org")
    #expect(FeedCredentials.hidden(in: "ann:secret@example.org") == "…@example.org")
    #expect(FeedCredentials.hidden(in: "nonsense") == "nonsense")
  }

  @Test(arguments: [
    ("https://example.org/a", "https://example.org/b", true),
    ("http://example.org/a", "https://example.org/a", true),
    ("https://example.org/a", "http://example.org/a", false),
    ("https://example.org/a", "https://www.example.org/a", false),
    ("https://example.org/a", "https://example.org:444/a", false),
  ])
  func `they stay with their server`(old: String, new: String, mayGo: Bool) {
    #expect(FeedCredentials.mayGo(from: old, to: new) == mayGo)
  }
}
