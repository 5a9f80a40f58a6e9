import Foundation
import PseudoTerminal
import Testing

@testable import Argyle

/// Tests of the drawer on a real terminal, with a real file.
struct DrawerTests {
  private let home: Home
  private let first = "Christmas, with snow on it"

  init() throws { home = try Home() }

  // MARK: The states of a row

  @Test func `a change is told as saved, and is there after a new start`() throws {
    let terminal = try home.openDrawer()
    #expect(terminal.screen.selectedText.hasPrefix(first))
    try terminal.send("+", until: "it is saved") { $0.selectedText.contains("  5   ✓ saved") }
    #expect(try DrawerFile(in: home).sogginess(of: first) == 5)
    try terminal.waitUntil("that is told for a moment") { !$0.text.contains("✓") }
    #expect(try terminal.leave() == .exited(0))
    let next = try home.openDrawer()
    #expect(next.screen.listedSogginess[first] == 5)
    #expect(try next.leave() == .exited(0))
  }

  @Test func `a change that takes its time is told as being saved`() throws {
    let terminal = try home.openDrawer()
    let file = try DrawerFile(in: home)
    try file.lock()
    try terminal.send("+", until: "it is being saved") {
      $0.selectedText.contains("  5 ") && $0.selectedText.hasSuffix("saving") && $0.showsSpinner
    }
    #expect(try file.sogginess(of: first) == 3)
    try file.unlock()
    // "Saved" is shown for a moment only, which a slow machine may miss.
    try terminal.waitUntil("it is saved") { !$0.selectedText.hasSuffix("saving") }
    #expect(try file.sogginess(of: first) == 5)
  }

  @Test func `a change that fails is taken back, alone, and can be tried again`() throws {
    let terminal = try home.openDrawer()
    let file = try DrawerFile(in: home)
    try file.refuseChanges(of: first)
    try terminal.send("+", until: "it is taken back") {
      $0.listedSogginess[first] == 3 && $0.row(of: first)?.hasSuffix("✗ not saved") == true
        && $0.text.contains("✗ The sogginess of “\(first)”")
    }
    try terminal.send("j-", until: "another change is kept") {
      try $0.listedSogginess["Fisherman's cable"] == 95
        && file.sogginess(of: "Fisherman's cable") == 95
    }
    #expect(terminal.screen.row(of: first)?.hasSuffix("✗ not saved") == true)
    try file.allowChanges()
    try terminal.send("kR", until: "it is kept after all, and nobody complains") {
      try file.sogginess(of: first) == 5 && !$0.text.contains("✗")
        && !$0.selectedText.hasSuffix("saving")
    }
  }

  @Test func `a change for which the file may not grow is taken back, and told as that`() throws {
    #expect(try home.openDrawer().leave() == .exited(0))
    let terminal = try home.limited(toFilesOf: 64 << 10, [])
    try terminal.waitUntil("the articles are there") { $0.isWhole }
    try terminal.send("2", until: "the drawer is open") { $0.isDrawer }
    for _ in 0..<30 where !terminal.screen.text.contains("✗") {
      try terminal.send("+", until: "it is saved, or not") {
        // 100 is the maximum, which cannot be increased any more.
        $0.selectedText.hasSuffix("✓ saved") || $0.selectedText.hasSuffix(" 100")
          || $0.text.contains("✗")
      }
      let saved = terminal.screen.selectedText
      try terminal.send("j", until: "the next one is selected") { $0.selectedText != saved }
    }
    try terminal.waitUntil("it is said why") {
      // Where the lines break depends on the sock's name; each begins with the edge of its box.
      $0.text.split { $0.isWhitespace || $0 == "▌" }.joined(separator: " ")
        .contains("The file of socks is as large as the system allows.")
    }
    // The message on the screen is repeated in the shell.
    #expect(try terminal.leave() == .exited(75))
    #expect(
      String(decoding: terminal.output, as: UTF8.self).contains(
        "” was not saved. The file of socks is as large as the system allows.\r\n"))
  }

  @Test func `a failed change is dismissed where it is told`() throws {
    let terminal = try home.openDrawer()
    try DrawerFile(in: home).refuseChanges(of: first)
    try terminal.send("+", until: "it is told") { $0.text.contains("Ctrl-X to dismiss") }
    try terminal.send("\u{18}", until: "it is forgotten") { $0.isDrawer && !$0.text.contains("✗") }
    #expect(terminal.screen.listedSogginess[first] == 3)
  }

  @Test func `a sock that is removed can be had back until its time is over`() throws {
    let terminal = try home.openDrawer()
    let file = try DrawerFile(in: home)
    let count = try file.number("SELECT COUNT(*) FROM sock")
    try terminal.send("x", until: "its time runs") {
      $0.selectedText.unstruck.hasPrefix(first) && $0.selectedText.contains("removed in ")
        && $0.footer.contains("u undo")
    }
    #expect(try file.number("SELECT COUNT(*) FROM sock") == count)
    try terminal.send("u", until: "it is back") {
      $0.isDrawer && !$0.text.contains("removed in") && !$0.footer.contains("u undo")
    }
    try terminal.send("x", until: "its time runs again") { $0.selectedText.contains("removed in ") }
    try file.lock()
    try terminal.waitUntil("it is on its way") {
      $0.selectedText.hasSuffix("removing") && $0.showsSpinner && !$0.footer.contains("u undo")
    }
    try file.unlock()
    try terminal.waitUntil("it is gone, and its neighbour is selected") {
      $0.row(of: first) == nil && $0.selectedText.hasPrefix("Fisherman's cable")
        && $0.text.contains("33 socks")
    }
    #expect(try file.number("SELECT COUNT(*) FROM sock") == (count ?? 0) - 1)
  }

  // MARK: Quitting

  @Test(arguments: ["q", "SIGTERM"])
  func `leaving ends the time for undoing, and keeps what is under way`(way: String) throws {
    let terminal = try home.openDrawer()
    let file = try DrawerFile(in: home)
    try terminal.send("xj-", until: "both are under way") {
      $0.text.contains("removed in ") && $0.listedSogginess["Fisherman's cable"] == 95
    }
    if way == "q" {
      #expect(try terminal.leave() == .exited(0))
    } else {
      terminal.signal(SIGTERM)
      #expect(try terminal.waitForExit() == .signalled(SIGTERM))
    }
    #expect(try file.sogginess(of: first) == nil)
    #expect(try file.sogginess(of: "Fisherman's cable") == 95)
  }

  @Test func `leaving waits for what is being saved, and says so`() throws {
    let terminal = try home.openDrawer()
    let file = try DrawerFile(in: home)
    try file.lock()
    try terminal.send("+", until: "it is being saved") { $0.selectedText.hasSuffix("saving") }
    try terminal.send("q", until: "the program says what it waits for") {
      $0.footer.hasSuffix("saving") && $0.footer.count < 12
    }
    try file.unlock()
    #expect(try terminal.waitForExit() == .exited(0))
    #expect(try file.sogginess(of: first) == 5)
  }

  // MARK: Other programs

  @Test func `what another program changes appears by itself`() throws {
    let terminal = try home.openDrawer()
    let file = try DrawerFile(in: home)
    try file.execute("UPDATE sock SET sogginess = 77 WHERE name = ?", [first])
    try terminal.waitUntil("the list has it") { $0.listedSogginess[first] == 77 }
    try terminal.send("\r", until: "the sock is open") {
      $0.text.contains("Sogginess") && $0.text.contains("77")
    }
    try file.execute("UPDATE sock SET sogginess = 12, notes = 'Wet again' WHERE name = ?", [first])
    try terminal.waitUntil("the detail has it") {
      $0.text.contains(" 12") && $0.text.contains("Wet again")
    }
    try file.execute("DELETE FROM sock WHERE name = ?", [first])
    try terminal.waitUntil("what is gone is closed, and the list goes on") {
      $0.isDrawer && $0.text.contains("33 socks") && $0.row(of: first) == nil
    }
  }

  @Test func `two programs and a script change one drawer, and no change is lost`() throws {
    let terminals = try [home.openDrawer(rows: 50), home.openDrawer(rows: 50)]
    let file = try DrawerFile(in: home)
    let (one, two, three) = (first, "Gingerbread", "Golf, of an uncle")
    try terminals[1].select(two)
    // All at once, without waiting for each other.
    for round in 0..<20 {
      terminals[0].send("+")
      terminals[1].send(round % 2 == 0 ? "++" : "-")
      try file.execute(
        "UPDATE sock SET notes = notes || ?, sogginess = ? WHERE name = ?",
        ["\(round),", round, three])
      try file.execute(
        "UPDATE sock SET notes = notes || ? WHERE name IN (?, ?)", ["\(round),", one, two])
    }
    // The first goes from 3 twenty steps up, the second from 5 twenty steps up and ten down.
    let expected = [one: 100, two: 55, three: 19]
    for terminal in terminals {
      try terminal.waitUntil("its screen is what everybody did") { screen in
        expected.allSatisfy { screen.listedSogginess[$0.key] == $0.value }
      }
    }
    let screens = terminals.map(\.screen)
    // The screen may be ahead of the file by changes that are being saved, and quitting waits for
    // those.
    for terminal in terminals { #expect(try terminal.leave() == .exited(0)) }
    let all = try file.allSogginess()
    for screen in screens {
      let listed = screen.listedSogginess
      #expect(listed.count == 34 && listed.allSatisfy { all[$0.key] == $0.value })
      #expect(!screen.text.contains("✗"))
    }
    let notes = (0..<20).map { "\($0)," }.joined()
    for name in [one, two, three] {
      #expect(
        try file.number(
          "SELECT COUNT(*) FROM sock WHERE name = ? AND notes LIKE ?", [name, "%\(notes)"]) == 1)
    }
  }

  @Test func `a key that is held down makes few changes of the file, and the last one is kept`()
    throws
  {
    let terminal = try home.openDrawer()
    let file = try DrawerFile(in: home)
    try file.countChanges()
    // Up and down, so that each of them is a change; with the file locked, so that they arrive
    // faster than they are saved.
    let keys =
      (0..<40).map { $0 / 10 % 2 == 0 ? "+" : "-" }
      + Array(repeating: "+", count: 15)
    let expected = keys.reduce(3) { Sogginess.stepped($0, by: $1 == "+" ? 1 : -1) }
    try file.lock()
    try terminal.send(keys.joined(), until: "all of them are on the screen") {
      $0.listedSogginess[first] == expected && $0.selectedText.hasSuffix("saving")
    }
    try file.unlock()
    try terminal.waitUntil("the last one is saved") { !$0.selectedText.hasSuffix("saving") }
    #expect(try file.sogginess(of: first) == expected)
    // The first change, and all others as one.
    #expect(try file.changeCount() == 2)
  }

  // MARK: Screens

  @Test(arguments: [(80, 24), (200, 50), (20, 5)])
  func `a sock is opened, changed and left at every size`(columns: Int, rows: Int) throws {
    let terminal = try home.openReader(columns: columns, rows: rows)
    try terminal.waitUntil("the articles are there") { $0.isWhole }
    try terminal.send("2", until: "the drawer is open") {
      $0.isWhole && $0.text.contains(first.prefix(5)) && !$0.showsPlaceholder
    }
    terminal.send("\r")
    // On a wide screen, the sock is always shown beside the list.
    let isWide = columns >= 120
    try terminal.waitUntil("the sock is open") {
      $0.isWhole && $0.text.contains("Sogginess") && (!isWide || $0.footer.contains("Esc list"))
    }
    try terminal.send("+", until: "it is changed") {
      let lines = isWide ? $0.allLines.filter { $0.contains(first.prefix(5)) } : $0.allLines
      return lines.contains { ($0 + " ").contains(" 5 ") }
    }
    // Esc would first cancel a visible load.
    try terminal.send("h", until: "the list is back, with the change") {
      $0.isWhole
        && (isWide ? $0.footer.hasPrefix("Enter open") : !$0.text.contains("Sogginess"))
        && $0.allLines.contains { $0.contains(first.prefix(5)) && ($0 + " ").contains(" 5 ") }
    }
    #expect(try terminal.leave() == .exited(0))
    #expect(terminal.screen.unknown == [])
    #expect(try DrawerFile(in: home).sogginess(of: first) == 5)
  }

  @Test func `a click selects a row, another one opens it, and the wheel scrolls`() throws {
    let terminal = try home.openDrawer()
    try terminal.send("\u{1B}[<0;5;6M\u{1B}[<0;5;6m", until: "the fourth row is selected") {
      $0.selectedText.hasPrefix("Golf")
    }
    try terminal.send("\u{1B}[<0;5;6M\u{1B}[<0;5;6m", until: "it is open") {
      $0.text.contains("Sogginess")
    }
    // Esc would first cancel a visible load.
    try terminal.send("h", until: "the list is back") { $0.isDrawer }
    try terminal.send("\u{1B}[<65;5;6M", until: "the list has moved") { $0.row(of: first) == nil }
  }

  @Test func `what is typed is looked for, and Esc shows all again`() throws {
    let terminal = try home.openDrawer()
    try terminal.send("/", until: "what is typed is text") { $0.footer.contains("Esc all socks") }
    try terminal.send("wool", until: "one sock is found") {
      $0.text.contains("1 sock ") && $0.row(of: "Grey wool, darned twice") != nil
    }
    try terminal.send("\u{17}nowhere", until: "none is found") {
      $0.text.contains("No socks match “nowhere”.")
    }
    try terminal.send("\u{1B}", until: "all are back") {
      $0.isDrawer && $0.text.contains("34 socks")
    }
  }

  @Test func `a picture that does not come is asked for again, by itself`() throws {
    let terminal = try home.openDrawer()
    let picture = home.dataDirectory + "/late.png"
    try DrawerFile(in: home).execute(
      "UPDATE sock SET picture = ? WHERE name = ?", [picture, first])
    try terminal.send("\r", until: "it says so in its own region") {
      $0.text.contains("✗ The picture is not there.") && $0.text.contains("Sogginess")
        && $0.footer.contains("r retry")
    }
    try Data(try #require(Assets.picture("snow-red"))).write(to: URL(fileURLWithPath: picture))
    try terminal.send("r", until: "it is there") {
      !$0.text.contains("✗") && $0.text.contains("▔") && $0.text.contains("Sogginess")
    }
  }

  @Test func `what comes in one read with the key for it is looked for too`() throws {
    let terminal = try home.openDrawer()
    try terminal.send("/argyle", until: "all of it is in the field") {
      $0.text.contains("/ argyle")
    }
    try terminal.send("\rx", until: "keys are keys again") { $0.footer.contains("u undo") }
    try terminal.send("u\u{1B}", until: "all are back") {
      $0.isDrawer && $0.text.contains("34 socks")
    }
  }

  @Test func `a sock is added, renamed and paired`() throws {
    let terminal = try home.openDrawer()
    let file = try DrawerFile(in: home)
    try terminal.send("a", until: "the form is there") { $0.text.contains("╭─ New sock") }
    try terminal.send("\r", until: "a name is asked for") { $0.text.contains("The name is empty.") }
    try terminal.send("Ancient\r", until: "it is in the list, and selected") {
      $0.text.contains("35 socks") && $0.selectedText.hasPrefix("Ancient")
    }
    try terminal.send("e\u{15}Antique\r", until: "it has another name") {
      $0.selectedText.hasPrefix("Antique")
    }
    try terminal.send("p", until: "it waits for another one") { $0.text.contains("◆ Antique") }
    try terminal.send("jp", until: "they are a pair") {
      $0.row(of: "Antique")?.contains("⇄") == true && $0.row(of: first)?.contains("⇄") == true
    }
    #expect(try terminal.leave() == .exited(0))
    #expect(
      try file.number(
        "SELECT COUNT(*) FROM sock a JOIN sock b ON a.pair = b.id AND b.pair = a.id "
          + "WHERE a.name = 'Antique' AND b.name = ?", [first]) == 1)
  }

  @Test func `a file that is no drawer is said to be none, and the articles go on`() throws {
    try FileManager.default.createDirectory(
      atPath: home.dataDirectory, withIntermediateDirectories: true)
    let path = home.dataDirectory + "/socks.sqlite"
    let bytes = Data("This is a shopping list, and not a drawer of socks at all.".utf8)
    try bytes.write(to: URL(fileURLWithPath: path))
    let terminal = try home.openReader()
    try terminal.waitUntil("the articles are there") { $0.isWhole }
    try terminal.send("2", until: "the drawer says why it does not open") {
      $0.text.contains("✗ The file of socks was not written by this program.")
        && $0.text.contains("r to retry")
    }
    #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == bytes)
    try FileManager.default.removeItem(atPath: path)
    try terminal.send("r", until: "a new drawer is there") {
      $0.isDrawer && $0.text.contains("34 socks")
    }
  }
}
