import Testing

@testable import Argyle

/// Tests of what the user does with articles, with scripted feeds.
@MainActor
@Suite struct ReadingTests {
  private func lines(_ arguments: String...) throws -> [String] {
    try screenshot(["articles"] + arguments)
  }

  @Test func `m marks an article, and its feed counts one less`() throws {
    let before = try lines("--size", "80x9")
    #expect(before[2].hasSuffix("│ Please stop asking me every…  Letters f…  • 20 Nov▐"))
    #expect(before[7].hasPrefix("Letters from a Small…   1  │"))
    let after = try lines("--size", "80x9", "--keys", "@1 m")
    #expect(after[2].hasSuffix("│ Please stop asking me every…  Letters f…    20 Nov▐"))
    #expect(after[3].hasPrefix("Unread                  2▐ │"))
    #expect(after[7].hasPrefix("Letters from a Small Se…   │"))
    #expect(try lines("--size", "80x9", "--keys", "@1 m m")[2] == before[2])
  }

  @Test func `s puts a star on an article, and the list of those has it`() throws {
    #expect(
      try lines("--size", "80x9", "--keys", "@1 s")[2]
        .hasSuffix("│ Please stop asking me every…  Letters f… ★• 20 Nov▐"))
    let starred = try lines("--size", "80x9", "--keys", "@1 s backtab g j j j", "--at", "2")
    #expect(starred[1].contains("│ Starred ") && starred[1].hasSuffix(" 3 articles"))
    #expect(starred[2].contains("Please stop asking me"))
    #expect(starred[3].contains("Three milliseconds"))
    #expect(starred[4].contains("Wool remembers"))
  }

  @Test func `where there is room each mark, and what is beside them, has a column`() throws {
    let rows = try lines("--size", "112x26")
    for end in [
      "Letters from a… 1 min  • 20 Nov", "Cold Starts     1 min ★• 20 Nov",
      "The Drawer      1 min ★  25 Oct", "The Argyle Han… 2 min     8 Nov",
    ] {
      #expect(rows.contains { $0.contains("  " + end) }, "\(end)")
    }
  }

  @Test func `a window that becomes narrow shows the pane that has the focus`() throws {
    #expect(try lines("--size", "80x24", "--keys", "@1 size:60x15")[1].hasPrefix("All articles"))
    for keys in ["backtab", "left"] {
      let narrow = try lines("--size", "80x24", "--keys", "@1 \(keys) size:60x15")
      #expect(narrow[1] == "Feeds")
    }
  }

  @Test func `a sheet of an article stays when the window becomes narrow or wide`() throws {
    for sizes in [("130x24", "110x24"), ("110x24", "130x24")] {
      let keys = "@1 j j enter @4 t size:\(sizes.1)"
      let rows = try lines("--size", sizes.0, "--keys", keys)
      #expect(rows.contains { $0.contains("─ Contents ─") }, "\(rows.joined(separator: "\n"))")
    }
  }

  @Test func `u takes back what was done last, one after the other`() throws {
    let before = try lines("--size", "80x9")
    let keys = ["--size", "80x9", "--keys"]
    let once = try lines(keys[0], keys[1], keys[2], "@1 s m u")
    #expect(once[7] == "Undone: “Please stop asking me every fo…” is unread again.")
    #expect(once[2].hasSuffix("│ Please stop asking me every…  Letters f… ★• 20 Nov▐"))
    let twice = try lines(keys[0], keys[1], keys[2], "@1 s m u u")
    #expect(twice[7] == "Undone: “Please stop asking me every fo…” is no longer starred.")
    // The message takes a row, which makes the scroll bar shorter.
    func rows(_ lines: [String]) -> [String] { lines[2...6].map { $0.replacing("▐", with: " ") } }
    #expect(rows(twice) == rows(before))
    #expect(
      try lines(keys[0], keys[1], keys[2], "@1 u")[7] == "There is nothing to undo.")
  }

  @Test func `the footer offers undo while there is something to undo`() throws {
    func footer(_ keys: String) throws -> String? {
      try lines("--size", "76x9", "--keys", keys, "--at", "2").last
    }
    #expect(try footer("@1 j")?.contains("u undo") == false)
    #expect(try footer("@1 m")?.contains("u undo") == true)
    #expect(try footer("@1 m s u")?.contains("u undo") == true)
    #expect(try footer("@1 m s u u")?.contains("u undo") == false)
  }

  @Test func `A marks all of a list as read`() throws {
    let after = try lines("--size", "80x9", "--keys", "@1 A")
    #expect(after[2...7].allSatisfy { !$0.contains("•") })
    #expect(after[3].hasPrefix("Unread                   ▐ │"))
    #expect(after[7] == "3 articles marked as read. u to undo.")
    // While the user types, u is a letter.
    #expect(
      try lines("--size", "80x9", "--keys", "@1 A /")[7] == "3 articles marked as read.")
    let again = try lines("--size", "80x9", "--keys", "@1 A A")
    #expect(again[7] == "There is nothing unread to mark.")
  }

  @Test func `n goes on to the next unread article, until nothing is unread`() throws {
    #expect(try lines("--size", "80x9", "--keys", "@1 n", "--at", "2")[1].contains("Three mill"))
    #expect(try lines("--size", "80x9", "--keys", "@1 n n", "--at", "2")[1].contains("全角と半角"))
    #expect(
      try lines("--size", "80x9", "--keys", "@1 n n n", "--at", "2")[1].contains("Please stop"))
    #expect(
      try lines("--size", "80x9", "--keys", "@1 n n n n", "--at", "2")[7] == "Nothing is unread.")
  }

  @Test func `every step of narrower lines is seen, and none of wider ones that cannot be`() throws
  {
    func said(_ keys: String...) throws -> String? {
      try lines("--size", "60x15", "--keys", "@1 enter " + keys.joined(separator: " "), "--at", "2")
        .last { $0.hasPrefix("Lines") }
    }
    #expect(try said(">") == "Lines already take the whole width.")
    #expect(try said("<") == "Lines are at most 54 columns wide.")
    #expect(try said("<", ">") == "Lines are at most 58 columns wide.")
  }

  @Test func `from 120 columns on the article stands beside the lists`() throws {
    #expect(
      try lines("--size", "120x8", "--keys", "@1 j enter", "--at", "2") == [
        "[1 Articles] 2 Socks  3 Gallery  4 Catalog",
        "Feeds                  │ All articles                              │ Three"
          + " milliseconds, and where they went",
        "All articles        2▐ │ Please stop asking me every f…  • 20 Nov▐ │ A program that"
          + " starts in three milliseconds feels ▐",
        "Unread              2▐ │ Three milliseconds, and where…  ★ 20 Nov  │ like a light"
          + " switch. One that takes three hundred",
        "Today                  │ How to use Argyle                 19 Nov  │ feels like"
          + " asking a colleague to get up and press",
        "★ Starred           1  │ 全角と半角のあいだ              • 18 Nov  │ it for you.",
        "Cold Starts            │ Adding your first feeds           16 Nov  │",
        "PgDn page down  w full text  o open in browser  Esc lists  t table of contents"
          + "  y copy address  u undo  ? keys  F10 quit",
      ])
    // Esc returns to the list, and leaves the article open.
    let left = try lines("--size", "120x8", "--keys", "@1 j enter @2 esc j enter", "--at", "3")
    #expect(left[1].hasSuffix("│ How to use Argyle"))
    // Enter on the open article returns to it.
    let again = try lines("--size", "120x8", "--keys", "@1 j enter @2 esc enter", "--at", "3")
    #expect(again[7].contains("Esc lists"))
    // q closes the article, and the list takes its room again.
    let closed = try lines("--size", "120x8", "--keys", "@1 j enter @2 q", "--at", "3")
    #expect(closed == (try lines("--size", "120x8", "--keys", "@1 j m", "--at", "3")))
  }

  @Test func `below a long list stands what the selected article begins with`() throws {
    func preview(_ keys: String) throws -> [String] {
      try lines("--size", "120x35", "--keys", keys, "--at", "3").suffix(8).dropLast().map {
        $0.split(separator: "│").last.map(String.init) ?? ""
      }
    }
    #expect(
      try preview("@1 j") == [
        " " + String(repeating: "─", count: 85),
        " Three milliseconds, and where they went",
        " Cold Starts · Ines Abara · 2026-11-20 · 1 min",
        " A program that starts in three milliseconds feels like a light switch. One that takes",
        " three hundred feels like asking a colleague to get up and press it for you. So I",
        " traced every one of mine. Two went to libraries that a first screen never calls. The",
        " third went to a date formatter, which was asked for one date.",
      ])
    #expect(try preview("@1")[1] == " Please stop asking me every four seconds")
    #expect(try preview("@1 h j j j")[1] == " Three milliseconds, and where they went")
  }

  @Test func `a search takes the place of the list, and Esc takes it away again`() throws {
    let found = try lines("--size", "80x9", "--keys", "@1 / w o o l", "--at", "2")
    #expect(found[1].contains("Search wool"))
    #expect(found[2].contains("Wool remembers"))
    let fromFeeds = try lines("--size", "80x9", "--keys", "@1 backtab / w o o l", "--at", "2")
    #expect(fromFeeds[1].contains("Search wool"))
    #expect(
      try lines("--size", "80x9", "--keys", "@1 / z z", "--at", "2").contains {
        $0.contains("Nothing was found.")
      })
    #expect(
      try lines("--size", "80x9", "--keys", "@1 / w esc", "--at", "2")
        == lines("--size", "80x9", "--at", "2"))
  }

  @Test func `a search that is opened from the feeds is seen, also where they have the screen`()
    throws
  {
    let found = try lines("--size", "40x9", "--keys", "@1 h / w o o l", "--at", "2")
    #expect(found[1] == "Search wool                      1 found")
    #expect(found[2].hasPrefix("Wool remembers"))
  }
}
