import Foundation
import PseudoTerminal
import Terminal
import Testing

/// Tests of the event loop on a terminal: keys, signals and the end of the terminal are handled,
/// whatever the views do.
@Suite struct EventLoopTests {
  private func run(_ name: String, until text: String) throws -> PseudoTerminal {
    let terminal = try PseudoTerminal(
      running: builtProgram("AppFixture"), [name], environment: ["SWIFT_BACKTRACE": "enable=no"])
    try terminal.waitUntil("the program shows \(text)") { $0.text.contains(text) }
    return terminal
  }

  @Test func `a screen that was opened before the main loop ran hears keys`() throws {
    let terminal = try run("late", until: "keys: 0")
    terminal.send("+")
    try terminal.waitUntil("the key counts") { $0.text.contains("keys: 1") }
    terminal.send("q")
    #expect(try terminal.waitForExit() == .exited(0))
    #expect(terminal.leftovers == [])
  }

  /// The runtime's own pool of threads would wake the process every second, once it was used.
  @Test(.enabled(if: MainLoop.isBuilt, "without the loop the runtime's pool is used"))
  func `a program that has worked off the main actor sleeps until a key`() throws {
    let terminal = try run("calm", until: "sums: 5105")
    try terminal.waitUntilAsleep(for: .milliseconds(2_500))
    terminal.send("q")
    #expect(try terminal.waitForExit() == .exited(0))
  }

  @Test func `keys are heard while a view changes itself for ever`() throws {
    let terminal = try run("restless", until: "restless")
    terminal.send("+")
    try terminal.waitUntil("the key counts") { $0.text.contains("keys: 1") }
    terminal.send("q")
    #expect(try terminal.waitForExit() == .exited(0))
  }

  @Test(arguments: [SIGINT, SIGTERM, SIGHUP])
  func `signals end a program whose view changes itself for ever`(signal: Int32) throws {
    let terminal = try run("restless", until: "restless")
    terminal.signal(signal)
    #expect(try terminal.waitForExit() == .signalled(signal))
    #expect(terminal.leftovers == [])
  }

  @Test func `a program whose view changes itself for ever ends with its terminal`() throws {
    let terminal = try PseudoTerminal(
      running: "/bin/sh",
      ["-c", "trap '' HUP; exec \"$0\" restless", builtProgram("AppFixture")],
      environment: ["SWIFT_BACKTRACE": "enable=no"])
    try terminal.waitUntil("it is restless") { $0.text.contains("restless") }
    terminal.hangUp()
    #expect(try terminal.waitForExit() == .exited(0))
  }

  @Test(arguments: [SIGINT, SIGTERM, SIGHUP])
  func `signals end a program whose main thread is busy for ever`(signal: Int32) throws {
    let terminal = try run("busy", until: "at rest")
    terminal.send("b")
    try terminal.waitUntil("it is busy") { $0.text.contains("busy") }
    terminal.signal(signal)
    #expect(try terminal.waitForExit() == .exited(75))
    #expect(terminal.leftovers == [])
    #expect(
      terminal.screen.text.replacingOccurrences(of: "\n", with: "").hasPrefix(
        "The program did not end in time and was stopped. Changes that were not saved are lost."))
  }
}
