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
    ("blanks", { "A:" + String(repeating: " \t", count: 4 * $0) + "\r\n" }),
    ("marks", { "Content-Type: text/e" + String(repeating: marks, count: 2 * $0) + "\r\n" }),
    ("an address of marks", { "Location: /" + String(repeating: marks, count: 2 * $0) + "\r\n" }),
    ("interim heads", { String(repeating: "HTTP/1.1 100 a\r\n\r\n", count: $0 / 2) }),
  ]

  private func read(_ text: String) -> HTTPHeaders {
    var parser = ResponseHeadParser()
    var headers = HTTPHeaders()
    func take(_ line: ArraySlice<UInt8>) {
      let event = line.withUnsafeBytes { parser.take($0) }
      if case .final(_, let found) = event { headers = found }
    }
    for line in Array(("HTTP/1.1 200 OK\r\n" + text + "\r\n").utf8).split(separator: 0x0A) {
      take(line + [0x0A])
    }
    #expect(!parser.isOverLimit)
    return headers
  }

  @Test(arguments: heads.indices) func `work grows in proportion to the head`(index: Int) {
    let text = Self.heads[index].text
    // As long as a head may be.
    let small = processorTime { _ = read(text(1_250)) }.seconds
    let large = processorTime { _ = read(text(20_000)) }.seconds
    // Sixteen times as much text; quadratic work would take 256 times as long.
    #expect(large < max(64 * small, 0.1), "\(Self.heads[index].name): \(small) s, \(large) s")
  }

  @Test(arguments: heads.indices) func `a head takes ten times the memory of its text at most`(
    index: Int
  ) {
    let text = Self.heads[index].text(20_000)
    let size = read(text).fields.reduce(0) { size, field in
      let texts = [field.name, field.value].map(\.utf8.count)
      return size + MemoryLayout<HTTPHeaders.Field>.stride
        + texts.reduce(0) { $0 + ($1 > 15 ? $1 + 32 : 0) }
    }
    #expect(size <= 10 * text.utf8.count, "\(Self.heads[index].name)")
  }

  @Test func `no field has more marks in a row than any text has`() {
    let all = String(repeating: Self.marks, count: 500)
    let kept = String(repeating: Self.marks, count: 15)
    let headers = read("Content-Type: a\(all)\r\n b\(all)\r\nLocation: /c\(all)d\r\n")
    #expect(headers["Content-Type"] == "a\(kept) b\(kept)")
    #expect(headers["Location"] == "/c\(kept)d")
  }
}
