import Foundation
import Testing

@testable import Argyle

/// Tests of the drawer, the gallery and the catalog in plain mode: one view below another, words
/// instead of symbols, and an announcement of each key's effect in the last row.
@MainActor
@Suite struct PlainPartsTests {
  private func lines(_ scene: String, _ size: String, keys: String? = nil, at time: String) throws
    -> [String]
  {
    let lines = try screenshot(
      [scene, "--plain", "--size", size, "--at", time] + (keys.map { ["--keys", $0] } ?? []))
    #expect(!lines.joined().contains { "✗✓▸◆⇄▰▱▆│╭".contains($0) })
    return lines.map { $0.trimmingCharacters(in: .whitespaces) }
  }

  @Test(arguments: [
    ("@3 j", "3.1", "Golf, of an uncle: sogginess 11, removed, can be undone."),
    ("@3 k", "3.1", "Fisherman's cable: sogginess 100."),
    ("@3 k k +", "3.1", "Christmas, with snow on it: sogginess 5, saving."),
    ("@3 k k +", "5", "Christmas, with snow on it: sogginess 5, saved."),
  ])
  func `the last row says which sock a key has selected, and what became of a change`(
    keys: String, time: String, words: String
  ) throws {
    #expect(try lines("socks", "80x16", keys: keys, at: time)[15] == words)
  }

  @Test(arguments: [
    ("@1 right", "1.1", "Stargazer, left: sogginess 60"),
    ("@1 right @2 x", "2.1", "Stargazer, left: sogginess 60, removed, can be undone."),
    ("@1 right @2 x", "3", "Stargazer, left: sogginess 60, removed, can be undone."),
  ])
  func `the last row says what became of a change of the open sock`(
    keys: String, time: String, words: String
  ) throws {
    #expect(try lines("sock", "80x24", keys: keys, at: time)[23].hasPrefix(words))
  }

  @Test func `a sock is one fact under another, its picture in words`() throws {
    #expect(
      try lines("sock", "80x20", at: "1").prefix(8).dropFirst() == [
        "Stargazer, left", "Picture: stars navy", "Sogginess: 55", "", "Pattern   stars",
        "Colour    navy", "Pair      [ Stargazer, right › ]",
      ])
  }

  @Test func `what is wrong in a form has a word for its sign`() throws {
    let lines = try lines("socks", "60x20", keys: "@3 a @3.5 enter", at: "4")
    #expect(lines.contains("Wrong: Give it a name."))
  }

  @Test func `on a narrow screen a change has the room of the pair`() throws {
    let lines = try lines("socks", "20x8", at: "2.6")
    #expect(lines.contains("Ginger…  40 saving…"))
    #expect(lines.contains("Grandm…   0 paired"))
  }

  @Test func `the gallery is a list of colours, and the last row says what the selected one is`()
    throws
  {
    let lines = try lines("gallery", "80x12", keys: "@2.05 j", at: "2.1")
    #expect(
      lines[2...6] == [
        "1:   #E57B7B", "2:   failed, no colour", "3:   #DB7086", "4:   loading", "5:   loading",
      ])
    #expect(lines[11] == "Colour 2: failed, no colour.")
    #expect(
      try self.lines("gallery", "80x12", keys: "@4 j r", at: "4.1")[11] == "Colour 2: loading.")
  }

  @Test func `a colour that is loaded again keeps its words, and says so beside them`() throws {
    let lines = try lines("gallery", "80x24", keys: "@8 R", at: "8.5")
    let reloading = lines.filter { $0.contains("Loading…") }
    #expect(!reloading.isEmpty)
    #expect(reloading.allSatisfy { $0.contains("failed, no colour Loading…") }, "\(reloading)")
  }

  @Test(arguments: [
    ("@4 tab tab right", "4.1", "As in: profile."),
    ("@4 tab tab down down", "4.1", "First load, alignment: center."),
    ("@4 tab tab tab down enter", "4.1", "#2: started because it was asked for."),
    ("@4 n", "4.1", "Indicators, page 2 of 19"),
  ])
  func `in the catalog the last row says the value, the event or the page of a key`(
    keys: String, time: String, words: String
  ) throws {
    let last = try lines("catalog", "80x24", keys: keys, at: time)[23]
    #expect(last.hasPrefix(words.prefix(24)), "\(last)")
  }

  @Test func `an option says what it belongs to`() throws {
    let lines = try lines("catalog", "80x24", keys: "@4 tab tab", at: "4.1")
    #expect(lines.contains("Over a value, opacity: 1.0"))
  }

  @Test func `a row whose change failed says so in words`() throws {
    let lines = try lines("removing", "80x14", at: "2.3")
    #expect(lines.contains { $0.hasSuffix("failed: It is not yours to remove.") })
  }
}
