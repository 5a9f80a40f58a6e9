import PseudoTerminal
import Testing

/// Starts the fixture on a terminal of its own, and waits until it shows the terminal's size.
func runFixture(
  terminalType: String = "xterm-256color", environment: [String: String] = [:],
  columns: Int = 80, rows: Int = 24, inputFrom inputPath: String? = nil,
  errorTo errorPath: String? = nil
) throws -> PseudoTerminal {
  let terminal = try PseudoTerminal(
    running: builtProgram("ScreenFixture"),
    environment: fixtureEnvironment.merging(environment) { $1 },
    terminalType: terminalType, columns: columns, rows: rows, inputFrom: inputPath,
    errorTo: errorPath)
  try terminal.waitUntil("the fixture shows its size") {
    $0.text.contains("size \(columns)x\(rows)")
  }
  return terminal
}

/// Without Swift's own report of a crash, which takes seconds and asks for a key.
let fixtureEnvironment = ["SWIFT_BACKTRACE": "enable=no"]
