import Foundation
import Testing

@testable import Argyle

/// Tests of whole scenes on a small screen.
@MainActor
@Suite struct SceneFrameTests {
  @Test func `a first run shows the handbook`() throws {
    #expect(
      try screenshot("first-run", "--size", "76x7") == [
        "[1 Articles] 2 Socks  3 Gallery  4 Catalog",
        "Feeds                     │ All articles",
        "All articles            ▐ │ How to use Argyle                        19 Nov▐",
        "Unread                  ▐ │ Adding your first feeds                  16 Nov",
        "Today                   ▐ │ Idle, loading, failed, loaded            12 Nov",
        "★ Starred                 │ The shape of what is to come              8 Nov",
        "Enter open  ← feeds  r reload  a add a feed  / search  ? keys  q quit",
      ])
  }

  @Test func `a first load draws nothing before its gate opens, then the shape of the list`() throws
  {
    #expect(
      try screenshot("articles-loading", "--size", "40x6", "--at", "0.15") == [
        "[1 Articles] 2  3  4",
        "All articles",
        "",
        "",
        "",
        "← feeds  r reload  ? keys  q quit",
      ])
    #expect(
      try screenshot("articles-loading", "--size", "40x6", "--at", "0.3", "--reduce-motion")[2...3]
        == [
          "▇▇▇▇▇ ▇▇▇▇▇▇▇▇ ▇▇▇ ▇▇▇ ▇▇▇▇▇▇ ▇▇▇ ▇▇▇▇",
          "▇0 of 5 feeds ░░░░░░░░░░░░░░░░░░░░ 0 %",
        ])
  }

  @Test func `a reload leaves the articles where they are`() throws {
    #expect(
      try screenshot("articles-reloading", "--size", "76x7") == [
        "[1 Articles] 2 Socks  3 Gallery  4 Catalog",
        "Feeds                     │ All articles  ⠏ 1 of 5 feeds ██▊░░░░░░░░░░░ 20 %",
        "All articles           3▐ │ Please stop asking me eve…  Letters…   • 20 Nov▐",
        "Unread                 3  │ Three milliseconds, and w…  Cold Sta… ★• 20 Nov",
        "Today                     │ How to use Argyle           The Argy…    19 Nov",
        "★ Starred              1  │ 全角と半角のあいだ          端末だよ…  • 18 Nov",
        "Enter open  Esc cancel  ← feeds  r reload  s star on or off  ? keys  q quit",
      ])
  }

  @Test func `a failed first load says what happened and what r does`() throws {
    #expect(
      try screenshot("articles-failed", "--size", "76x11").dropLast() == [
        "[1 Articles] 2 Socks  3 Gallery  4 Catalog",
        "Feeds                     │ All articles",
        "All articles            ▐ │",
        "Unread                  ▐ │",
        "Today                   ▐ │    ✗ 5 of 5 feeds failed.",
        "★ Starred               ▐ │    The list of feeds says why.",
        "Cold Starts            ✗▐ │",
        "Letters from a Small…  ✗▐ │    r to retry   ! to see them   d for details",
        "The Argyle Handbook    ✗▐ │",
        "The Drawer             ✗  │",
      ])
  }

  @Test func `stale articles keep their place above the reason, and r brings them up to date`()
    throws
  {
    #expect(
      try screenshot("articles-stale", "--size", "76x6") == [
        "[1 Articles] 2 Socks  3 Gallery  4 Catalog",
        "Feeds                     │ All articles",
        "All articles           3▐ │ Please stop asking me eve…  Letters…   • 20 Nov▐",
        "Unread                 3  │ Three milliseconds, and w…  Cold Sta… ★• 20 Nov",
        "Today                     │ ✗ 2 of 5 feeds failed. ! to see them  r to retry",
        "Enter open  r retry  ← feeds  m mark read or unread  ? keys  q quit",
      ])
    #expect(
      try screenshot("articles-stale", "--size", "76x6", "--keys", "@3 r", "--at", "6") == [
        "[1 Articles] 2 Socks  3 Gallery  4 Catalog",
        "Feeds                     │ All articles",
        "All articles           3▐ │ Please stop asking me eve…  Letters…   • 20 Nov▐",
        "Unread                 3  │ Three milliseconds, and w…  Cold Sta… ★• 20 Nov",
        "Today                     │ How to use Argyle           The Argy…    19 Nov",
        "Enter open  ← feeds  r reload  m mark read or unread  ? keys  q quit",
      ])
  }

  @Test func `cells of the gallery load, fail and are tried again each by itself`() throws {
    #expect(
      try screenshot("gallery", "--size", "100x9", "--keys", "@1.5 right") == [
        " 1 Articles  2 Socks [3 Gallery] 4 Catalog",
        "100 colours  24 at once  █▓▒░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░  94 idle  2 loading  1"
          + " failed  3 loaded",
        "╭─ 1 ───────────────────────────╮ ╭─ ▸ 2 ────────────────────────╮ ╭─ 3"
          + " ──────────────────────────╮▐",
        "│            #E57B7B            │ │   ✗ No colour  r to retry    │ │          "
          + " #DB7086            │",
        "╰───────────────────────────────╯ ╰──────────────────────────────╯"
          + " ╰──────────────────────────────╯",
        "╭─ 4 ───────────────────────────╮ ╭─ 5 ──────────────────────────╮ ╭─ 6"
          + " ──────────────────────────╮",
        "│            ▇▇▇▇▇▇▇            │ │           ▇▇▇▇▇▇▇            │ │          "
          + " #CB6096            │",
        "╰───────────────────────────────╯ ╰──────────────────────────────╯"
          + " ╰──────────────────────────────╯",
        "r retry  R retry all failed  + more at once  - fewer at once  ? keys  q quit",
      ])
    #expect(
      try screenshot("gallery", "--size", "64x6", "--keys", "@4 R", "--at", "4.1")[1]
        == "24 at once                97 idle  1 loading  0 failed  2 loaded")
    #expect(
      try screenshot("gallery", "--size", "64x6", "--keys", "@0.25 c", "--at", "4")[1]
        == "24 at once                98 idle  0 loading  1 failed  1 loaded")
  }

  @Test func `a retry counts down, and a key ends the wait`() throws {
    #expect(
      try screenshot("retry", "--size", "108x9")[0...5].map { String($0.prefix(61)) } == [
        "╭─ Retry & backoff ─────────────────────────────────────────╮",
        "│          ✗ The post office is closed.                     │",
        "│          It is tried again automatically.                 │",
        "│          Attempt 1 of 5 failed. Next try in 1 s.          │",
        "│                                                           │",
        "│          r to retry   d for details                       │",
      ])
    let pressed = try screenshot("retry", "--size", "108x12", "--keys", "@1.9 r", "--at", "2")
    #expect(pressed.contains { $0.contains("#2: started because it was retried") })
  }

  @Test func `rows leave one by one, and the one that cannot stays and says why`() throws {
    let keys = ["removing", "--size", "110x9", "--keys", "@1 x j x j j x"]
    func rows(at time: String) throws -> [String] {
      try ScreenshotCommand.parse(keys + ["--at", time]).picture().split(separator: "\n")[1...4]
        .map {
          // Without the scroll bar.
          String($0.dropFirst(2).prefix(58)).trimmingCharacters(in: .whitespaces)
        }
    }
    #expect(
      try rows(at: "2") == [
        "Grey wool, darned twice                         ⠋ removing",
        "Striped, cotton                                 ⠋ removing", "Left one of a pair",
        "The one that is not yours                       ⠋ removing",
      ])
    #expect(
      try rows(at: "3") == [
        "Left one of a pair",
        "The one that is not yours     ✗ It is not yours to remove.", "Argyle, of course",
        "Hiking sock, still wet",
      ])
  }

  @Test func `one part of a profile is tried again without the other`() throws {
    let failed = try screenshot("profile", "--size", "140x14")
    #expect(failed.filter { $0.contains("✗ The posts could not be loaded.") }.count == 2)
    let mended = try screenshot("profile", "--size", "140x14", "--keys", "@2 tab r", "--at", "4")
    #expect(mended.contains { $0.contains("• A taxonomy of odd socks") })
    #expect(mended.filter { $0.contains("✗ The posts could not be loaded.") }.count == 1)
    #expect(mended[2].contains("Maud Lindqvist"))
  }

  @Test func `digits go to the parts of the program, which are left as they were`() throws {
    let there = try screenshot("articles", "--keys", "@0.5 j j @1 3 @2 j r @3 4", "--at", "4")
    #expect(there[0] == " 1 Articles  2 Socks  3 Gallery [4 Catalog]")
    let back = try screenshot("articles", "--format", "ansi", "--keys", "@0.5 j j @1 2 @2 3 @3 1")
    let stayed = try screenshot("articles", "--format", "ansi", "--keys", "@0.5 j j", "--at", "3")
    #expect(back == stayed)
  }

  @Test func `a search asks once the typing rests, and drops what comes too late`() throws {
    let typing = try screenshot("search", "--keys", "@0.5 / w @0.6 a @0.7 i @0.8 t", "--at", "0.9")
    #expect(typing.contains { $0.contains("The titles that match appear here.") })
    let found = try screenshot("search", "--keys", "@0.5 / w @0.6 a @0.7 i @0.8 t", "--at", "3")
    #expect(found.contains { $0.contains("│ Why spinners should wait ") })
    #expect(found.filter { $0.contains("finished") }.count == 1)
    let late = try screenshot("search", "--keys", "@0.5 / w @1 a i t z z", "--at", "5")
    #expect(late.contains { $0.contains("No titles match “waitzz”.") })
    // A letter is not a key while it can be typed.
    #expect(late.last == "Tab next pane  F1 keys  F10 quit")
  }

  @Test func `on a large screen the gallery is a mosaic of ten cells a row`() throws {
    let mosaic = try screenshot("gallery", "--size", "120x30", "--at", "3.5")
    #expect(mosaic.count { $0.hasPrefix("╭") } == 9)
    #expect(
      mosaic[2] == "╭─ ▸ 1 ────╮╭─ 2 ──────╮╭─ 3 ──────╮╭─ 4 ──────╮╭─ 5 ──────╮╭─ 6 ──────╮"
        + "╭─ 7 ──────╮╭─ 8 ──────╮╭─ 9 ──────╮╭─ 10 ────╮▐")
    // With one line or one column less, there are three in a row.
    for size in ["119x30", "120x29"] {
      let grid = try screenshot("gallery", "--size", size, "--at", "3.5")
      #expect(grid[2].count { $0 == "╭" } == 3)
    }
  }

  @Test func `on a narrow screen the counts of the gallery fit, and nothing in a cell is cut`()
    throws
  {
    #expect(
      try screenshot("gallery", "--size", "20x5", "--at", "3.5").prefix(3) == [
        "1 failed 1 loaded", "╭─ ▸ 1 ─╮ ╭─ 2 ───╮▐", "│#E57B7B│ │✗ none │",
      ])
  }
}
