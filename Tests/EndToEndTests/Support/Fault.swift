import TestServer
import Testing

/// A fault of a server, and the message that the user gets.
struct Fault: CustomTestStringConvertible, Sendable {
  let testDescription: String
  let answer: Answer
  let sentence: String
  /// The value of `ARGYLE_TIMEOUT`; nil unless the server's silence is the fault.
  var timeout: String?

  init(_ description: String, _ answer: Answer, says sentence: String, timeout: String? = nil) {
    testDescription = description
    self.answer = answer
    self.sentence = sentence
    self.timeout = timeout
  }

  /// Whether a retry does not help, in which case none is offered.
  var isLasting: Bool { Self.lasting.contains(testDescription) }

  private static let lasting: Set = [
    "401", "404", "410", "a redirect to a file", "a length that is none", "an endless body",
    "a compressed bomb", "nothing that is HTTP", "a web page", "other JSON", "binary garbage",
    "an entity bomb", "a quadratic blow-up", "an external entity", "deep nesting",
    "deep nesting in JSON",
  ]

  static let feed = FeedText.rss("Alpha", ["Apple", "Apricot"])

  /// Faults of a single answer; those that need a server of their own have their own tests.
  static let all = statuses + bodies + connections + contents

  private static let statuses = [
    Fault("500", .whole("", status: 500), says: "The server has a problem of its own."),
    Fault("401", .whole("", status: 401), says: "The server asks for a password."),
    Fault("404", .whole("", status: 404), says: "The server has no feed at this address."),
    Fault("410", .whole("", status: 410), says: "The feed is gone for good."),
    Fault(
      "429", .whole("", status: 429),
      says: "The server says that it gets too many requests."),
    Fault(
      "redirects in a circle", .redirect(to: "/feed"),
      says: "The server redirects from one address to the next without end."),
    Fault(
      "a redirect to a file", .redirect(to: "file:///etc/passwd"),
      says: "The server redirects to something that is not a web address."),
  ]

  private static let bodies = [
    Fault(
      "half a feed, then the end", .cut(feed),
      says: "The connection ended before everything had arrived."),
    Fault(
      "half a feed that claims to be whole", .whole(feed.prefix(feed.count / 2).description),
      says: "The feed ends in the middle."),
    Fault(
      "a length that is too long", .mismeasured(feed, length: "\(feed.utf8.count + 9)"),
      says: "The connection ended before everything had arrived."),
    Fault(
      "a length that is too short", .mismeasured(feed, length: "99"),
      says: "The feed ends in the middle."),
    Fault(
      "a length that is none", .mismeasured(feed, length: "-1"),
      says: "The server's answer is not HTTP"),
    Fault("an empty body", .whole(""), says: "The answer is empty: there is no feed in it."),
    Fault("an endless body", .endless(), says: "The answer is larger than"),
    Fault("a compressed bomb", .gzipBomb(64 << 20), says: "The answer is larger than"),
    Fault(
      "broken compression", .whole("no such thing", headers: ["Content-Encoding": "gzip"]),
      says: "The answer cannot be decompressed."),
  ]

  private static let connections = [
    Fault("a hang-up", .empty, says: "The server closed the connection without an answer."),
    Fault("a reset", .reset, says: "The connection was lost."),
    Fault(
      "nothing that is HTTP", .raw("SSH-2.0-OpenSSH\r\n"), says: "The server's answer is not HTTP"),
    Fault(
      "silence", .heldHead(feed),
      says: "The server accepted the request but sent no answer in time.", timeout: "2"),
    Fault(
      "silence in the middle", .heldBody(feed),
      says: "The server stopped in the middle of its answer.", timeout: "2"),
    Fault(
      "a byte now and then", .trickle(feed, milliseconds: 100),
      says: "The server sends its answer too slowly.", timeout: "0.5"),
  ]

  private static let contents = [
    Fault(
      "a web page", .whole("<!DOCTYPE html><html><body>No feed here</body></html>"),
      says: "This is a web page, not a feed."),
    Fault("other JSON", .whole("{\"error\": 7}"), says: "This is JSON, but not a feed."),
    Fault(
      "binary garbage", .whole((0..<4096).map { UInt8(truncatingIfNeeded: $0 * 167 + $0 / 7) }),
      says: "This is binary data, not a feed."),
    Fault("an entity bomb", .whole(FeedText.bomb), says: "The feed defines entities of its own"),
    Fault(
      "a quadratic blow-up", .whole(FeedText.blowUp), says: "The feed defines entities of its own"),
    Fault(
      "an external entity", .whole(FeedText.externalEntity),
      says: "The feed defines entities of its own"),
    Fault(
      "deep nesting",
      .whole("<rss><channel><item>" + String(repeating: "<a>", count: 100_000)),
      says: "The feed is nested too deeply to be read."),
    Fault(
      "deep nesting in JSON", .whole(String(repeating: "[", count: 100_000)),
      says: "The feed is nested too deeply to be read."),
  ]
}
