import Foundation
import PseudoTerminal
import Testing

/// Tests of programs that the user chose, run on articles from a feed.
struct ArticleProgramTests {
  private let home: Home
  private let record: Record

  init() throws {
    home = try Home()
    record = try Record(path: home.path + "/record")
  }

  private func script(_ text: String) throws -> String {
    let path = try home.write("#!/bin/sh\n" + text, to: "script")
    chmod(path, 0o755)
    return path
  }

  /// Returns a script that records its arguments, one per line.
  private func telling() throws -> String {
    try script("printf '%s\\n' \"$#\" \"$@\" >'\(record.path)'\necho noise\n")
  }

  private func openReader(
    title: String = "Apple", enclosures: String = "", _ command: String, columns: Int = 80,
    adding more: [String: String] = [:]
  ) throws -> PseudoTerminal {
    let file = try home.write(
      """
      <rss version="2.0"><channel><title>Alpha</title><item><title>\(title)</title>
      <link>http://example.org/?a=$(touch)</link><description>The &lt;b&gt;text&lt;/b&gt;.</description>
      \(enclosures)
      </item></channel></rss>
      """, to: "feed.xml")
    let config = try home.write(
      "[[command]]\nkey = \"B\"\nname = \"later\"\n\(command)\n", to: "config.toml")
    #expect(try home.run("feeds", "add", file).ending == .exited(0))
    let terminal = try home.openReader(["--config", config], columns: columns, adding: more)
    try terminal.waitUntil("the list is there") {
      $0.isWhole && $0.selectedText.hasPrefix(title.prefix(5))
    }
    return terminal
  }

  @Test(arguments: [false, true])
  func `each argument is one, and no shell reads it`(isOpen: Bool) throws {
    let terminal = try openReader(
      title: "$(touch owned) 'a\" -b;",
      "run = [\"\(telling())\", \"{link}\", \"--title={title}\", \"{feed}\"]")
    if isOpen {
      try terminal.send("\r", until: "it is open") { $0.text.contains("The text.") }
    }
    terminal.send("B")
    #expect(
      try record.read() == [
        "http://example.org/?a=$(touch)", "--title=$(touch owned) 'a\" -b;", "Alpha",
      ])
    try terminal.waitUntil("it says so") { $0.text.contains("Started: later") }
    #expect(!terminal.screen.text.contains("noise"))
    #expect(!FileManager.default.fileExists(atPath: home.path + "/owned"))
  }

  @Test func `what a program would take for an option is not passed to it`() throws {
    let terminal = try openReader(title: "--delete all", "run = [\"\(telling())\", \"{title}\"]")
    try terminal.send("B", until: "it says why") {
      $0.text.contains("Not run: “--delete all” looks like an option. Write \"--\" before it.")
    }
    #expect(try !record.hasSomething())
  }

  @Test(arguments: [
    ("text", "Apple\nAlpha\nhttp://example.org/?a=$(touch)\n\nThe text.\n"),
    ("markdown", "The **text**."),
    ("html", "The <strong>text</strong>."),
  ])
  func `the article is what a program reads`(input: String, part: String) throws {
    let terminal = try openReader(
      "input = \"\(input)\"\nrun = [\"\(script("{ echo 1; tr '\\n' '|'; echo; } >'\(record.path)'"))\"]"
    )
    terminal.send("B")
    let text = try #require(try record.read().first)
    #expect(text.contains(part.replacing("\n", with: "|")), "\(text)")
  }

  @Test(arguments: [50, 130])
  func `a program in the foreground has the terminal until it ends`(columns: Int) throws {
    let path = try script(
      "echo \"Hello $1\"; read answer; echo \"$answer\" >\(home.path)/answer; exit 3")
    let terminal = try openReader(
      "foreground = true\nrun = [\"\(path)\", \"{title}\"]", columns: columns)
    for round in 1...2 {
      terminal.send("B")
      // The program's earlier output is still there below the reader's screen.
      try terminal.waitUntil("it has the terminal") { screen in
        screen.allLines.count { $0.contains("Hello Apple") } == round
      }
      try terminal.send("qq\r", until: "what it wrote can be read") { screen in
        screen.allLines.count { $0.contains("Press Enter to go back.") } == round
      }
      try terminal.send("\r", until: "the reader has it again, and says how it ended") {
        $0.isWhole && $0.selectedText.hasPrefix("Apple") && !$0.text.contains("Hello")
          && $0.text.contains("“later” ended with status 3.")
      }
      #expect(try home.text(of: "answer") == "qq\n")
    }
    #expect(try terminal.leave() == .exited(0))
  }

  @Test func `what a program writes and ends at once stays until Enter`() throws {
    let path = try script("echo \"Hello $1\"")
    let terminal = try openReader("foreground = true\nrun = [\"\(path)\", \"{title}\"]")
    try terminal.send("B", until: "it is there to be read") {
      $0.text.contains("Hello Apple") && $0.text.contains("Press Enter to go back.")
    }
    // Keys of the reader have no effect here.
    terminal.send("q")
    try terminal.send("\r", until: "the reader is back") {
      $0.isWhole && $0.selectedText.hasPrefix("Apple") && !$0.text.contains("Hello")
    }
    #expect(try terminal.leave() == .exited(0))
  }

  @Test func `with wait = false the reader is back without Enter, however a program ends`() throws {
    let path = try script("echo Hello; echo 0 >'\(record.path)'; exit 1")
    let terminal = try openReader("wait = false\nforeground = true\nrun = [\"\(path)\"]")
    terminal.send("B")
    #expect(try record.read() == [])
    try terminal.waitUntil("the reader is back") {
      $0.isWhole && $0.text.contains("“later” ended with status 1.")
    }
    #expect(try terminal.leave() == .exited(0))
  }

  @Test func `of a failure in the background the status and the first line of errors are told`()
    throws
  {
    let path = try script("printf '\\n\\033[31mno display\\nmore\\n' >&2; exit 4")
    let terminal = try openReader("run = [\"\(path)\"]")
    try terminal.send("B", until: "it says so") {
      $0.text.contains("“later” ended with status 4: [31mno display")
    }
    #expect(!terminal.screen.text.contains("more"))
  }

  @Test func `Ctrl-C ends the program in the foreground alone`() throws {
    let path = try script("echo ready; exec sleep 600")
    let terminal = try openReader("foreground = true\nrun = [\"\(path)\"]")
    try terminal.send("B", until: "it has the terminal") { $0.text.contains("ready") }
    try terminal.send("\u{3}", until: "the reader is back") {
      $0.isWhole && $0.text.contains("“later” was ended by signal 2.")
    }
    #expect(try terminal.leave() == .exited(0))
  }

  @Test func `Ctrl-C goes back from a program in the foreground that has ended`() throws {
    let terminal = try openReader("foreground = true\nrun = [\"\(script("echo Hello"))\"]")
    try terminal.send("B", until: "it waits") { $0.text.contains("Press Enter to go back.") }
    try terminal.send("\u{3}", until: "the reader has the terminal again") {
      $0.isWhole && $0.selectedText.hasPrefix("Apple")
    }
    #expect(try terminal.leave() == .exited(0))
  }

  @Test func `of two programs in the foreground one has the terminal at a time`() throws {
    let path = try script(
      "echo Hello; echo began >>'\(home.path)/turns'; read answer; echo ended >>'\(home.path)/turns'"
    )
    let terminal = try openReader("foreground = true\nwait = false\nrun = [\"\(path)\"]")
    terminal.send("BB")
    for round in 1...2 {
      try terminal.waitUntil("it has the terminal") { screen in
        screen.allLines.count { $0.contains("Hello") } == round
      }
      terminal.send("\r")
    }
    try terminal.waitUntil("the reader has it again") {
      $0.isWhole && $0.selectedText.hasPrefix("Apple")
    }
    #expect(try terminal.leave() == .exited(0))
    #expect(try home.text(of: "turns") == "began\nended\nbegan\nended\n")
  }

  @Test(arguments: ["B", "o"])
  func `a key that is held down starts a bounded number of programs`(key: String) throws {
    // The programs run until the other end of the pipe is closed.
    let pipe = home.path + "/pipe"
    #expect(mkfifo(pipe, 0o600) == 0)
    let descriptor = open(pipe, O_RDWR | O_CLOEXEC)
    defer { close(descriptor) }
    let path = try script("exec cat <'\(pipe)' >'\(home.path)/'$$.started")
    let terminal = try openReader("run = [\"\(path)\"]", adding: ["BROWSER": path])
    try terminal.send(String(repeating: key, count: 40), until: "it says that there are enough") {
      $0.text.contains("Not started: 16 programs that were started here still run.")
    }
    let names = try FileManager.default.contentsOfDirectory(atPath: home.path)
    #expect(names.count { $0.hasSuffix(".started") } <= 16)
    #expect(try terminal.leave() == .exited(0))
  }

  @Test func `what a program in the background writes takes no room on the disk`() throws {
    let path = try script(
      "echo first words >&2; head -c 3000000 /dev/zero >&2; "
        + "stat -L -c %s /proc/self/fd/2 >'\(home.path)/size'; exit 3")
    let terminal = try openReader("run = [\"\(path)\"]")
    try terminal.send("B", until: "it has ended") {
      $0.text.contains("“later” ended with status 3: first words")
    }
    #expect(try home.text(of: "size") == "0\n")
  }

  @Test func `a program that has ended leaves its place to another`() throws {
    let counter = try home.write("0", to: "count")
    let path = try script(
      "n=$(($(cat '\(counter)') + 1)); echo $n >'\(counter)'; exit $n")
    let terminal = try openReader("run = [\"\(path)\"]")
    for status in 1...20 {
      try terminal.send("B", until: "it has ended") {
        $0.text.contains("“later” ended with status \(status).")
      }
    }
  }

  @Test func `the episode of a podcast is played by a program of the user's`() throws {
    let terminal = try openReader(
      enclosures: """
        <enclosure url="http://example.org/cover.jpg" type="image/jpeg"/>
        <enclosure url="http://example.org/$(touch).mp3" type="audio/mpeg"/>
        """, "run = [\"\(telling())\", \"{enclosure}\"]")
    terminal.send("B")
    #expect(try record.read() == ["http://example.org/$(touch).mp3"])
    #expect(try terminal.leave() == .exited(0))
  }

  @Test func `without an episode nothing is run, and that is said`() throws {
    let terminal = try openReader("run = [\"\(telling())\", \"{enclosure}\"]")
    try terminal.send("B", until: "it says why") {
      $0.text.contains("Not run: this article has no enclosure.")
    }
    #expect(try !record.hasSomething())
  }

  @Test func `the address of an episode in the private network is given to no program`() throws {
    let terminal = try openReader(
      enclosures: "<enclosure url=\"http://192.168.1.1/restart.mp3\" type=\"audio/mpeg\"/>",
      "run = [\"\(telling())\", \"{enclosure}\"]")
    try terminal.send("B", until: "it says why") {
      $0.text.contains("Not run: a public feed may not lead into your network (192.168.1.1).")
    }
    #expect(try !record.hasSomething())
  }

  @Test func `a program that there is not is named`() throws {
    let terminal = try openReader("run = [\"no-such-program\"]")
    try terminal.send("B", until: "it says so") {
      $0.text.contains("“no-such-program” could not be started (No such file or directory).")
    }
  }
}
