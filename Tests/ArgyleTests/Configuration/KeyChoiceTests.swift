import TerminalUI
import Testing

@testable import Argyle

/// Tests of keys that the user chooses for actions.
@Suite struct KeyChoiceTests {
  private func keys(_ lines: String...) throws -> [KeyAction: [KeySequence]] {
    try Configuration(toml: "[keys]\n" + lines.joined(separator: "\n")).keys
  }

  @Test func `an action may have several keys, one or none`() throws {
    #expect(
      try keys("next-unread = [\"Z\", \"f5\"]", "undo = \"z\"", "search = []") == [
        .nextUnread: ["Z", KeySequence(KeyPress(.function(5)))], .undo: ["z"], .search: [],
      ])
  }

  @Test func `an action's own keys are no choice`() throws {
    #expect(try keys("next-unread = [\"n\"]", "down = [\"j\", \"down\"]").isEmpty)
  }

  @Test func `keys may change places`() throws {
    #expect(
      try keys("next-unread = [\"m\"]", "toggle-read = [\"n\"]")
        == [.nextUnread: ["m"], .toggleRead: ["n"]])
  }

  @Test func `an action that there is not is answered with what was meant`() {
    #expect(
      problems("[keys]", "next-unraed = [\"n\"]") == [
        "f:2: keys.next-unraed: unknown action; did you mean next-unread?"
      ])
    #expect(
      problems("[keys]", "fly = [\"n\"]") == [
        "f:2: keys.fly: unknown action; argyle config --print-default lists all actions."
      ])
  }

  @Test func `a key that there is not is told with its own line`() {
    let problems = problems("[keys]", "next-unread = [", "  \"n\",", "  \"nn\",", "]")
    #expect(problems.count == 1)
    #expect(problems.first?.hasPrefix("f:4: keys.next-unread: unknown key “nn”; ") == true)
  }

  @Test(arguments: ["enter", "tab", "ctrl-c", "ctrl-s", "ctrl-h", "ctrl-i", "shift-r"])
  func `a key that cannot arrive, or means the same everywhere, is refused`(name: String) {
    let problems = problems("[keys]", "next-unread = [\"\(name)\"]")
    #expect(problems.count == 1)
    #expect(problems.first?.contains("cannot be chosen") == true)
  }

  @Test func `one key for two actions of a screen is refused with both lines`() {
    #expect(
      problems("[keys]", "next-unread = [\"z\"]", "# between", "toggle-star = [\"x\", \"z\"]") == [
        "f:4: keys.toggle-star: z is also the key of next-unread (line 2), on the same screen."
      ])
  }

  @Test func `a key that is chosen is taken from what has it by default`() throws {
    #expect(
      try keys("next-unread = [\"q\"]", "toggle-star = [\"n\", \"W\"]") == [
        .nextUnread: ["q"], .toggleStar: ["n", "W"], .close: [KeySequence(.escape)],
        .quit: [KeySequence(KeyPress(.function(10))), "Q"], .leaveArticle: [], .transcript: [],
      ])
    #expect(
      try keys("go-to-list = [\"g l\"]", "quit = [\"g s\"]")[.first] == [KeySequence(.home)])
  }

  @Test func `what a screen cannot be used without keeps its keys`() {
    #expect(
      problems("[keys]", "next-unread = [\"down\"]") == [
        "f:2: keys.next-unread: ↓ is also the key of down (always), on the same screen."
      ])
  }

  @Test func `on different screens a key may mean different things`() {
    #expect(problems("[keys]", "toggle-star = [\"+\"]").isEmpty)
    #expect(problems("[keys]", "pair-sock = [\"n\"]").isEmpty)
  }

  @Test func `an action may have keys that are pressed one after another`() throws {
    #expect(
      try keys("first = [\"g g\"]", "go-to-list = [\"g l\"]", "reload-all = [\", space r\"]") == [
        .first: [KeySequence("g", "g")], .goToList: [KeySequence("g", "l")],
        .reloadAll: [KeySequence(",", .space, "r")],
      ])
  }

  @Test func `keys that another key would begin are refused with both lines`() {
    #expect(
      problems("[keys]", "undo = [\"z z\"]", "toggle-star = [\"z\"]") == [
        "f:3: keys.toggle-star: z cannot be told from z z, the key of undo (line 2), "
          + "on the same screen."
      ])
  }

  @Test func `one key of an action must not begin another one of it`() {
    #expect(
      problems("[keys]", "toggle-star = [\"s s\", \"s\"]") == [
        "f:2: keys.toggle-star: s cannot be told from s s, the key of toggle-star (line 2), "
          + "on the same screen."
      ])
    #expect(
      problems("[keys]", "down = [\"down x\"]") == [
        "f:2: keys.down: ↓ x cannot be told from ↓, the key of down (always), on the same screen."
      ])
  }

  @Test func `several keys are refused where one of them cannot be`() {
    #expect(
      problems("[keys]", "undo = [\"z esc\"]") == [
        "f:2: keys.undo: Esc cannot be one of several keys: it ends what was typed."
      ])
    #expect(
      problems("[keys]", "undo = [\"z tab\"]") == [
        "f:2: keys.undo: Tab cannot be chosen: it goes to the next pane."
      ])
    #expect(
      problems("[keys]", "undo = [\"z z z z z z\"]") == [
        "f:2: keys.undo: no more than 5 keys can be pressed one after another."
      ])
    for (keys, unknown) in [("z zz", "zz"), ("", "")] {
      let start = "f:2: keys.undo: unknown key “\(unknown)”; "
      #expect(problems("[keys]", "undo = [\"\(keys)\"]").first?.hasPrefix(start) == true)
    }
  }

  @Test func `the defaults are in conflict nowhere`() {
    #expect(
      problems(
        "[keys]",
        KeyTable.program.actions.map { action in
          "\(action.name) = [\(action.keys.map { "\"\($0.name)\"" }.joined(separator: ", "))]"
        }.joined(separator: "\n")
      ).isEmpty)
  }

  /// Lists every key that two actions of one screen share, so that each is shared on purpose.
  @Test func `the keys that actions of one screen share are known`() {
    var shared: Set<String> = []
    let table = KeyTable.program
    for (index, one) in table.actions.enumerated() {
      for other in table.actions[(index + 1)...]
      where !table.screens(of: one).isDisjoint(with: table.screens(of: other)) {
        for key in one.keys where other.keys.contains(key) {
          shared.insert("\(key.name): \(one.name), \(other.name)")
        }
      }
    }
    #expect(
      shared == [
        "esc: back, close", "esc: back, cancel", "esc: close, cancel", "q: close, quit",
        "q: close, leave-article", "q: quit, leave-article", "g: first, other-sock",
        "x: remove-feed, remove-search", "delete: remove-feed, remove-search",
        "p: previous-unread, load-pictures", "/: search, find-in-article",
      ])
  }
}
