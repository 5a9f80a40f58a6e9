@testable import Argyle

/// A configuration is read, or refused with a line that it has; the same whichever line ends it has.
func fuzzConfiguration(_ bytes: [UInt8]) -> Int32 {
  guard let text = String(validating: bytes, as: UTF8.self) else { return -1 }
  let lines = text.unicodeScalars.count { $0 == "\n" } + 1
  let outcome = read(text)
  switch outcome {
  case .success(let table): check(table, lines: lines, depth: 0)
  case .failure(let error):
    precondition(1...lines ~= error.line, "a line that is not there")
    precondition(!error.message.isEmpty)
  }
  // What is not a number is not equal to itself.
  if !text.unicodeScalars.contains("\r"), !text.contains("nan") {
    precondition(read(text.replacing("\n", with: "\r\n")) == outcome, "other line ends")
  }
  return 0
}

private func read(_ text: String) -> Result<TOMLTable, TOMLError> {
  counted(Array(text.utf8)) { budget in
    Result { () throws(TOMLError) in try TOMLReader.read(text, budget: budget) }
  }
}

private func check(_ table: TOMLTable, lines: Int, depth: Int) {
  precondition(depth <= 2 * TOMLReader.maximumDepth, "nested too deeply")
  precondition(Set(table.entries.map(\.key)).count == table.entries.count, "a key twice")
  for entry in table.entries {
    precondition(1...lines ~= entry.line)
    check(entry.value, lines: lines, depth: depth + 1)
  }
}

private func check(_ value: TOMLValue, lines: Int, depth: Int) {
  precondition(1...lines ~= value.line)
  switch value.content {
  case .array(let values): for value in values { check(value, lines: lines, depth: depth + 1) }
  case .table(let table): check(table, lines: lines, depth: depth)
  default: break
  }
}
