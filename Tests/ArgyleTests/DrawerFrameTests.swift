import TerminalUI
import Testing

@testable import Argyle

/// Tests of the drawer's scenes on a screen.
@MainActor
@Suite struct DrawerFrameTests {
  @Test func `the drawer shows how soggy each sock is, and what is going on with it`() throws {
    #expect(
      try screenshot("socks", "--size", "80x24") == [
        " 1 Articles [2 Socks] 3 Gallery  4 Catalog",
        "34 socks by name",
        "Christmas, with snow on it                   ▆▆ ▰▱▱▱▱▱▱▱▱▱   3                 ▐",
        "Fisherman's cable                            ▆▆ ▰▰▰▰▰▰▰▰▰▰ 100                 ▐",
        "Gingerbread                                  ▆▆ ▰▰▰▰▱▱▱▱▱▱  40   ⠦ saving      ▐",
        "Golf, of an uncle                            ▆▆ ▰▱▱▱▱▱▱▱▱▱  11   removed in 4 s▐",
        "Grandmother's, left                          ▆▆ ▱▱▱▱▱▱▱▱▱▱   0 ⇄               ▐",
        "Grandmother's, right                         ▆▆ ▱▱▱▱▱▱▱▱▱▱   0 ⇄               ▐",
        "Grey wool, darned twice                      ▆▆ ▰▰▰▰▱▱▱▱▱▱  40   ✓ saved       ▐",
        "Half a sock                                  ▆▆ ▰▱▱▱▱▱▱▱▱▱   1                 ▐",
        "Hiking sock, still wet                       ▆▆ ▰▰▰▰▰▰▰▰▰▱  92                 ▐",
        "Hound                                        ▆▆ ▰▰▰▰▰▱▱▱▱▱  52                 ▐",
        "Moth's                                       ▆▆ ▰▱▱▱▱▱▱▱▱▱   1                 ▐",
        "Office, left                                 ▆▆ ▰▱▱▱▱▱▱▱▱▱   9 ⇄               ▐",
        "Office, of another office                    ▆▆ ▰▰▱▱▱▱▱▱▱▱  15",
        "Office, one too many                         ▆▆ ▰▱▱▱▱▱▱▱▱▱   7",
        "Office, right                                ▆▆ ▰▱▱▱▱▱▱▱▱▱   8 ⇄",
        "Picnic                                       ▆▆ ▰▰▰▰▰▰▰▱▱▱  70",
        "Plum                                         ▆▆ ▰▰▱▱▱▱▱▱▱▱  19",
        "Polka, left                                  ▆▆ ▰▱▱▱▱▱▱▱▱▱  12 ⇄",
        "Polka, right                                 ▆▆ ▰▱▱▱▱▱▱▱▱▱  12 ⇄",
        "Rainbow                                      ·· ▰▰▰▰▰▱▱▱▱▱  48",
        "Rainy day argyle                             ▆▆ ▰▰▰▰▰▰▰▰▰▱  85",
        "Enter open  + soggier  - drier  u undo  x remove  e edit  a add  ? keys  q quit",
      ])
  }

  @Test func `on the smallest of screens a row has a name, a number and a sign`() throws {
    #expect(
      try screenshot("sock-removing", "--size", "20x5") == [
        "Hiking s…  92      ▐",
        "Hound      52   ⠹",
        "Moth's      1",
        "Office,…    9 ⇄ 2 s",
        "? keys  q quit",
      ])
  }

  @Test func `a first load draws nothing at first, and then the rows`() throws {
    #expect(
      try screenshot("socks", "--size", "60x6", "--at", "0.02") == [
        " 1 Articles [2 Socks] 3 Gallery  4 Catalog",
        "",
        "",
        "",
        "",
        "a add  / filter  s sort  S reverse order  ? keys  q quit",
      ])
    #expect(
      try screenshot("socks", "--size", "60x6", "--at", "0.25") == [
        " 1 Articles [2 Socks] 3 Gallery  4 Catalog",
        "Christmas, with snow on it  ▰▱▱▱▱▱▱▱▱▱   3                 ▐",
        "Fisherman's cable           ▰▰▰▰▰▰▰▰▰▰ 100",
        "Gingerbread                 ▰▱▱▱▱▱▱▱▱▱   5",
        "Golf, of an uncle           ▰▱▱▱▱▱▱▱▱▱  11",
        "Enter open  + soggier  - drier  x remove  ? keys  q quit",
      ])
  }

  @Test func `while a pair is being made, the footer begins with what ends that`() throws {
    let lines = try screenshot("socks", "--size", "80x10", "--keys", "@2.6 g p j", "--at", "3")
    #expect(
      lines[1] == "◆ Pair “Christmas, with snow on it” with another sock: p on that one")
    // While the user types, p is a letter.
    #expect(
      try screenshot("socks", "--size", "80x10", "--keys", "@2.6 g p /", "--at", "3")[1]
        == "◆ Pair “Christmas, with snow on it” with another sock:")
    #expect(
      lines[9]
        == "Enter open  p pair with it  Esc cancel pairing  + soggier  a add  ? keys  q quit")
  }

  @Test func `in plain mode a state is a word`() throws {
    #expect(
      try screenshot("socks", "--size", "60x8", "--plain") == [
        " 1 Articles [2 Socks] 3 Gallery  4 Catalog",
        "Gingerbread                         40 single saving…",
        "Golf, of an uncle                   11 single removed in 4 s",
        "Grandmother's, left                  0 paired",
        "Grandmother's, right                 0 paired",
        "Grey wool, darned twice             40 single saved",
        "Enter open  + soggier  - drier  u undo  ? keys  q quit",
        "Gingerbread: sogginess 40, saving.",
      ])
  }

  @Test func `a sock has its picture beside a slider, and its other one by name`() throws {
    let lines = try screenshot("sock", "--size", "80x24")
    #expect(lines[1] == " Stargazer, left")
    #expect(
      lines[3...11].map { String($0.dropFirst(35)) } == [
        "Sogginess ━━━━━━━━━━●───────── 55",
        "",
        "Pattern   stars",
        "Colour    navy",
        "Pair      [ Stargazer, right › ]",
        "Added     2026-11-21",
        "Changed   2026-11-21",
        "",
        "The left one stepped into a puddle.",
      ])
    #expect(lines[5].prefix(31).contains("▀▀▀▀"))
    #expect(
      try screenshot("sock", "--size", "20x5") == [
        "Stargazer, left",
        "Sogginess ━━●── 55 ▐",
        "",
        "Pattern   stars",
        "Esc back  q quit",
      ])
  }

  @Test func `while a change of the open sock is saved, nothing lies on the word for it`() throws {
    let lines = try screenshot(
      "sock", "--size", "80x24", "--keys", "@0.5 right right", "--at", "1.5")
    #expect(lines[1].hasSuffix("⠴ saving"), "\(lines[1])")
  }

  @Test func `a long name leaves room for the key that makes a pair`() throws {
    let lines = try screenshot("socks", "--size", "120x35", "--keys", "@3 k k p", "--at", "3.1")
    #expect(lines[1].contains("” with another sock: p on that one"), "\(lines[1])")
    let narrow = try screenshot("socks", "--size", "20x5", "--keys", "@3 p", "--at", "3.1")
    #expect(narrow[0] == "◆ Pai… p on that one")
  }

  @Test(arguments: [("@3 /", "Esc all socks"), ("@3 p", "Esc cancel pairing")])
  func `on the smallest of screens the footer has the key that ends a filter or a pairing`(
    keys: String, footer: String
  ) throws {
    let lines = try screenshot("socks", "--size", "20x5", "--keys", keys, "--at", "3.5")
    #expect(lines[4] == footer)
  }

  @Test func `while socks are marked, the footer says that the key of a pair is for this one`()
    throws
  {
    let footer = try screenshot("socks", "--size", "200x35", "--keys", "@3 t", "--at", "3.1")[34]
    #expect(footer.contains("p pair this one"), "\(footer)")
  }

  @Test func `a picture that does not come says so in its own region, and nothing else does`()
    throws
  {
    let lines = try screenshot(
      "sock", "--size", "80x24", "--keys", "@0.5 esc G k k k k k k k k k enter", "--at", "2")
    #expect(!lines.contains { $0.contains("✗") })
    let broken = try screenshot(
      "socks", "--size", "80x24", "--keys", "@2.6 j j j j j j j j enter", "--at", "4")
    #expect(broken[1] == " Moth's")
    #expect(broken.contains { $0.contains("✗ The picture is not there.") })
    #expect(broken.contains { $0.contains("r to retry") })
    #expect(broken[3].hasSuffix("Sogginess ●─────────────────── 1"))
  }

  @Test func `a form keeps what was typed and says what is wrong with it`() throws {
    #expect(
      try screenshot("sock-editing", "--size", "80x24")[8...15].map { String($0.prefix(69)) } == [
        "Grey wool, ╭─ The name is empty. ───────────────────────────────────╮",
        "Half a sock│ Name     its name                                      │",
        "Hiking sock│ ✗ Give it a name.                                      │",
        "Hound      │ Pattern  houndstooth                                   │",
        "Moth's     │ Colour   black                                         │",
        "Office, lef│ Picture  bundled:houndstooth-black                     │",
        "Office, of │ Notes    Alt-Enter for a new line                      │",
        "Office, one╰────────────────────────────────────────────────────────╯",
      ])
  }

  @Test func `a selected sock keeps the colour of its swatch`() throws {
    let scene = try #require(Scene.named("socks"))
    let still = Still(
      scene, size: Size(width: 80, height: 24),
      environment: EnvironmentValues(DisplaySettings(theme: .dark)))
    defer { still.end() }
    still.run(to: .seconds(2))
    let cells = still.frame.cells
    let row = try #require(cells.text.split(separator: "\n").firstIndex { $0.hasPrefix("Gingerb") })
    #expect(cells[0, row].style.background == Theme.dark.selection)
    #expect(cells[45, row].glyph.text == "▆")
    #expect(cells[45, row].style.foreground == SockSwatch.color(named: "brown"))
  }

  @Test func `a change that fails is on the screen at once, and is taken back alone`() throws {
    #expect(
      try screenshot("sock-rollback", "--size", "80x24", "--at", "1.5")[11]
        == "Hound                                        ▆▆ ▰▰▰▰▰▰▰▱▱▱  70   ⠴ saving      ▐")
    #expect(
      try screenshot("sock-rollback", "--size", "80x24")[11...23] == [
        "Hound                                        ▆▆ ▰▰▰▰▰▱▱▱▱▱  52   ✗ not saved",
        "Moth's                                       ▆▆ ▰▱▱▱▱▱▱▱▱▱  10   ⠋ saving",
        "Office, left                                 ▆▆ ▰▱▱▱▱▱▱▱▱▱   9 ⇄",
        "Office, of another office                    ▆▆ ▰▰▱▱▱▱▱▱▱▱  15",
        "Office, one too many                         ▆▆ ▰▱▱▱▱▱▱▱▱▱   7",
        "Office, right                                ▆▆ ▰▱▱▱▱▱▱▱▱▱   8 ⇄",
        "Picnic                                       ▆▆ ▰▰▰▰▰▰▰▱▱▱  70",
        "Plum                                         ▆▆ ▰▰▱▱▱▱▱▱▱▱  19",
        "Polka, left                                  ▆▆ ▰▱▱▱▱▱▱▱▱▱  12 ⇄",
        "▌✗ The sogginess of “Hound” was not saved. There is no space left to save",
        "▌socks. Free some space; nothing that was saved is lost.",
        "▌                                           Ctrl-R to retry   Ctrl-X to dismiss",
        "Enter open  + soggier  - drier  u undo  x remove  e edit  a add  ? keys  q quit",
      ])
    // Retried from the message, the change is saved.
    let retried = try screenshot(
      "sock-rollback", "--size", "80x24", "--keys", "@4 ctrl-r", "--at", "5")
    #expect(
      retried[11]
        == "Hound                                        ▆▆ ▰▰▰▰▰▰▰▱▱▱  70   ✓ saved       ▐")
    #expect(!retried.contains { $0.contains("✗") })
    // A dismissed failure is not shown in the detail view either.
    let detail = try screenshot(
      "sock-rollback", "--size", "80x24", "--keys", "@4 ctrl-x k enter", "--at", "5")
    #expect(!detail.contains { $0.contains("✗") })
  }

  @Test func `a removal is undone within its time, and else has a spinner of its own`() throws {
    #expect(
      try screenshot("sock-removing", "--size", "80x24")[11...13] == [
        "Hound                                        ▆▆ ▰▰▰▰▰▱▱▱▱▱  52   ⠹ removing    ▐",
        "Moth's                                       ▆▆ ▰▱▱▱▱▱▱▱▱▱   1                 ▐",
        "Office, left                                 ▆▆ ▰▱▱▱▱▱▱▱▱▱   9 ⇄ removed in 2 s▐",
      ])
    let undone = try screenshot("sock-removing", "--size", "80x24", "--keys", "@6 u", "--at", "7")
    #expect(
      undone[13]
        == "Office, left                                 ▆▆ ▰▱▱▱▱▱▱▱▱▱   9 ⇄               ▐")
    let gone = try screenshot("sock-removing", "--size", "80x24", "--at", "15")
    #expect(gone[1] == "32 socks by name")
    #expect(gone[11...12].map { String($0.prefix(10)) } == ["Moth's    ", "Office, of"])
  }

  @Test func `a colour is known by a word of its name`() {
    #expect(SockSwatch.color(named: "faded Blue") == SockSwatch.color(named: "blue"))
    #expect(SockSwatch.color(named: "blue") != SockSwatch.color(named: "red"))
    #expect(SockSwatch.color(named: "colour of rain") == nil)
  }
}
