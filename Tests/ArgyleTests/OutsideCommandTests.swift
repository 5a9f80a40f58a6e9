import Foundation
import Pictures
import PseudoTerminal
import TerminalUI
import Testing

@testable import Argyle

/// Tests of arguments that are made from values of a feed.
///
/// Another test checks with a real program that no shell is involved.
@Suite struct OutsideCommandTests {
  private let values: [OutsideCommand.Placeholder: String] = [
    .link: "https://example.org/a", .title: "One {link} & $(two)", .feed: "Alpha",
    .author: "-rf",
  ]

  private func arguments(_ templates: String...) throws -> [String] {
    try OutsideCommand("run", templates).arguments(values)
  }

  @Test func `each argument stays one, whatever is in it, and is filled once`() throws {
    #expect(
      try arguments("-x", "{link}", "--title={title}", "{feed}/{feed}.md", "{}", "{a b}") == [
        "-x", "https://example.org/a", "--title=One {link} & $(two)", "Alpha/Alpha.md", "{}",
        "{a b}",
      ])
    #expect(try arguments() == [])
    #expect(try arguments("") == [""])
  }

  @Test func `what comes from a feed is no option`() throws {
    #expect(throws: OutsideCommand.Failure.looksLikeOption("-rf")) { try arguments("{author}") }
    #expect(throws: OutsideCommand.Failure.looksLikeOption("-rfx")) {
      try arguments("a", "{author}x")
    }
    #expect(try arguments("by {author}", "--", "{author}") == ["by -rf", "--", "-rf"])
    #expect(try arguments("--author={author}") == ["--author=-rf"])
  }

  @Test(arguments: 0..<20)
  func `no value of a feed makes an argument an option`(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    func text() -> String {
      let parts = ["-", "--", "a", "{title}", "=", " ", "\n", "\u{1B}", "é", "\u{0}"]
      return (0..<Int.random(in: 1...4, using: &generator))
        .map { _ in parts.randomElement(using: &generator) ?? "" }.joined()
    }
    let templates = ["{title}", "{feed}{title}", "x{title}", "-{title}", "{title}", "--x={feed}"]
    for _ in 0..<200 {
      let chosen = (0..<4).map { _ in templates.randomElement(using: &generator) ?? "" }
      let values: [OutsideCommand.Placeholder: String] = [.title: text(), .feed: text()]
      guard let words = try? OutsideCommand("p", chosen).arguments(values) else { continue }
      for (word, template) in zip(words, chosen) {
        #expect(!word.hasPrefix("-") || template.hasPrefix("-"), "\(template): \(word)")
        #expect(word.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x7F })
      }
    }
  }

  @Test func `what is missing, or is no web address, is refused`() throws {
    let command = OutsideCommand("run", ["{link}", "{author}"])
    for link in ["file:///etc/passwd", "javascript:alert(1)", "--help", "http://a/ -x"] {
      #expect(throws: OutsideCommand.Failure.notAWebAddress) {
        try command.arguments([.link: link, .author: "Ann"])
      }
    }
    #expect(throws: OutsideCommand.Failure.missing(.link)) { try command.arguments([:]) }
    #expect(throws: OutsideCommand.Failure.missing(.author)) {
      try command.arguments([.link: "http://a/", .author: ""])
    }
  }

  @Test func `words in braces that mean nothing are found`() {
    #expect(OutsideCommand.unknownPlaceholder(in: "{titel} {title}") == "titel")
    for text in ["{title}", "{}", "{ a }", "{A}", "{\"a\": 1}", "a}b{", "{{title}}"] {
      #expect(OutsideCommand.unknownPlaceholder(in: text) == nil, "\(text)")
    }
  }

  // MARK: The configuration file

  @Test func `a command is read, and written so that it is read as the same`() throws {
    let text = """
      [[command]]
      key = ["B", "ctrl-b"]
      name = "read later"
      run = ["later", "--title={title}", "{link}"]
      input = "markdown"
      foreground = true
      wait = false

      [[command]]
      key = "E"
      name = "mail"
      run = ["mail"]
      """
    let configuration = try Configuration(toml: text)
    #expect(
      configuration.commands == [
        ArticleCommand(
          name: "read later", keys: ["B", KeySequence(.control("b"))],
          command: OutsideCommand("later", ["--title={title}", "{link}"]), input: .markdown,
          isForeground: true, waits: false),
        ArticleCommand(name: "mail", keys: ["E"], command: OutsideCommand("mail", [])),
      ])
    #expect(try Configuration(toml: configuration.toml) == configuration)
  }

  @Test func `the reader waits where there is something to be read, or as the user says`() {
    var command = ArticleCommand(name: "a", keys: ["B"], command: OutsideCommand("a", []))
    func waits(_ ending: ChildProcess.Ending, _ milliseconds: Int) -> Bool {
      command.waits(after: ending, lasting: .milliseconds(milliseconds))
    }
    #expect(waits(.status(0), 999) && !waits(.status(0), 1_000))
    #expect(waits(.status(1), 60_000) && waits(.signal(SIGSEGV), 60_000))
    #expect(!waits(.signal(SIGINT), 10) && !waits(.signal(SIGQUIT), 10))
    command.waits = true
    #expect(waits(.status(0), 60_000) && waits(.signal(SIGINT), 10))
    command.waits = false
    #expect(!waits(.status(0), 10) && !waits(.status(1), 10))
  }

  @Test func `mistakes are named with their lines`() {
    #expect(
      problems(
        "[[command]]", "key = \"nokey\"", "name = \"\"", "run = [\"{link}\"]", "input = \"pdf\"",
        "foreground = 1", "runs = []") == [
          "f:2: command.key: unknown key “nokey”; \(KeyChoices.keyNames).",
          "f:3: command.name: this is “”; it must be a string that is not empty.",
          "f:4: command.run: the program must not come from a feed.",
          "f:5: command.input: this is “pdf”; the choices are text, markdown, html.",
          "f:6: command.foreground: this is 1; it must be true or false.",
          "f:7: command.runs: unknown setting; did you mean run?",
        ])
    #expect(
      problems("[[command]]", "name = \"a\"")
        == ["f:1: command: a command must have a key, a name and what to run."])
    #expect(
      problems("[[command]]", "key = \"B\"", "name = \"a\"", "run = [\"a\", \"{titel}\"]") == [
        "f:4: command.run: there is no placeholder {titel}; the choices are {link}, {title}, {author}, "
          + "{feed}, {enclosure}, {file}, {position}, {positions}."
      ])
    #expect(
      problems(
        "[[command]]", "key = \"B\"", "name = \"a\"", "run = [\"a\"]", "wait = true") == [
          "f:5: command.wait: only a command with foreground = true has a terminal to wait on."
        ])
    #expect(
      problems("command = 1") == [
        "f:1: command: this must be a table with the header [[command]]."
      ])
  }

  @Test func `a key is taken from what has it by default, and given to one thing only`() throws {
    let command = ["name = \"a\"", "run = [\"a\"]"].joined(separator: "\n")
    #expect(
      try Configuration(toml: ["[[command]]", "key = \"o\"", command].joined(separator: "\n")).keys
        == [.openInBrowser: []])
    #expect(
      problems("[[command]]", "key = \"B\"", command, "[[command]]", "key = \"B\"", command)
        == ["f:5: command.key: B is also the key of “a” (line 1), on the same screen."])
    #expect(
      problems("[[command]]", "key = \"o\"", command, "[keys]", "open-in-browser = [\"B\"]") == [])
  }
}
