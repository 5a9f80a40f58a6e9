import Testing

@testable import Argyle

/// Tests of which addresses are opened outside the terminal.
///
/// Another test checks with a real program that no shell is involved.
@Suite struct BrowserAddressTests {
  @Test(arguments: [
    "http://example.org/", "https://example.org/a?b=c#d", "HTTPS://EXAMPLE.ORG", "https://例え.jp/",
  ])
  func `a web address is opened`(address: String) {
    #expect(Browser.isWebAddress(address))
  }

  @Test(arguments: [
    "", "http:", "https:/", "ftp://example.org", "file:///etc/passwd", "javascript:alert(1)",
    "--help", " http://example.org", "http://example.org/ --profile", "http://example.org/\n",
    "http://example.org/\u{1B}[2J", "http://example.org/\u{7F}", "\u{0}http://example.org",
  ])
  func `anything else is not`(address: String) async {
    #expect(!Browser.isWebAddress(address))
    await #expect(throws: Browser.Failure.notAWebAddress) {
      try await Browser(candidates: ["/bin/false"]).open(address)
    }
  }

  @Test func `a browser may have arguments, among which the address has its place`() throws {
    func words(_ text: String) throws -> [String] {
      let command = try #require(Browser.command(text))
      return [command.program] + (try command.arguments([.link: "http://a/"]))
    }
    #expect(try words("lynx") == ["lynx", "http://a/"])
    #expect(try words(" firefox  --new-tab ") == ["firefox", "--new-tab", "http://a/"])
    #expect(try words("w3m -o x=%s -v") == ["w3m", "-o", "x=http://a/", "-v"])
    #expect(try words("%s") == ["%s", "http://a/"], "an address is no program")
    #expect(Browser.command(" ") == nil)
  }

  @Test func `without a program that starts there is no browser`() async {
    await #expect(throws: Browser.Failure.noBrowser) {
      try await Browser(candidates: ["/no/such/program", ""]).open("http://example.org/")
    }
    await #expect(throws: Browser.Failure.noBrowser) {
      try await Browser(candidates: []).open("http://example.org/")
    }
  }
}
