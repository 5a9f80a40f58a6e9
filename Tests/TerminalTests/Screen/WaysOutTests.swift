import Foundation
import PseudoTerminal
import Testing

/// However a program ends, its terminal is as it was.
@Suite struct WaysOutTests {
  @Test(arguments: ["xterm-256color", "tmux-256color"])
  func `closing gives back everything, once`(terminalType: String) throws {
    let terminal = try runFixture(terminalType: terminalType)
    #expect(terminal.modes != terminal.initialModes)
    #expect(terminal.screen.privateModes.isSuperset(of: [1000, 1004, 1006, 1049, 2004]))
    #expect(!terminal.screen.isCursorVisible)
    terminal.send("q")
    #expect(try terminal.waitForExit() == .exited(0))
    #expect(terminal.leftovers == [])
    #expect(terminal.screen.text.trimmingCharacters(in: .whitespacesAndNewlines) == "")
  }

  @Test func `an error is told on the user's own screen`() throws {
    let terminal = try runFixture()
    terminal.send("e")
    #expect(try terminal.waitForExit() == .exited(4))
    #expect(terminal.leftovers == [])
    #expect(terminal.screen.line(0) == "an error was thrown")
  }

  @Test func `what is printed before a signal is raised again is not lost`() throws {
    let terminal = try runFixture()
    terminal.signal(SIGTERM)
    #expect(try terminal.waitForExit() == .signalled(SIGTERM))
    #expect(terminal.screen.line(0) == "last words")
  }

  @Test func `a library that ends the process gives the terminal back`() throws {
    let terminal = try runFixture()
    terminal.send("x")
    #expect(try terminal.waitForExit() == .exited(5))
    #expect(terminal.leftovers == [])
  }

  @Test(arguments: [
    SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGSEGV, SIGBUS, SIGILL, SIGTRAP, SIGABRT, SIGFPE, SIGSYS,
    SIGUSR1, SIGUSR2, SIGALRM, SIGVTALRM, SIGPROF, SIGXCPU, SIGXFSZ, SIGIO, SIGPIPE, 40,
  ])
  func `a signal ends the program as that signal, the terminal given back`(signal: Int32) throws {
    let terminal = try runFixture()
    terminal.signal(signal)
    #expect(try terminal.waitForExit() == .signalled(signal))
    #expect(terminal.leftovers == [])
  }

  @Test(arguments: 0..<8)
  func `a crash while memory is allocated gives the terminal back`(attempt: Int) throws {
    let terminal = try runFixture(environment: ["FIXTURE_ALLOCATES": "yes"])
    terminal.signal(SIGSEGV)
    #expect(try terminal.waitForExit() == .signalled(SIGSEGV))
    #expect(terminal.leftovers == [])
  }

  @Test(arguments: [("\u{3}", SIGINT), ("\u{1C}", SIGQUIT)])
  func `Ctrl-C and Ctrl-Backslash end the program by their signals`(key: String, signal: Int32)
    throws
  {
    let terminal = try runFixture()
    terminal.send(key)
    #expect(try terminal.waitForExit() == .signalled(signal))
    #expect(terminal.leftovers == [])
  }

  @Test(arguments: ["t", "a", "o"])
  func `a trap, an assertion of C and a stack overflow give the terminal back`(key: String) throws {
    let terminal = try runFixture()
    terminal.send(key)
    let expected: [PseudoTerminal.Ending] =
      switch key {
      case "t": [.signalled(SIGILL), .signalled(SIGTRAP)]
      case "a": [.signalled(SIGABRT)]
      default: [.signalled(SIGSEGV), .signalled(SIGBUS)]
      }
    let ending = try terminal.waitForExit()
    #expect(expected.contains(ending))
    #expect(terminal.leftovers == [])
  }

  @Test func `a terminal that Ctrl-S has stopped is given back, and keeps nobody waiting`() throws {
    let terminal = try runFixture()
    // Ctrl-S, then more than the terminal takes, then the end: in the order of one stream.
    terminal.send([0x13])
    terminal.send("bq")
    #expect(try terminal.waitForExit() == .exited(0))
    #expect(terminal.leftovers == [])
  }

  @Test func `a signal ends a program whose terminal nobody reads`() throws {
    let terminal = try runFixture()
    terminal.send("bq")
    #expect(try terminal.waitForExit() == .exited(0))
    #expect(terminal.leftovers == [])
  }

  @Test func `a terminal that goes away ends the program`() throws {
    let terminal = try runFixture()
    terminal.hangUp()
    let ending = try terminal.waitForExit()
    #expect([.signalled(SIGHUP), .exited(6)].contains(ending))
  }

  @Test func `a signal that was ignored from outside stays ignored`() throws {
    let terminal = try PseudoTerminal(
      running: "/bin/sh", ["-c", "trap '' HUP; exec \"$0\"", builtProgram("ScreenFixture")],
      environment: fixtureEnvironment)
    try terminal.waitUntil("the fixture shows its size") { $0.text.contains("size") }
    terminal.signal(SIGHUP)
    try terminal.send("z", until: "it is still there") { $0.text.contains("key(z)") }
    terminal.send("q")
    #expect(try terminal.waitForExit() == .exited(0))
  }
}

/// What cannot be a screen is refused in words, and untouched.
@Suite struct OpeningTests {
  @Test func `output that is no terminal is refused`() throws {
    let path = NSTemporaryDirectory() + "terminal-tests-\(UUID().uuidString)"
    defer { try? FileManager.default.removeItem(atPath: path) }
    let terminal = try PseudoTerminal(
      running: builtProgram("ScreenFixture"), redirectingOutputTo: path)
    #expect(try terminal.waitForExit() == .exited(3))
    #expect(
      try String(contentsOfFile: path, encoding: .utf8)
        == "cannot open: The output is not a terminal.\n")
    #expect(terminal.output.isEmpty)
  }

  @Test(arguments: [
    ("dumb", "This terminal cannot move its cursor (TERM is dumb or not set)."),
    ("", "This terminal cannot move its cursor (TERM is dumb or not set)."),
    ("no-such-thing", "This system has no description of the terminal “no-such-thing”. Set"),
  ])
  func `a terminal that cannot show a screen is refused`(type: String, error: String) throws {
    let terminal = try PseudoTerminal(running: builtProgram("ScreenFixture"), terminalType: type)
    #expect(try terminal.waitForExit() == .exited(3))
    #expect(terminal.screen.line(0).hasPrefix("cannot open: \(error)"))
    #expect(terminal.modes == terminal.initialModes)
  }

  @Test func `a log that cannot be written is refused`() throws {
    let terminal = try PseudoTerminal(
      running: builtProgram("ScreenFixture"), environment: ["FIXTURE_LOG": "/nowhere/log"])
    #expect(try terminal.waitForExit() == .exited(3))
    #expect(
      terminal.screen.line(0)
        == "cannot open: The log /nowhere/log cannot be written (No such file or directory).")
    #expect(terminal.modes == terminal.initialModes)
  }

  @Test func `keys come from the terminal where standard input is something else`() throws {
    let terminal = try runFixture(inputFrom: "/dev/null")
    terminal.send("q")
    #expect(try terminal.waitForExit() == .exited(0))
    #expect(terminal.leftovers == [])
  }

  @Test func `a locale that is not installed does not keep wide characters away`() throws {
    let terminal = try runFixture(environment: ["LC_ALL": "xx_XX.ISO-8859-1"])
    try terminal.send("字", until: "the character is there") { $0.text.contains("字") }
  }

  @Test func `the size is the terminal's, whatever the environment says`() throws {
    _ = try runFixture(environment: ["LINES": "99999999", "COLUMNS": "99999999"])
    _ = try runFixture(environment: ["LINES": "-1", "COLUMNS": "0"])
  }

  @Test func `what libraries write to standard error goes to the log, and the screen is clean`()
    throws
  {
    let path = NSTemporaryDirectory() + "terminal-tests-\(UUID().uuidString)"
    defer { try? FileManager.default.removeItem(atPath: path) }
    let terminal = try runFixture(environment: ["FIXTURE_LOG": path])
    terminal.send("lq")
    #expect(try terminal.waitForExit() == .exited(0))
    #expect(try String(contentsOfFile: path, encoding: .utf8) == "a line for the log\n")
    #expect(!String(decoding: terminal.output, as: UTF8.self).contains("a line for the log"))
  }

  @Test(arguments: ["lq", "lt"])
  func `without a log, what was written to standard error is there after the end`(keys: String)
    throws
  {
    let terminal = try runFixture()
    try terminal.send("l", until: "the key is shown") { $0.text.contains("key(l)") }
    #expect(!String(decoding: terminal.output, as: UTF8.self).contains("a line for the log"))
    terminal.send(String(keys.dropFirst()))
    _ = try terminal.waitForExit()
    let output = String(decoding: terminal.output, as: UTF8.self)
    #expect(output.contains("a line for the log\r\n"))
    #expect(output.contains("Fatal error: Index out of range") == keys.hasSuffix("t"))
  }

  @Test func `standard error that is a file stays one`() throws {
    let path = NSTemporaryDirectory() + "terminal-tests-\(UUID().uuidString)"
    defer { try? FileManager.default.removeItem(atPath: path) }
    let terminal = try runFixture(errorTo: path)
    terminal.send("lq")
    #expect(try terminal.waitForExit() == .exited(0))
    #expect(try String(contentsOfFile: path, encoding: .utf8) == "a line for the log\n")
  }

  @Test func `the descriptors shared with the shell stay blocking`() throws {
    let terminal = try runFixture()
    for descriptor in 0...2 {
      let path = "/proc/\(terminal.processID)/fdinfo/\(descriptor)"
      let info = try String(contentsOfFile: path, encoding: .utf8)
      let flags = info.split(separator: "\n").first { $0.hasPrefix("flags:") }?.dropFirst(6)
      let value = try #require(
        flags.flatMap { Int32($0.trimmingCharacters(in: .whitespaces), radix: 8) })
      #expect(value & O_NONBLOCK == 0)
    }
  }
}
