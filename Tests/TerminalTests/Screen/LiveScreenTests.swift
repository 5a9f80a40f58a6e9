import Foundation
import PseudoTerminal
import Testing

/// A screen while it is open: what comes in, sizes, and a slow reader.
@Suite struct LiveScreenTests {
  @Test func `keys, the mouse and pasted text arrive`() throws {
    let terminal = try runFixture()
    try terminal.send("z", until: "a key") { $0.text.contains("key(z)") }
    try terminal.send("\u{1B}[A", until: "an arrow") { $0.text.contains("key(↑)") }
    try terminal.send("\u{1B}", until: "a lone Esc") { $0.text.contains("key(Esc)") }
    try terminal.send("\u{1B}[<0;3;4M", until: "a click") { $0.text.contains("press") }
    terminal.paste("two words")
    try terminal.waitUntil("a paste") { $0.text.contains("paste(\"two words\")") }
  }

  @Test func `a new size is told and drawn, down to one cell and back`() throws {
    let terminal = try runFixture()
    for (columns, rows) in [(40, 10), (1, 1), (2, 1), (200, 50), (20, 5), (80, 24)] {
      try terminal.resize(columns: columns, rows: rows)
      let title = String("size \(columns)x\(rows)".prefix(columns)).trimmingCharacters(
        in: .whitespaces)
      // The last event is on the last line once the new size is drawn.
      try terminal.waitUntil("\(columns)x\(rows) is drawn") { $0.line(0) == title }
    }
    terminal.send("q")
    #expect(try terminal.waitForExit() == .exited(0))
    #expect(terminal.leftovers == [])
  }

  @Test func `a terminal that falls behind gets the newest frame when it has caught up`() throws {
    let terminal = try runFixture()
    // The frames before that were full of letters.
    try terminal.send("b", until: "it has caught up") { screen in
      screen.line(0) == "size 80x24" && screen.line(1) == "key(b)" && screen.line(2) == "drained"
        && (3..<screen.rows).allSatisfy { screen.line($0).isEmpty }
    }
    try terminal.send("z", until: "keys still arrive") { $0.text.contains("key(z)") }
  }

  @Test func `a stopped terminal goes on where it was`() throws {
    let log = NSTemporaryDirectory() + "log-" + UUID().uuidString
    defer { unlink(log) }
    let terminal = try runFixture(errorTo: log)
    terminal.send([0x13])
    terminal.send("zl")
    // The key before this one has been drawn.
    let limit = ContinuousClock.now + .seconds(120)
    while try !String(contentsOfFile: log, encoding: .utf8).contains("a line for the log\n") {
      try #require(ContinuousClock.now < limit, "the line has not come")
      sched_yield()
    }
    #expect(throws: PseudoTerminal.Failure.self, "nothing has come") {
      try terminal.waitUntil("a frame", deadline: .zero) { $0.text.contains("key(z)") }
    }
    terminal.send("b")
    terminal.send([0x11])
    try terminal.waitUntil("it goes on") {
      $0.text.contains("key(z)") && $0.text.contains("key(b)") && $0.text.contains("drained")
    }
  }

  @Test func `a process that was stopped and continued takes its terminal again`() throws {
    let terminal = try runFixture()
    terminal.signal(SIGSTOP)
    terminal.signal(SIGCONT)
    let mark = terminal.mark
    try terminal.waitUntil("it has drawn again") { $0.text.contains("resize") }
    #expect(String(decoding: terminal.output[mark...], as: UTF8.self).contains("\u{1B}[?1049h"))
    terminal.send("q")
    try terminal.waitForExit()
    #expect(terminal.leftovers == [])
  }

  @Test func `Ctrl-Z from before another program got the terminal does not take it back`() throws {
    let terminal = try runFixture()
    let mark = terminal.mark
    terminal.send("n")
    #expect(try terminal.waitForExit() == .exited(0))
    #expect(!String(decoding: terminal.output[mark...], as: UTF8.self).contains("\u{1B}[?1049h"))
  }

  @Test func `Ctrl-Z where nobody could continue the program changes nothing`() throws {
    let terminal = try runFixture()
    try terminal.send("\u{1A}", until: "it is back") {
      $0.isAlternate && $0.text.contains("suspend")
    }
    terminal.send("q")
    #expect(try terminal.waitForExit() == .exited(0))
  }
}
