import Limits
import Testing

@testable import Articles

@Suite struct WebAddressTests {
  // The base and the examples of RFC 3986, section 5.4.
  @Test(arguments: [
    ("g", "http://a/b/c/g"), ("./g", "http://a/b/c/g"), ("g/", "http://a/b/c/g/"),
    ("/g", "http://a/g"), ("//g", "http://g/"), ("?y", "http://a/b/c/d;p?y"),
    ("g?y", "http://a/b/c/g?y"), ("#s", "http://a/b/c/d;p?q#s"), ("g#s", "http://a/b/c/g#s"),
    (";x", "http://a/b/c/;x"), ("", "http://a/b/c/d;p?q"), (".", "http://a/b/c/"),
    ("..", "http://a/b/"), ("../g", "http://a/b/g"), ("../..", "http://a/"),
    ("../../../g", "http://a/g"), ("/./g", "http://a/g"), ("g.", "http://a/b/c/g."),
    ("..g", "http://a/b/c/..g"), ("g;x=1/../y", "http://a/b/c/y"),
    ("g?y/../x", "http://a/b/c/g?y/../x"),
  ])
  func `references are resolved`(reference: String, address: String) {
    #expect(WebAddress.web(reference, against: "http://a/b/c/d;p?q") == address)
  }

  @Test(arguments: [
    " https://example.org/a b\n", "https://exam\tple.org/a%20b", "HTTPS://example.org/a b",
  ])
  func `mistakes that browsers forgive are forgiven`(reference: String) {
    #expect(WebAddress.web(reference) == "https://example.org/a%20b")
  }

  @Test(arguments: [
    "javascript:x", "data:,x", "file:///x", "ftp://x/", "http:", "http://", "https:///x", "x", "",
    "://", "mailto:",
  ])
  func `what is no web address is none`(reference: String) {
    #expect(WebAddress.web(reference) == nil)
    #expect(WebAddress.link(reference, against: nil, budget: Budget(bytes: 0)) == nil)
  }

  @Test func `endless addresses are none`() {
    #expect(WebAddress.web("https://example.org/" + String(repeating: "a", count: 9_000)) == nil)
    // Nor those that become too long.
    let long = "https://example.org/" + String(repeating: "a", count: 5_000) + "/"
    #expect(WebAddress.web(String(repeating: "b", count: 5_000), against: long) == nil)
    #expect(WebAddress.web("https://example.org/" + String(repeating: "<", count: 5_000)) == nil)
    #expect(WebAddress.web("/b", against: long + String(repeating: "c", count: 5_000)) == nil)
    #expect(WebAddress.web("b", against: long) == long + "b")
  }
}
