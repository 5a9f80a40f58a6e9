import Limits
import PseudoTerminal
import Testing

@testable import Argyle

@Suite struct TOMLGrowthTests {
  private static let texts: [(name: String, text: @Sendable (Int) -> String)] = [
    ("keys", { (0..<$0).map { "k\($0) = 1\n" }.joined() }),
    ("tables", { (0..<$0).map { "[t\($0)]\n" }.joined() }),
    ("keys with dots", { (0..<$0).map { "a.b.c\($0) = 1\n" }.joined() }),
    ("lists of tables", { String(repeating: "[[a]]\n", count: $0) }),
    ("lists of tables with keys", { String(repeating: "[[a]]\nb = 1\nc.d = 2\n", count: $0 / 2) }),
    ("tables in elements", { "[[a]]\n" + (0..<$0).map { "[a.t\($0)]\n" }.joined() }),
    ("elements in elements", { "[[a]]\n" + String(repeating: "[[a.b]]\n", count: $0) }),
    ("a list", { "a = [\(String(repeating: "1,", count: $0))]" }),
    ("marks in a text", { "a = \"\(String(repeating: "\u{301}\u{316}", count: $0))\"" }),
    ("marks between line ends", { String(repeating: "#\u{301}\u{316}\r\n", count: $0) }),
    ("comments", { String(repeating: "# x\n", count: $0) }),
  ]

  @Test(arguments: texts.indices) func `work grows in proportion to the configuration`(index: Int)
    throws
  {
    var before: Int?
    for doubling in 0..<5 {
      let text = Self.texts[index].text(250 << doubling)
      let budget = Budget(bytes: text.utf8.count) { false }
      _ = try TOMLReader.read(text, budget: budget)
      #expect(budget.spent <= 1_000 + 4 * text.utf8.count)
      if let before {
        #expect(budget.spent <= before * 9 / 4 + 1_000, "\(Self.texts[index].name)")
      }
      before = budget.spent
    }
  }

  /// Copies are not counted as steps, so this measures processor time.
  @Test(arguments: texts.indices) func `nothing that was read is copied for what follows`(
    index: Int
  ) throws {
    let text = Self.texts[index].text
    func read(_ count: Int) -> () throws -> Void {
      let text = Self.texts[index].text(count)
      return { _ = try TOMLReader.read(text) }
    }
    // Sixteen times as much text; quadratic work would take 256 times as long.
    let excess = try excessOfTime(over: 64, small: read(300), large: read(4_800))
    #expect(excess == nil, "\(Self.texts[index].name)")
  }

  /// Printing or comparing a text with many combining marks takes quadratic time, as does a message
  /// about it.
  @Test(arguments: ["'e%'", "\"e%\"", "\"e&\"", "\"\"\"e%\"\"\""])
  func `no text has more marks in a row than any text has`(template: String) throws {
    let marks = String(repeating: "\u{301}\u{316}", count: 500)
    let escapes = String(repeating: "\\u0301\\u0316", count: 500)
    let text = template.replacing("%", with: marks).replacing("&", with: escapes)
    let table = try TOMLReader.read("a = \(text)")
    guard case .string(let value)? = table.entries.first?.value.content else {
      Issue.record("no text")
      return
    }
    #expect(value.unicodeScalars.count == 1 + Marks.limit)
  }

  @Test func `a key that is a text is refused with its line`() {
    let key = String(repeating: "\u{301}\u{316}", count: 101)
    do throws(TOMLError) {
      _ = try TOMLReader.read("a = 1\n\"\(key)\" = 2\n")
      Issue.record("not refused")
    } catch {
      #expect(error == TOMLError(line: 2, message: "the key has more than 200 letters"))
    }
  }
}
