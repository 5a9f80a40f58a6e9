import Testing

@testable import Argyle

/// Tests of the grammar of the configuration file.
@Suite struct TOMLReaderTests {
  private func value(_ text: String) throws -> TOMLValue.Content? {
    try TOMLReader.read("a = \(text)\n")["a"]?.value.content
  }

  private func error(_ text: String) -> TOMLError? {
    do {
      _ = try TOMLReader.read(text)
      return nil
    } catch {
      return error
    }
  }

  @Test(arguments: [
    (#""x""#, "x"), (#"'C:\x'"#, #"C:\x"#), (#""a\tb\"\\\u00e9\U0001F9E6""#, "a\tb\"\\é🧦"),
    ("\"\"\"\n  one\n  two\"\"\"", "  one\n  two"), ("'''it's'''", "it's"),
    ("\"\"\"one \\\n    two\"\"\"", "one two"), (#""""a"b"""""#, #"a"b""#), (#""""#, ""),
  ])
  func `a text is read`(text: String, value: String) throws {
    #expect(try self.value(text) == .string(value))
  }

  @Test(arguments: [
    ("7", 7), ("+7", 7), ("-1_000", -1000), ("0", 0), ("0x1F", 31), ("0o17", 15), ("0b101", 5),
    ("9223372036854775807", Int.max),
  ])
  func `a whole number is read`(text: String, value: Int) throws {
    #expect(try self.value(text) == .integer(value))
  }

  @Test(arguments: [("1.5", 1.5), ("-0.25e2", -25), ("1e3", 1000), ("6_0.0_1", 60.01)])
  func `a number is read`(text: String, value: Double) throws {
    #expect(try self.value(text) == .number(value))
  }

  @Test func `other values are read`() throws {
    #expect(try value("true") == .boolean(true))
    #expect(try value("false") == .boolean(false))
    #expect(try value("inf") == .number(.infinity))
    #expect(try value("2026-11-21T10:00:00Z") == .date("2026-11-21T10:00:00Z"))
  }

  @Test func `a list may have lines, comments and a comma at its end`() throws {
    let document = try TOMLReader.read("a = [ # these\n  1,\n\n  [2], # and\n]\n")
    guard case .array(let values)? = document["a"]?.value.content else {
      Issue.record("no list")
      return
    }
    #expect(values.map(\.line) == [2, 4])
    #expect(values.first?.content == .integer(1))
  }

  @Test func `tables are found by headers, dots and braces`() throws {
    let document = try TOMLReader.read(
      """
      top.in = 1
      [a]
      b.c = 2
      "d e" = { f.g = 3 }
      [a.h]
      i = 4
      [[j]]
      k = 5
      [[j]]
      k = 6
      """)
    func integer(_ path: String..., in table: TOMLTable) -> Int? {
      var table = table
      for key in path {
        switch table[key]?.value.content {
        case .table(let inner): table = inner
        case .integer(let value): return value
        default: return nil
        }
      }
      return nil
    }
    #expect(integer("top", "in", in: document) == 1)
    #expect(integer("a", "b", "c", in: document) == 2)
    #expect(integer("a", "d e", "f", "g", in: document) == 3)
    #expect(integer("a", "h", "i", in: document) == 4)
    guard case .array(let elements)? = document["j"]?.value.content else {
      Issue.record("no list")
      return
    }
    #expect(elements.map(\.line) == [7, 9])
    #expect(document.entries.map(\.key) == ["top", "a", "j"])
  }

  @Test func `every value knows its line`() throws {
    let document = try TOMLReader.read("\r\na = 1\r\n# two\r\nb = '''\r\nx'''\r\nc = 2\r\n")
    #expect(document.entries.map(\.value.line) == [2, 4, 6])
  }

  @Test(arguments: [
    ("a = 1\na = 2", 2), ("[a]\n[a]", 2), ("a = {x = 1}\na.y = 2", 2), ("[a.b.c]\n[a]\nb.d = 1", 3),
    ("a = []\n[[a]]", 2), ("[[a]]\n[a]", 2), ("a = {x = 1}\n[a]", 2), ("a.b = 1\n[a]", 2),
    ("a = 1\n[a.b]", 2),
  ])
  func `what is there already is not begun again`(text: String, line: Int) {
    #expect(error(text)?.line == line)
  }

  @Test(arguments: [
    "a", "a =", "= 1", "a = dark", "a = 01", "a = 1__0", "a = 0x", "a = 1.", "a = .5", "a = 1 2",
    "a = \"x", "a = \"\\q\"", "a = \"\\ud800\"", "a = 'x\ny'", "a = [1", "a = [1 2]", "a = {x = 1",
    "a = {x = 1,}", "[a", "[a]]", "[[a] ]", "[a] b = 1", "a.= 1", "\"\"\"a\"\"\" = 1", "a = \u{1}",
    "# \u{7F}", "a = 99999999999999999999", "a = --1",
  ])
  func `anything else is refused`(text: String) {
    #expect(error(text) != nil)
  }

  @Test func `brackets in brackets without end are refused and exhaust nothing`() {
    #expect(error("a = " + String(repeating: "[", count: 100_000)) != nil)
    #expect(error("a = " + String(repeating: "{a=", count: 100_000)) != nil)
    #expect(error(String(repeating: "a.", count: 100_000) + "a = 1") != nil)
  }

  @Test func `a mistake in a later line of a list names the line where the list begins`() {
    let error = error("a = [\n[keys]\nb = [\"c\"]")
    #expect(error?.line == 2)
    #expect(
      error?.message.hasSuffix("; the list that begins in line 1 may have no closing ]") == true)
    #expect(self.error("a = [b]")?.message.contains("closing") == false)
  }

  @Test func `a text that never ends is told with the line of its beginning`() {
    #expect(error("a = 1\nb = \"\"\"\nx\ny")?.line == 2)
  }
}
