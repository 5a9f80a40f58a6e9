import Foundation
import PseudoTerminal
import Testing

/// Tests that the terminal is restored however the reader ends, and that its parent process learns
/// the reason.
struct WaysOutTests {
  struct WayOut: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let leave: @Sendable (PseudoTerminal) -> Void
    let ending: PseudoTerminal.Ending

    static func key(_ name: String, _ keys: String, _ ending: PseudoTerminal.Ending) -> WayOut {
      WayOut(testDescription: name, leave: { $0.send(keys) }, ending: ending)
    }

    static func signal(_ name: String, _ number: Int32) -> WayOut {
      WayOut(
        testDescription: name, leave: { $0.signal(number) }, ending: .signalled(number))
    }
  }

  static let ways: [WayOut] = [
    .key("q", "q", .exited(0)), .key("Ctrl-C", "\u{3}", .signalled(SIGINT)),
    .key("Ctrl-\\", "\u{1C}", .signalled(SIGQUIT)),
    .signal("SIGINT", SIGINT), .signal("SIGTERM", SIGTERM), .signal("SIGHUP", SIGHUP),
    .signal("SIGQUIT", SIGQUIT), .signal("SIGSEGV", SIGSEGV), .signal("SIGABRT", SIGABRT),
    .signal("SIGBUS", SIGBUS), .signal("SIGILL", SIGILL), .signal("SIGFPE", SIGFPE),
    .signal("SIGTRAP", SIGTRAP), .signal("SIGUSR1", SIGUSR1), .signal("SIGALRM", SIGALRM),
    .signal("SIGXCPU", SIGXCPU), .signal("SIGVTALRM", SIGVTALRM), .signal("SIGIO", SIGIO),
  ]

  private let home: Home

  init() throws { home = try Home() }

  @Test(arguments: ways, ["xterm-256color", "tmux-256color"])
  func `the terminal is as it was`(way: WayOut, terminalType: String) throws {
    let terminal = try openReader(terminalType: terminalType)
    #expect(terminal.screen.privateModes.isSuperset(of: [1049, 1000, 1004, 1006, 2004]))
    #expect(!terminal.screen.isCursorVisible)
    #expect(terminal.modes != freshModes())
    way.leave(terminal)
    #expect(try terminal.waitForExit() == way.ending)
    try expectRestored(terminal)
  }

  @Test func `the end comes as well while something loads, a sheet is open, or text is read`()
    throws
  {
    for keys in ["?", "\r", "r"] {
      let terminal = try openReader()
      terminal.send(keys)
      terminal.signal(SIGTERM)
      #expect(try terminal.waitForExit() == .signalled(SIGTERM))
      try expectRestored(terminal)
    }
  }

  #if os(Linux)
    @Test func `at the end no library takes itself apart under a thread that still uses it`() throws
    {
      // The dynamic linker logs each library whose finalizers it runs.
      let log = home.path + "/linker"
      let listening = ["LD_DEBUG": "files", "LD_DEBUG_OUTPUT": log]
      let terminal = try home.openReader(adding: listening)
      try terminal.waitUntil("the list is there") { $0.isWhole }
      #expect(try terminal.leave(by: "rq") == .exited(0))
      #expect(try home.run("feeds", "list", adding: listening).ending == .exited(0))
      #expect(try home.run("feeds", "none", adding: listening).ending == .exited(64))
      let names = try FileManager.default.contentsOfDirectory(atPath: home.path)
        .filter { $0.hasPrefix("linker.") }
      #expect(names.count == 3)
      for name in names {
        let text = try home.text(of: name)
        #expect(text.contains("calling init"))
        #expect(!text.contains("calling fini"))
      }
    }
  #endif

  @Test func `Ctrl-Z gives the terminal to the shell, and fg takes it again`() throws {
    let shell = try PseudoTerminal(
      running: "/bin/bash", ["--norc", "--noprofile", "--noediting", "-i"],
      environment: home.environment.merging(["PS1": "ready> "]) { $1 })
    try shell.waitUntil("the shell asks") { $0.text.contains("ready>") }
    let before = shell.modes
    try shell.send("\(builtProgram("argyle"))\n", until: "both lists are there") {
      $0.isAlternate && $0.isWhole && $0.text.contains("The Argyle Handbook")
        && $0.text.contains("How to use Argyle")
        // This is the last part of a frame; the footer might be that of the frame before.
        && $0.text.contains("to add one")
    }
    let list = shell.screen.text
    for _ in 0..<2 {
      try shell.send("\u{1A}", until: "the shell asks again") {
        !$0.isAlternate && $0.line($0.y).hasPrefix("ready>")
      }
      #expect(shell.screen.text.contains("Stopped"))
      #expect(shell.screen.isCursorVisible)
      #expect(shell.screen.privateModes.isDisjoint(with: [1000, 1004, 1006, 2004]))
      #expect(shell.modes == before)
      try shell.send("fg\n", until: "the list is back") { $0.isAlternate && $0.text == list }
    }
    try shell.send("q", until: "the shell asks again") { !$0.isAlternate }
    try shell.send("echo \"status=$?\"\n", until: "the shell says") { $0.text.contains("status=0") }
    #expect(shell.modes == before)
    #expect(try shell.leave(by: "exit\n") == .exited(0))
  }

  @Test func `a stopped reader that is told to end gives back nothing twice`() throws {
    let terminal = try openReader()
    terminal.signal(SIGTSTP)
    terminal.signal(SIGTERM)
    terminal.signal(SIGCONT)
    #expect(try terminal.waitForExit() == .signalled(SIGTERM))
    #expect(terminal.screen.privateModes.isDisjoint(with: [1049, 1000, 1004, 1006, 2004]))
    #expect(terminal.modes == freshModes())
  }

  // MARK: Without a screen

  @Test func `a start that fails says why and leaves the terminal alone`() throws {
    try home.write("not a folder", to: "file")
    let terminal = try home.openReader(["--data-dir", home.path + "/file"])
    #expect(try terminal.waitForExit() == .exited(73))
    expectPlain(terminal.output, "The folder for the articles cannot be created.")
    #expect(terminal.modes == freshModes())
  }

  @Test func `a reader whose messages of libraries cannot be kept starts all the same`() throws {
    try home.write("not a folder", to: "file")
    let terminal = try home.openReader(adding: ["XDG_STATE_HOME": home.path + "/file"])
    try terminal.waitUntil("the list is there") { $0.isWhole }
    #expect(try terminal.leave() == .exited(0))
  }

  @Test(arguments: [
    ("dumb", "This terminal cannot move its cursor"),
    ("", "This terminal cannot move its cursor"),
    ("no-such-terminal", "This system has no description of the terminal “no-such-terminal”."),
    ("x\u{1B}[31m\u{9B}2J", "This system has no description of the terminal “x[31m2J”."),
  ])
  func `a terminal that cannot show the reader is told so`(type: String, words: String) throws {
    let terminal = try home.openReader(terminalType: type)
    #expect(try terminal.waitForExit() == .exited(1))
    expectPlain(terminal.output, words)
    #expect(terminal.modes == freshModes())
  }

  @Test func `output that is no terminal gets nothing but a hint for the user`() throws {
    let outcome = try home.run()
    #expect(outcome.ending == .exited(1))
    #expect(outcome.output.isEmpty)
    #expect(
      outcome.errors == "argyle: The reader needs a terminal. In scripts, use the subcommands: "
        + "see argyle --help.\n")
  }

  @Test func `input that is no terminal does not matter`() throws {
    let terminal = try PseudoTerminal(
      running: builtProgram("argyle"), environment: home.environment, inputFrom: "/dev/null")
    try terminal.waitUntil("the list is there") { $0.isWhole }
    #expect(try terminal.leave() == .exited(0))
  }

  @Test(arguments: [("xterm-256color", ["NO_COLOR": "1"]), ("xterm-mono", [:])])
  func `without colours nothing is coloured, the selection shows, and pictures are words`(
    terminalType: String, variables: [String: String]
  ) throws {
    let terminal = try home.openReader(terminalType: terminalType, adding: variables)
    try terminal.waitUntil("an article is selected") { screen in
      // Until the articles are loaded, a row of the list of feeds is selected instead.
      screen.isWhole && screen.footer.hasPrefix("Enter open")
        && (0..<screen.rows).contains { y in
          screen.row(y).contains { $0.style.attributes.contains(.reverse) }
        }
    }
    try terminal.send("\r", until: "the article is open") {
      $0.isWhole && $0.footer.contains("Esc back")
    }
    // Without colours, a picture would be nothing but identical blocks.
    try terminal.waitUntil("there are words in the place of its picture") {
      $0.text.contains("[picture: ") && !$0.text.contains("▀▀▀")
    }
    let cells = (0..<terminal.screen.rows).flatMap { terminal.screen.row($0) }
    #expect(
      cells.allSatisfy { $0.style.foreground == .default && $0.style.background == .default })
  }

  // MARK: Checks

  private func openReader(terminalType: String = "xterm-256color") throws -> PseudoTerminal {
    // The runtime's own report of a crash takes seconds, and is not needed here.
    let terminal = try home.openReader(
      terminalType: terminalType, adding: ["SWIFT_BACKTRACE": "enable=no"])
    try terminal.waitUntil("the list is there") { $0.isWhole }
    return terminal
  }

  private func expectRestored(
    _ terminal: PseudoTerminal, at place: SourceLocation = #_sourceLocation
  ) throws {
    let screen = terminal.screen
    #expect(screen.privateModes == [7, 25], sourceLocation: place)
    #expect(screen.style == EmulatedStyle(), sourceLocation: place)
    #expect(screen.region == 0..<screen.rows, sourceLocation: place)
    #expect(screen.unknown == [], sourceLocation: place)
    #expect(terminal.modes == freshModes(), sourceLocation: place)
    for mode in ["1049", "1000", "1004", "1006", "2004"] {
      for end in ["h", "l"] {
        let count = terminal.output.occurrences(of: "\u{1B}[?\(mode)\(end)")
        #expect(count == 1, "mode \(mode)\(end)", sourceLocation: place)
      }
    }
  }

  /// Returns the modes of a terminal that no program has changed.
  private func freshModes() -> TerminalModes? {
    let terminal = try? PseudoTerminal(running: "/bin/true")
    _ = try? terminal?.waitForExit()
    return terminal?.modes
  }

  private func expectPlain(
    _ output: [UInt8], _ words: String, at place: SourceLocation = #_sourceLocation
  ) {
    let text = String(decoding: output, as: UTF8.self)
    #expect(text.contains(words), sourceLocation: place)
    let controls = text.unicodeScalars.filter { $0.properties.generalCategory == .control }
    #expect(controls.allSatisfy { $0 == "\r" || $0 == "\n" }, sourceLocation: place)
  }
}

extension [UInt8] {
  /// Returns the number of occurrences of a text in these bytes.
  fileprivate func occurrences(of text: String) -> Int { ranges(of: Array(text.utf8)).count }
}
