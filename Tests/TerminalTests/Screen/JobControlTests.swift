import Foundation
import PseudoTerminal
import Testing

/// The program as a job of an interactive shell.
@Suite struct JobControlTests {
  private func startShell() throws -> PseudoTerminal {
    let environment = fixtureEnvironment.merging([
      "PATH": "/usr/bin:/bin", "PS1": "ready> ", "FIXTURE": builtProgram("ScreenFixture"),
    ]) { $1 }
    let terminal = try PseudoTerminal(
      running: "/bin/bash", ["--norc", "--noprofile", "--noediting", "-i"],
      environment: environment,
      columns: 120, rows: 24)
    try waitForPrompt(on: terminal)
    return terminal
  }

  private func waitForPrompt(on terminal: PseudoTerminal) throws {
    try terminal.waitUntil("the shell is ready") {
      !$0.isAlternate && $0.line($0.y) == "ready>"
    }
  }

  /// Runs a command whose output is one line, and gives that line.
  private func run(_ command: String, marked mark: String, on terminal: PseudoTerminal) throws
    -> String
  {
    try waitForPrompt(on: terminal)
    terminal.send("echo \(mark)=$(\(command))=\r")
    var line = ""
    try terminal.waitUntil("the answer of \(command)") { screen in
      let lines = (0..<screen.rows).map(screen.line)
      line = lines.last { $0.hasPrefix("\(mark)=") && $0.hasSuffix("=") } ?? ""
      return !line.isEmpty
    }
    return line.replacingOccurrences(of: mark, with: "")
  }

  @Test func `Ctrl-Z gives the terminal back, and fg takes it again at its new size`() throws {
    let terminal = try startShell()
    let modes = try run("stty -g", marked: "before", on: terminal)
    try terminal.send("\"$FIXTURE\"\r", until: "the program is there") {
      $0.isAlternate && $0.text.contains("size 120x24")
    }

    try terminal.send("\u{1A}", until: "the shell is back") {
      !$0.isAlternate && $0.text.contains("Stopped")
    }
    #expect(terminal.screen.isCursorVisible)
    #expect(terminal.screen.privateModes.isDisjoint(with: [1000, 1004, 1006, 2004]))
    #expect(try run("stty -g", marked: "stopped", on: terminal) == modes)

    try terminal.resize(columns: 110, rows: 20)
    try terminal.send("fg\r", until: "the program is back") {
      $0.isAlternate && $0.text.contains("size 110x20")
    }
    try terminal.send("z", until: "it has keys") { $0.text.contains("key(z)") }

    terminal.send("\u{1A}")
    try waitForPrompt(on: terminal)
    try terminal.send("fg\r", until: "the program is back again") { $0.isAlternate }
    terminal.send("q")
    #expect(try run("echo $?", marked: "status", on: terminal) == "=0=")
    #expect(try run("stty -g", marked: "after", on: terminal) == modes)
    terminal.send("exit\r")
    try terminal.waitForExit()
  }

  @Test func `a program that was stopped without a notice waits in the background, too`() throws {
    let terminal = try startShell()
    try terminal.send("\"$FIXTURE\"\r", until: "the program is there") {
      $0.isAlternate && $0.text.contains("size")
    }
    // The program could not give the terminal back.
    try terminal.send("s", until: "the shell is back") {
      $0.isAlternate && $0.text.contains("Stopped") && $0.line($0.y) == "ready>"
    }
    try terminal.send("bg; wait %1; echo \"status $?\"\r", until: "the job waits") {
      !$0.isAlternate && $0.text.contains("status 150")
    }
    try waitForPrompt(on: terminal)
    try terminal.send("fg\r", until: "the program is back") {
      $0.isAlternate && $0.text.contains("key(s)")
    }
    try terminal.send("z", until: "it has keys") { $0.text.contains("key(z)") }
    terminal.send("q")
    #expect(try run("echo $?", marked: "status", on: terminal) == "=0=")
    terminal.send("exit\r")
    try terminal.waitForExit()
  }

  @Test func `a job continued in the background waits for the terminal, and can be ended there`()
    throws
  {
    let terminal = try startShell()
    try terminal.send("\"$FIXTURE\"\r", until: "the program is there") {
      $0.isAlternate && $0.text.contains("size")
    }
    try terminal.send("\u{1A}", until: "the shell is back") {
      !$0.isAlternate && $0.text.contains("Stopped")
    }
    for time in ["first", "second"] {
      try waitForPrompt(on: terminal)
      // 128 and the signal: SIGTTOU, which stops whoever wants the terminal in the background.
      try terminal.send(
        "bg; wait %1; echo \"\(time) status $?\"\r", until: "the job waits for the terminal"
      ) {
        $0.text.contains("\(time) status 150")
      }
    }
    try waitForPrompt(on: terminal)
    // The shell takes the job for stopped until it has heard that it goes on.
    let command = "kill %1; while wait %1; last=$?; [ $last = 150 ]; do :; done 2>/dev/null"
    try terminal.send(command + "; echo \"status $last\"\r", until: "the job has ended") {
      $0.text.contains("status 143")
    }
    #expect(!terminal.screen.isAlternate)
    #expect(terminal.screen.privateModes.isDisjoint(with: [1000, 1004, 1006, 2004]))
    terminal.send("exit\r")
    try terminal.waitForExit()
  }
}
