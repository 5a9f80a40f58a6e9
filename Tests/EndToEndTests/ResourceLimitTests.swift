import Foundation
import PseudoTerminal
import Testing

/// Tests that the program says so and ends if the system's limits are too low, rather than crashing
/// or waiting.
struct ResourceLimitTests {
  private let home: Home

  init() throws { home = try Home() }

  private func limited(_ limit: String) throws -> PseudoTerminal {
    try PseudoTerminal(
      running: "/bin/sh", ["-c", "ulimit \(limit); exec \"$0\"", builtProgram("argyle")],
      environment: home.environment)
  }

  @Test(arguments: [8, 10, 12, 16, 20, 22, 63])
  func `too few open files are named`(count: Int) throws {
    let terminal = try limited("-n \(count)")
    #expect(try terminal.waitForExit() == .exited(71))
    #expect(
      terminal.screen.text.filter { !$0.isWhitespace }.contains(
        "argyle:Only\(count)filesmaybeopenatonce,butargyleneeds64.Raisethelimit:ulimit-n64"))
    #expect(terminal.modes == terminal.initialModes)
  }

  @Test func `with the fewest open files that are enough, the reader reads`() throws {
    let terminal = try limited("-n 64")
    try terminal.waitUntil("both lists are there") { $0.text.contains("The Argyle Handbook") }
    try terminal.send("?", until: "the keys are there") { $0.text.contains("─ Keys ") }
    try terminal.send("\u{1B}", until: "they are gone again") { !$0.text.contains("─ Keys ") }
    #expect(try terminal.leave() == .exited(0))
  }

  @Test func `a soft limit is raised`() throws {
    let terminal = try limited("-S -n 12")
    try terminal.waitUntil("the list is there") { $0.text.contains("The Argyle Handbook") }
    #expect(try terminal.leave() == .exited(0))
  }

  @Test(arguments: [300, 1_000]) func `too little memory is named`(megabytes: Int) throws {
    let terminal = try limited("-v \(megabytes << 10)")
    #expect(try terminal.waitForExit() == .exited(71))
    #expect(
      terminal.screen.text.contains("argyle: Only \(megabytes) MB of virtual memory are allowed"))
  }
}
