import Foundation
import PseudoTerminal
import Testing

/// Tests of the configuration file while the user edits it.
struct ConfigurationTests {
  private let home: Home
  private let path: String

  init() throws {
    home = try Home()
    let folder = home.path + "/.config/argyle"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    path = folder + "/config.toml"
  }

  private func edit(_ text: String) throws { try Data(text.utf8).write(to: URL(filePath: path)) }

  /// Saves like an editor that replaces the file in one step.
  private func editByRenaming(_ text: String) throws {
    try Data(text.utf8).write(to: URL(filePath: path + ".new"))
    #expect(rename(path + ".new", path) == 0)
  }

  @Test func `keys and theme of the file hold, and those of an edit while the program runs`()
    throws
  {
    try edit("[keys]\nquit = [\"Z\"]\n")
    let terminal = try home.openReader(rows: 32)
    try terminal.waitUntil("the first file holds, and a row is selected") {
      $0.footer.hasSuffix("? keys  Z quit") && $0.selectedBackground != nil
    }
    let before = terminal.screen.selectedBackground
    try edit("[display]\ntheme = \"high-contrast\"\n[keys]\nquit = [\"W\"]\nshow-keys = [\"H\"]\n")
    try terminal.waitUntil("the edit holds") {
      $0.footer.hasSuffix("H keys  W quit") && $0.selectedBackground != before
    }
    // The old key for quitting has no effect any more; otherwise it would have been handled first.
    try terminal.send("qZH", until: "the keys are listed as they are") {
      $0.allLines.contains { $0.contains(" H  ") && $0.contains("  keys ") }
    }
    terminal.send("\u{1B}")
    try editByRenaming("[keys]\nquit = [\"E\"]\n")
    try terminal.waitUntil("a file that took the place of the other holds") {
      $0.footer.hasSuffix("? keys  E quit") && $0.selectedBackground == before
    }
    try FileManager.default.removeItem(atPath: path)
    try terminal.waitUntil("the defaults hold when it is removed") {
      $0.footer.hasSuffix("? keys  q quit")
    }
    #expect(try terminal.leave() == .exited(0))
  }

  @Test
  func `an edit that cannot be taken says why, changes nothing, and is forgotten when mended`()
    throws
  {
    try edit("[keys]\nquit = [\"Z\"]\n")
    let terminal = try home.openReader(columns: 120)
    try terminal.waitUntil("the file holds") { $0.footer.hasSuffix("Z quit") }
    // Replaced in one step, so that the program never reads a half-written file.
    try editByRenaming("[keys]\nquit = [\"Z\"]\n\n[display]\ntheme = \"pink\"\n")
    try terminal.waitUntil("the line and the key are told") {
      $0.text.contains("config.toml:5: display.theme: this is “pink”")
    }
    #expect(terminal.screen.footer.hasSuffix("Z quit"))
    try edit("[keys]\nquit = [\"W\"]\n")
    try terminal.waitUntil("it is mended") {
      $0.footer.hasSuffix("W quit") && !$0.text.contains("config.toml")
    }
    #expect(try terminal.leave(by: "W") == .exited(0))
  }

  @Test func `a file whose folder comes later holds from then on, and again when it is made again`()
    throws
  {
    let manager = FileManager.default
    let folder = home.path + "/.config"
    try manager.removeItem(atPath: folder)
    let terminal = try home.openReader()
    try terminal.waitUntil("the defaults hold") { $0.footer.hasSuffix("q quit") }
    for key in ["Z", "W"] {
      try manager.createDirectory(atPath: folder + "/argyle", withIntermediateDirectories: true)
      try edit("[keys]\nquit = [\"\(key)\"]\n")
      try terminal.waitUntil("the file holds") { $0.footer.hasSuffix("\(key) quit") }
      try manager.removeItem(atPath: folder)
      try terminal.waitUntil("the defaults hold again") { $0.footer.hasSuffix("q quit") }
    }
    #expect(try terminal.leave() == .exited(0))
  }

  @Test func `a search is saved from where it is typed, renamed and removed in the feeds`() throws {
    try edit("# mine\n[keys]\nquit = [\"Z\"]\n")
    let terminal = try home.openReader(columns: 100)
    try terminal.waitUntil("the file holds") { $0.footer.hasSuffix("Z quit") }
    try terminal.send("/feeds", until: "it can be saved") {
      $0.footer.contains("F2 save this search")
    }
    try terminal.send(
      "\u{1B}OQ", until: "it is among the feeds",
      saying: "Saved. It is in the list of feeds: / feeds"
    ) { $0.feedRow("/ feeds") != nil }
    #expect(
      try String(contentsOfFile: path, encoding: .utf8)
        == "# mine\n[keys]\nquit = [\"Z\"]\n\n[[search]]\nname = \"feeds\"\ntext = \"feeds\"\n")
    // The notice goes after four seconds: where nobody looks for as long, the key is pressed again.
    try terminal.waitUntil("it is refused the second time", pressing: "\u{1B}OQ") {
      $0.text.contains("You already have this search, as “feeds”.")
    }
    try terminal.send("\u{1B}", until: "the search is closed") { !$0.text.contains("Search") }
    try terminal.send("\u{1B}[Z" + "jjjj", until: "it is selected") {
      $0.footer.contains("x remove this search")
    }
    try terminal.send(
      "e\u{15}My feeds\r", until: "it has another name, and is selected still",
      saying: "Renamed: / My feeds"
    ) {
      $0.feedRow("/ feeds") == nil && $0.feedRow("/ My feeds") != nil
        && $0.footer.contains("x remove this search")
    }
    #expect(
      try String(contentsOfFile: path, encoding: .utf8)
        == "# mine\n[keys]\nquit = [\"Z\"]\n\n[[search]]\nname = \"My feeds\"\ntext = \"feeds\"\n")
    try terminal.send("x", until: "it is gone", saying: "Removed: / My feeds") {
      $0.feedRow("/ My feeds") == nil
    }
    #expect(
      try String(contentsOfFile: path, encoding: .utf8) == "# mine\n[keys]\nquit = [\"Z\"]\n")
    try terminal.send(
      "u", until: "it is back, and selected", saying: "Undone: the search “My feeds” is back."
    ) {
      $0.feedRow("/ My feeds") != nil && $0.footer.contains("x remove this search")
    }
    #expect(
      try String(contentsOfFile: path, encoding: .utf8)
        == "# mine\n[keys]\nquit = [\"Z\"]\n\n[[search]]\nname = \"My feeds\"\ntext = \"feeds\"\n")
    #expect(try terminal.leave(by: "Z") == .exited(0))
  }

  @Test func `a link to a file elsewhere is followed`() throws {
    let elsewhere = try home.write("[keys]\nquit = [\"Z\"]\n", to: "dotfile")
    try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: elsewhere)
    let terminal = try home.openReader()
    try terminal.waitUntil("the file holds") { $0.footer.hasSuffix("Z quit") }
    try home.write("[keys]\nquit = [\"W\"]\n", to: "dotfile")
    try terminal.waitUntil("the edit holds") { $0.footer.hasSuffix("W quit") }
  }

  @Test func `a file that cannot be used ends the program with its reasons and status 78`() throws {
    try edit("[display]\ntheme = \"pink\"\n[keys]\nqiut = [\"x\"]\n")
    let reasons = """
      argyle: \(path):2: display.theme: this is “pink”; the choices are auto, terminal, dark, light, \
      high-contrast, mono.
      \(path):4: keys.qiut: unknown action; did you mean quit?

      """
    for arguments in [["open"], ["reload"], ["config", "--check"]] {
      let (terminal, _) = try home.start(arguments)
      #expect(try terminal.waitForExit() == .exited(78))
      let errors = String(decoding: terminal.output, as: UTF8.self).replacing("\r\n", with: "\n")
      #expect(errors == reasons)
    }
    let missing = try home.run("reload", "--config", home.path + "/none.toml")
    #expect(missing.ending == .exited(78))
    #expect(missing.errors.contains("none.toml: the file cannot be read: No such file"))
  }

  @Test func `a file cannot bring the terminal out of order`() throws {
    try edit("[display]\ntheme = \"\u{1B}[31mred\u{202E}\"\n\"\u{1B}c\" = 1\n")
    let outcome = try home.run("config", "--check")
    #expect(outcome.ending == .exited(78))
    #expect(!outcome.errors.unicodeScalars.contains { $0 == "\u{1B}" || $0 == "\u{202E}" })
  }

  @Test func `the default file is printed, and taken as it is`() throws {
    let printed = try home.run("config", "--print-default")
    #expect(printed.ending == .exited(0))
    #expect(printed.output.contains("theme = \"auto\"\n"))
    try edit(printed.output)
    #expect(try home.run("config", "--check").ending == .exited(0))
    #expect(try home.run("config").output == printed.output)
    #expect(try home.run("config", "--path").output == path + "\n")
  }

  @Test func `a theme that is asked for goes before the file, which goes before the default`()
    throws
  {
    try edit("[display]\nplain = true\n")
    let plain = try home.openReader()
    try plain.waitUntil("the file says plain: the last line is read out") {
      $0.footer.contains("loaded.")
    }
    let asked = try home.openReader(["--no-plain"])
    try asked.waitUntil("the option says otherwise") { $0.isWhole }
  }
}
