import PseudoTerminal
import Testing

@testable import Argyle

/// Tests that reading a configuration, and reporting its mistakes, takes bounded time and memory.
@Suite struct ConfigurationGrowthTests {
  private static let texts: [(name: String, text: @Sendable (Int) -> String)] = [
    ("searches", { (0..<$0).map { "[[search]]\nname = 'a\($0)'\ntext = 'b'\n" }.joined() }),
    ("searches of one name", { String(repeating: "[[search]]\nname='a'\ntext='b'\n", count: $0) }),
    ("searches without a name", { String(repeating: "[[search]]\n", count: 4 * $0) }),
    ("unknown settings", { "[display]\n" + (0..<2 * $0).map { "k\($0) = 1\n" }.joined() }),
    ("unknown tables", { (0..<2 * $0).map { "[t\($0)]\n" }.joined() }),
    ("unknown actions", { "[keys]\n" + (0..<2 * $0).map { "k\($0) = 'x'\n" }.joined() }),
    (
      "keys of one action",
      { count in
        let keys = (0..<4 * count).compactMap { Unicode.Scalar(0x4E00 + $0).map { "'\($0)'" } }
        return "[keys]\nquit = [\(keys.joined(separator: ","))]\n"
      }
    ),
    ("one key again and again", { "[keys]\nquit = [\(String(repeating: "'x',", count: 4 * $0))]" }),
    ("keys that are none", { "[keys]\nquit = [\(String(repeating: "1,", count: 4 * $0))]" }),
    ("a key of marks", { "[keys]\nquit = '\(times($0, "\u{301}\u{316}"))'\n" }),
    (
      "a command's key of marks",
      { "[[command]]\nkey = '\(times($0, "\u{301}\u{316}"))'\nrun = ['x']\n" }
    ),
    ("a setting of marks", { "[display]\ntheme = '\(times($0, "\u{301}\u{316}"))'\n" }),
    ("browsers", { "[reader]\nbrowsers = [\(String(repeating: "'a',", count: 4 * $0))]" }),
  ]

  private func read(_ text: String) -> Int {
    do {
      return try Configuration(toml: text).searches.count
    } catch {
      return error.all.reduce(0) { $0 + $1.message.utf8.count }
    }
  }

  @Test(arguments: texts.indices) func `of the mistakes only the first are told`(index: Int) {
    let text = Self.texts[index].text(4_000)
    #expect(read(text) <= 10 * text.utf8.count)
    do {
      _ = try Configuration(toml: text)
    } catch {
      #expect(error.all.count <= ConfigurationProblems.limit)
      #expect(error.all.first?.line ?? 0 <= 6)
    }
  }

  /// Measures time, because comparing texts with many combining marks is not counted as steps.
  @Test(arguments: texts.indices) func `time grows in proportion to the configuration`(
    index: Int
  ) {
    func read(_ count: Int) -> () -> Void {
      let text = Self.texts[index].text(count)
      return { _ = self.read(text) }
    }
    // Sixteen times as much text; quadratic work would take 256 times as long.
    let excess = excessOfTime(over: 64, small: read(200), large: read(3_200))
    #expect(excess == nil, "\(Self.texts[index].name)")
  }

  @Test func `more values than a configuration has are refused`() {
    do throws(TOMLError) {
      _ = try TOMLReader.read("a = [\n" + String(repeating: "1,\n", count: 20_000) + "]")
      Issue.record("not refused")
    } catch {
      let message =
        "the file has more than 20000 keys and values; the list that begins in line 1 may have no "
        + "closing ]"
      #expect(error == TOMLError(line: 20_000, message: message))
    }
  }
}

private func times(_ count: Int, _ text: String) -> String { String(repeating: text, count: count) }
