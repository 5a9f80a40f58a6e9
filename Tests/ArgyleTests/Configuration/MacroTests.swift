import TerminalUI
import Testing

@testable import Argyle

/// Tests of macros, tables `[[macro]]`.
@Suite struct MacroTests {
  @Test func `a macro has keys, a name and actions`() throws {
    let configuration = try Configuration(
      toml: """
        [[macro]]
        key = [", n", "f6"]
        name = "star, next"
        actions = ["toggle-star", "next-unread"]
        """)
    #expect(
      configuration.macros == [
        Macro(
          name: "star, next",
          keys: [KeySequence(",", "n"), KeySequence(KeyPress(.function(6)))],
          actions: [.toggleStar, .nextUnread])
      ])
    #expect(try Configuration(toml: configuration.toml) == configuration)
  }

  @Test func `an action that there is not is refused with its line, and so is a macro`() {
    #expect(
      problems(
        "[[macro]]", "key = \"Z\"", "name = \"loop\"", "actions = [", "  \"toggle-sta\",",
        "  \"loop\",", "  3,", "]") == [
          "f:5: macro.actions: unknown action “toggle-sta”; did you mean toggle-star?",
          "f:6: macro.actions: unknown action “loop”; argyle config --print-default lists all actions.",
          "f:7: macro.actions: this is 3; it must be a list of names of actions.",
        ])
  }

  @Test func `an article can be marked whatever its marks are`() throws {
    let configuration = try Configuration(
      toml: """
        [[macro]]
        key = "Z"
        name = "done"
        actions = ["mark-read", "unstar", "mark-unread", "star"]
        """)
    #expect(configuration.macros[0].actions == [.markRead, .unstar, .markUnread, .star])
    #expect(configuration.actionsLeftWithoutKey.isEmpty)
  }

  @Test func `a macro without a key, a name or actions is refused`() {
    let message = "f:1: macro: a macro must have a key, a name and from 1 to 20 actions."
    #expect(problems("[[macro]]", "name = \"a\"") == [message])
    #expect(problems("[[macro]]", "key = \"Z\"", "name = \"a\"", "actions = []") == [message])
    let many = Array(repeating: "\"up\"", count: 21).joined(separator: ", ")
    #expect(
      problems("[[macro]]", "key = \"Z\"", "name = \"a\"", "actions = [\(many)]") == [message])
    #expect(
      problems("macro = 1") == ["f:1: macro: this must be a table with the header [[macro]]."])
  }

  @Test func `its key is taken from what has it by default`() throws {
    let rest = ["name = \"a\"", "actions = [\"up\"]"].joined(separator: "\n")
    for (key, keys) in [
      ("s", [.toggleStar: [], .toggleDownload: [], .sortSocks: []]),
      ("g g", [.first: [KeySequence(.home)], .otherSock: []]),
    ] as [(String, [KeyAction: [KeySequence]])] {
      #expect(try Configuration(toml: "[[macro]]\nkey = \"\(key)\"\n\(rest)").keys == keys)
    }
  }

  @Test
  func `a key that the file gives to something else is refused, as is one that begins such keys`() {
    let rest = ["name = \"a\"", "actions = [\"up\"]"].joined(separator: "\n")
    #expect(
      problems("[[macro]]", "key = \"z\"", rest, "[keys]", "toggle-star = [\"z\"]") == [
        "f:6: keys.toggle-star: z is also the key of “a” (line 1), on the same screen."
      ])
    #expect(
      problems("[[macro]]", "key = \", n\"", rest, "[[macro]]", "key = \",\"", rest) == [
        "f:5: macro.key: , cannot be told from , n, the key of “a” (line 1), on the same screen."
      ])
    #expect(
      problems(
        "[[command]]", "key = \"Z\"", "name = \"c\"", "run = [\"true\"]", "[[macro]]",
        "key = \"Z\"", rest) == [
          "f:5: macro.key: Z is also the key of “c” (line 1), on the same screen."
        ])
  }
}
