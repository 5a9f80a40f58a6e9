import Testing

@testable import HTTP

/// The parts that need no server.
@Suite struct PartTests {
  // MARK: Addresses

  @Test(arguments: [
    ("http://Example.ORG/Feed", "http://example.org/Feed", "example.org:80"),
    ("https://example.org", "https://example.org/", "example.org:443"),
    (
      "HTTPS://u:p@example.org:8443/a?b#c", "https://u:p@example.org:8443/a?b#c", "example.org:8443"
    ),
    ("http://[::1]:80/", "http://[::1]:80/", "[::1]:80"),
  ])
  func `an address is taken apart`(text: String, url: String, authority: String) throws {
    let address = try WebAddress(text)
    #expect(address.url.lowercased() == url.lowercased())
    #expect(address.authority == authority)
  }

  // MARK: Text from outside

  @Test func `text in an error is one line without controls or overrides, and cut`() {
    #expect(cleaned("a\r\nb\u{1B}[31m\u{9B}c\u{202E}d\u{2066}e\u{2028}f\u{200B}g") == "ab[31mcdefg")
    #expect(cleaned(String(repeating: "ä", count: 201)) == String(repeating: "ä", count: 200) + "…")
    #expect(cleaned(String(repeating: "ä", count: 200)) == String(repeating: "ä", count: 200))
  }

  // MARK: Durations

  @Test(arguments: [
    (Duration.milliseconds(50), Int32(50)), (.zero, 1), (.seconds(-3), 1), (.nanoseconds(1), 1),
    (.microseconds(1500), 2), (.seconds(Int64.max), .max), (.seconds(60), 60_000),
  ])
  func `a duration never becomes curl's word for no limit`(duration: Duration, count: Int32) {
    #expect(duration.milliseconds == count)
  }

  // MARK: Heads

  func events(_ lines: String...) -> [ResponseHeadParser.Event] {
    var parser = ResponseHeadParser()
    return lines.compactMap { line in
      Array((line + "\r\n").utf8).withUnsafeBytes { parser.take($0) }
    }
  }

  @Test func `a head without a reason phrase, with another version, with broken UTF-8`() {
    #expect(events("HTTP/1.0 404", "") == [.final(status: 404, headers: [:])])
    #expect(events("HTTP/2 200", "") == [.final(status: 200, headers: [:])])
    var parser = ResponseHeadParser()
    let lines: [[UInt8]] = [Array("HTTP/1.1 200 OK\n".utf8), [0x41, 0x3A, 0xFF], []]
    let last = lines.map { line in line.withUnsafeBytes { parser.take($0) } }.last
    #expect(last == .final(status: 200, headers: ["A": "\u{FFFD}"]))
  }

  @Test func `lines that are no fields are left out, and trailers change nothing`() {
    #expect(
      events(" folded onto nothing", "HTTP/1.1 200 OK", "no colon", "A: b", "", "Trailer: c", "")
        == [.final(status: 200, headers: ["A": "b"])])
  }

  @Test func `a folded line of blanks does not end a head`() {
    #expect(
      events("HTTP/1.1 200 OK", "A: b", " ", "\t", " c", "D: e", "")
        == [.final(status: 200, headers: ["A": "b c", "D": "e"])])
  }

  @Test func `a redirect is told, and what comes after it is not`() {
    #expect(
      events("HTTP/1.1 301 Moved", "location:  /next ", "", "HTTP/1.1 200 OK", "")
        == [.redirect(.init(location: "/next", isPermanent: true))])
    #expect(
      events("HTTP/1.1 100 Continue", "", "HTTP/1.1 302 Found", "Location: /", "")
        == [.redirect(.init(location: "/", isPermanent: false))])
    #expect(
      events("HTTP/1.1 304 Not Modified", "Location: ", "")
        == [.final(status: 304, headers: ["Location": ""])])
    #expect(
      events("HTTP/1.1 304 Not Modified", "Location: /feed", "")
        == [.final(status: 304, headers: ["Location": "/feed"])])
  }

  // MARK: Headers

  @Test func `setting a header replaces all of its name and nothing else`() {
    var headers: HTTPHeaders = ["Accept": "a", "accept": "b", "Other": "c"]
    headers["ACCEPT"] = "d"
    #expect(headers.fields.map(\.name) == ["Other", "ACCEPT"])
    headers["accept"] = nil
    #expect(headers == ["Other": "c"])
  }
}
