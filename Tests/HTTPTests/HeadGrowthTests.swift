import Limits
import PseudoTerminal
import Testing

@testable import HTTP

/// Work and memory for the head of an answer grow with its size and no faster.
@Suite struct HeadGrowthTests {
  private static let marks = "\u{301}\u{316}"

  private static let heads: [(name: String, text: @Sendable (Int) -> String)] = [
    ("fields", { (0..<$0).map { "A\($0): b\r\n" }.joined() }),
    ("one field again and again", { String(repeating: "Link: <a>\r\n", count: $0) }),
    ("one long field", { "A: " + String(repeating: "abcdefgh", count: $0) + "\r\n" }),
    ("a long name", { String(repeating: "abcdefgh", count: $0) + ": a\r\n" }),
    ("folds", { "A: b\r\n" + String(repeating: " cd\r\n", count: 2 * $0) }),
    ("folds onto nothing", { "A:\r\n" + String(repeating: " \r\n\t", count: 2 * $0) + "\r\n" }),
    ("blanks", { "A:" + String(repeating: " \t", count: 6 * $0) + "\r\n" }),
    (
      "blanks around a value",
      {
        let blanks = String(repeating: " \t", count: 3 * $0)
        return "A:" + blanks + "b" + blanks + "\r\n"
      }
    ),
    ("marks", { "Content-Type: text/e" + String(repeating: marks, count: 2 * $0) + "\r\n" }),
    ("an address of marks", { "Location: /" + String(repeating: marks, count: 2 * $0) + "\r\n" }),
    ("interim heads", { String(repeating: "HTTP/1.1 100 a\r\n\r\n", count: $0 / 2) }),
  ]

  private func read(_ text: String, budget: Budget? = nil) -> HTTPHeaders {
    var parser = budget.map { ResponseHeadParser(budget: $0) } ?? ResponseHeadParser()
    var headers = HTTPHeaders()
    for line in Array(("HTTP/1.1 200 OK\r\n" + text + "\r\n").utf8).split(separator: 0x0A) {
      let event = (line + [0x0A]).withUnsafeBytes { parser.take($0) }
      if case .final(_, let found) = event { headers = found }
    }
    return headers
  }

  @Test(arguments: heads.indices) func `work and memory grow in proportion to the head`(
    index: Int
  ) throws {
    var before: (steps: Int, bytes: Int)?
    // The last is as long as a head may be.
    for doubling in 0..<5 {
      let text = Self.heads[index].text(1_250 << doubling)
      let bytes = text.utf8.count
      let budget = Budget(bytes: bytes) { false }
      let headers = read(text, budget: budget)
      let steps = budget.spent
      try #require(steps <= 16 * bytes + 64, "\(bytes) bytes took \(steps) steps")
      try #require(memory(headers) <= 10 * bytes, "\(bytes) bytes took \(memory(headers))")
      if let before {
        // As many more steps as there are more bytes, and an eighth.
        let expected = before.steps * bytes / before.bytes * 9 / 8 + 64
        try #require(steps <= expected, "\(before.steps) steps, then \(steps)")
      }
      before = (steps, bytes)
    }
  }

  /// Comparing fields and copying lines are no steps, so it is the processor's time that tells of
  /// them.
  @Test(arguments: heads.indices) func `time grows in proportion to the head`(index: Int) {
    func work(_ count: Int) -> () -> Void {
      let text = Self.heads[index].text(count)
      return { _ = read(text) }
    }
    // Sixteen times as much text; quadratic work would take 256 times as long.
    let excess = excessOfTime(over: 64, small: work(1_250), large: work(20_000))
    #expect(excess == nil, "\(Self.heads[index].name)")
  }

  private func memory(_ headers: HTTPHeaders) -> Int {
    headers.fields.reduce(0) { size, field in
      let texts = [field.name, field.value].map(\.utf8.count)
      return size + MemoryLayout<HTTPHeaders.Field>.stride
        + texts.reduce(0) { $0 + ($1 > 15 ? $1 + 32 : 0) }
    }
  }

  @Test func `nothing of an interim head is kept`() {
    for doubling in 0..<5 {
      let interim = String(
        repeating: "HTTP/1.1 103 a\r\nA: b\r\n c\r\n\r\n", count: 500 << doubling)
      let headers = read(interim + "HTTP/1.1 200 OK\r\nD: e\r\n")
      #expect(headers == ["D": "e"], "\(headers.fields.count) fields")
    }
  }

  @Test func `no field has more marks in a row than any text has`() {
    let all = String(repeating: Self.marks, count: 500)
    let kept = String(repeating: Self.marks, count: 15)
    let headers = read("Content-Type: a\(all)\r\n b\(all)\r\nLocation: /c\(all)d\r\n")
    #expect(headers["Content-Type"] == "a\(kept) b\(kept)")
    #expect(headers["Location"] == "/c\(kept)d")
  }
}
