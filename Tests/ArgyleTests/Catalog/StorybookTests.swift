import Loading
import TerminalUI
import TerminalUITesting
import Testing

@testable import Argyle

/// Tests of the catalog by keys alone: every page, option and state, on screens of several sizes.
@MainActor
@Suite struct StorybookTests {
  private static let scene = Scene.named("catalog")

  private func still(_ size: Size, isPlain: Bool = false) throws -> Still {
    let display = DisplaySettings(isPlain: isPlain)
    return Still(
      try #require(Self.scene), size: size, environment: EnvironmentValues(display))
  }

  private func lines(_ keys: String, size: String = "100x30", at time: String) throws -> [String] {
    try ScreenshotCommand.parse(["catalog", "--size", size, "--keys", keys, "--at", time])
      .picture().split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
  }

  @Test(arguments: [Size(width: 80, height: 24), Size(width: 200, height: 50)])
  func `each page has its options, states, events and Swift, and every key of them works`(
    size: Size
  ) throws {
    let still = try still(size)
    defer { still.end() }
    var time = 1
    for page in CatalogPage.all {
      let text = still.frame.cells.text
      #expect(text.contains("─ \(page.name) ─"), "\(page.name)")
      for title in ["Options", "States", "Events"] { #expect(text.contains("─ \(title) ─")) }
      // On every page, the options have the focus.
      still.play(try KeyScript("g"))
      for _ in 0..<30 { still.play(try KeyScript("right down")) }
      still.play(try KeyScript("tab g"))
      for _ in 0..<10 {
        still.play(try KeyScript("enter"))
        time += 1
        still.run(to: .seconds(time))
        still.play(try KeyScript("down"))
      }
      still.play(try KeyScript("backtab w"))
      #expect(still.frame.cells.text.contains("import Loading"), "\(page.name)")
      still.play(try KeyScript("w n"))
    }
    #expect(still.frame.cells.text.contains("─ \(CatalogPage.all[0].name) ─"))
  }

  @Test(arguments: [Size(width: 60, height: 15), Size(width: 80, height: 24)])
  func `pages are turned from the view of each page, in both directions`(size: Size) throws {
    let still = try still(size)
    defer { still.end() }
    // From the options to the live view; on a small screen it is all there is.
    if size.width == 80 { still.play(try KeyScript("tab tab")) }
    let pages = CatalogPage.all
    for (key, pages) in [("n", pages), ("p", [pages[0]] + pages.reversed())] {
      for page in pages {
        #expect(still.lines[1].contains(page.name), "\(key): \(still.lines[1])")
        still.play(try KeyScript(key))
      }
    }
  }

  @Test func `cells that are all loaded again are shown with their events`() throws {
    let still = try still(Size(width: 80, height: 24))
    defer { still.end() }
    still.play(try KeyScript("p p p p p"))
    still.run(to: .seconds(4))
    #expect(still.frame.cells.text.contains("cell 1 #1: finished"))
    still.play(try KeyScript("tab enter"))
    still.run(to: .seconds(5))
    #expect(still.frame.cells.text.contains("› Load all again"))
    #expect(still.frame.cells.text.contains("cell 1 #1: started"))
  }

  @Test func `what is searched is typed after the key for it`() throws {
    let still = try still(Size(width: 60, height: 15))
    defer { still.end() }
    still.play(try KeyScript("p p / s o c k n"))
    #expect(still.frame.cells.text.contains("Search sockn"))
  }

  @Test func `an option shows what was chosen in the sheet of faults`() throws {
    func shown(_ keys: String) throws -> Bool {
      try lines(keys, at: "1").contains { $0.contains("Loads that fail") && $0.contains("‹ all ›") }
    }
    let faults = "f9 down right right right esc"
    #expect(try shown("n \(faults)"))
    // A page that was open before, and one that was not.
    #expect(try shown("n p \(faults) n"))
    #expect(try shown("\(faults) n"))
    #expect(try !shown("n"))
  }

  @Test(arguments: ["? ?", "f1 f1", "f9 f9", "f12 f12"])
  func `the key that opens a sheet closes it`(keys: String) throws {
    #expect(try lines(keys, at: "1") == lines("@0", at: "1"))
    #expect(try lines(String(keys.split(separator: " ")[0]), at: "1") != lines("@0", at: "1"))
  }

  @Test func `at 80 columns a page says all of what it is about, and the footer how to get on`()
    throws
  {
    let still = try still(Size(width: 80, height: 24))
    defer { still.end() }
    for page in CatalogPage.all {
      let lines = still.frame.cells.text.split(separator: "\n")
      #expect(lines[1].contains(page.summary), "\(lines[1])")
      for key in ["Enter", "w Swift", "n next page", "Tab next pane", "? keys"] {
        #expect(lines.last?.contains(key) == true, "\(page.name): \(key)")
      }
      still.play(try KeyScript("n"))
    }
    still.play(try KeyScript("w"))
    #expect(still.frame.cells.text.contains("y copy the Swift"))
  }

  @Test func `on the smallest screen every option can be chosen and every state forced by keys`()
    throws
  {
    let (still, model) = try opened(20, 5)
    defer { still.end() }
    var time = 1
    // The last two pages have views that handle Tab or letters themselves.
    for page in CatalogPage.all.dropLast(2) {
      #expect(model.page.name == page.name)
      still.play(try KeyScript("tab tab g"))
      #expect(still.frame.cells.text.contains("Options"), "\(page.name)")
      // Each option is changed back, so that the states are those of the page as it opens.
      for option in model.options {
        let before = option.value()
        still.play(try KeyScript("right"))
        #expect(option.value() != before, "\(page.name): \(option.id)")
        still.play(try KeyScript("left"))
        #expect(option.value() == before, "\(page.name): \(option.id)")
        still.play(try KeyScript("down"))
      }
      still.play(try KeyScript("tab g"))
      for (index, action) in model.content.actions.enumerated() {
        still.play(try KeyScript("enter"))
        let asked = model.timeline.filter(\.isForced).map(\.line)
        #expect(asked.count == index + 1, "\(page.name)")
        #expect(asked.last == "› \(action.name)", "\(page.name)")
        time += 1
        still.run(to: .seconds(time))
        still.play(try KeyScript("down"))
      }
      #expect(still.frame.cells.text.contains("States"), "\(page.name)\n\(still.frame.cells.text)")
      // Back to the live view, and to the next page.
      still.play(try KeyScript("tab tab tab n"))
    }
  }

  @Test func `after a reset a page says how to load again, wherever the focus is`() throws {
    let (still, model) = try opened(80, 24)
    defer { still.end() }
    var time = 1
    for page in CatalogPage.all {
      if let reset = model.actions.first(where: { $0.name == "Reset" }) {
        still.run(to: .seconds(time))
        model.force(reset)
        still.run(to: .seconds(time + 1))
        #expect(still.frame.cells.text.contains("r to load"), "\(page.name)")
        still.play(try KeyScript("r"))
        still.run(to: .seconds(time + 2))
        #expect(!still.frame.cells.text.contains("r to load"), "\(page.name)")
        time += 3
      }
      still.play(try KeyScript("n"))
    }
  }

  /// Opens the catalog, of which it returns the model, too.
  private func opened(_ width: Int, _ height: Int) throws -> (still: Still, model: CatalogModel) {
    let open = Opened()
    let scene = Scene("opened", "The catalog, and its model.", at: .zero) { open.view($0) }
    return (Still(scene, width, height), try #require(open.model))
  }

  /// Keeps the model of the catalog that a scene opened.
  @MainActor private final class Opened {
    private(set) var model: CatalogModel?

    func view(_ runtime: SceneRuntime) -> some View {
      let scene = ProgramScene(runtime, part: .catalog)
      model = scene.model.catalog
      return scene
    }
  }

  @Test(arguments: ["Mutations", "Cache & refresh", "Paging", "Streams"])
  func `what is loaded is loaded again by the key for it`(name: String) throws {
    let (still, model) = try opened(100, 30)
    defer { still.end() }
    let index = try #require(CatalogPage.all.firstIndex { $0.name == name })
    for _ in 0..<index { still.play(try KeyScript("n")) }
    still.run(to: .seconds(5))
    func loads() -> Int { model.timeline.count { $0.line.contains("started because") } }
    let before = loads()
    still.play(try KeyScript("r"))
    #expect(loads() == before + 1)
  }

  @Test func `a page of a list that failed names r, which retries it from any pane`() throws {
    let (still, _) = try opened(100, 30)
    defer { still.end() }
    let index = try #require(CatalogPage.all.firstIndex { $0.name == "Paging" })
    for _ in 0..<index { still.play(try KeyScript("n")) }
    still.play(try KeyScript("tab tab"))
    for time in [5, 7, 9] {
      still.run(to: .seconds(time))
      still.play(try KeyScript("G"))
    }
    still.run(to: .seconds(11))
    let line = try #require(still.lines.first { $0.contains("✗ The next letters") })
    #expect(line.contains("could not be loaded.") && line.contains("r to retry"))
    still.play(try KeyScript("tab r"))
    still.run(to: .seconds(13))
    #expect(still.lines.contains { $0.contains("30 letters, and more") })
  }

  @Test func `a part that is asked for has its tab once`() {
    let runtime = SceneRuntime(clock: .continuous, scheduler: .concurrent)
    let parts = ProgramModel.Part.allCases
    for part in parts { #expect(ProgramScene(runtime, part: part).model.tabs == parts) }
  }

  @Test func `at 20 columns an option has room for its name, and an event for all its words`()
    throws
  {
    let still = try still(Size(width: 20, height: 8))
    defer { still.end() }
    still.play(try KeyScript("n n n n n n tab tab down"))
    #expect(still.frame.cells.text.contains("│ Sho…  confirmed"), "\(still.frame.cells.text)")
    still.play(try KeyScript("tab tab"))
    #expect(still.frame.cells.text.contains("│ was set "), "\(still.frame.cells.text)")
  }

  @Test func `what a page is about stands on large screens, too`() throws {
    let still = try still(Size(width: 200, height: 50))
    defer { still.end() }
    #expect(still.frame.cells.text.contains(CatalogPage.all[0].summary))
  }

  @Test(arguments: [false, true])
  func `on the smallest screen Tab goes to each pane of a page`(isPlain: Bool) throws {
    let still = try still(Size(width: 20, height: 5), isPlain: isPlain)
    defer { still.end() }
    for page in CatalogPage.all {
      var screens: Set<String> = []
      for _ in 0..<6 {
        screens.insert(still.frame.cells.text)
        still.play(try KeyScript("tab"))
      }
      #expect(screens.count >= 5, "\(page.name): \(screens.joined(separator: "\n\n"))")
      #expect(screens.contains { $0.contains(page.name.prefix(8)) }, "\(page.name)")
      // The field of a search takes letters, so the page is turned from the pane after the view.
      still.play(try KeyScript("tab n tab tab tab tab tab"))
    }
  }

  @Test(arguments: [
    ("@4 tab g enter", "4.3", "▇▇▇"), ("@4 tab g enter", "8", "Grey wool"),
    ("@4 tab g down enter", "4.3", "started because it was asked for"),
    ("@4 tab g down down enter", "4.3", "✗ The drawer is stuck."),
    ("@4 tab g down enter @5 down down enter", "5.1", "#2: cancelled"),
    ("@4 tab g down down down enter", "4.1", "4.000 s › Cancel"),
    ("n n @4 tab g enter", "4.2", "✗ The drawer is stuck."),
    ("n n @4 down enter backtab enter tab tab g enter", "4.2", "The drawer is stuck."),
    ("n n n", "1", "r to load"), ("n n n r", "4", "Grey wool"),
    ("n n n down right", "1", "[ Load ]"), ("n n n n", "1", "No socks at all."),
    ("n n n n n", "1.9", "3 of 5 parts"), ("n n n n n enter", "1.9", "▇▇▇▇"),
    ("n n n n n n @1 tab g enter", "1.5", " saving │"),
    ("n n n n n n n @1 tab g enter", "1.1", "Grey wool, darned twice (in blue)"),
    ("n n n n n n n @1 tab g down enter", "3", "✗ The change was not saved."),
    ("n n n n n n n @1 tab g down enter @3 g down down down enter", "3.4", " saving │"),
    ("p p p p p p tab g down down enter", "1", "r to load"),
    ("n n n n n n n @1 down right tab g enter @2 down down enter", "2.1", "mutation 1 undone"),
    ("p", "1", "The one that is not yours"), ("p p", "1", "The titles that match appear here."),
    ("p p p", "3.5", "newest value  6 socks"), ("p p p p", "1", "Paused (offline)"),
    ("p p p p right", "3", "News of 1 seconds"),
    ("p p p p right @3 left @20 right", "22", "News of 21 seconds"),
    ("p p p p p", "3.5", "24 colours"),
    ("p p p p p", "3.5", "cell 1 #1: finished"),
    ("p p p p p p", "5", "Counted: 3"), ("p p p p p p p", "0.5", "as of 2 h ago"),
    ("p p p p p p p", "2", "as of now"), ("p p p p p p p p", "2", "Letter 2"),
    ("p p p p p p p p p", "2", "° and rain"),
    ("p p p p p p p p p @2 tab g enter", "2.1", "found in the cache"),
    ("p p p p p p p p p p", "2", "✗ The posts could not be loaded."),
  ])
  func `a page is forced into a state`(keys: String, time: String, words: String) throws {
    let picture = try lines(keys, size: "140x30", at: time)
    #expect(picture.contains { $0.contains(words) }, "\(picture.joined(separator: "\n"))")
  }

  @Test func `what a narrow screen leaves out is not offered to be loaded`() throws {
    let combine = "n n n n n n n n n @4"
    let failed = try lines(combine, size: "40x12", at: "4")
    #expect(failed.contains { $0.hasPrefix("r retry") })
    let loaded = try lines("\(combine) r", size: "40x12", at: "6")
    #expect(!loaded.contains { $0.contains("  r load ") })
  }

  @Test func `a newer change takes the place of one that failed, as soon as it is saved`() throws {
    let failed = "n n n n n n n @1 tab g down enter"
    let before = try lines(failed, at: "5")
    #expect(before.contains { $0.contains("✗") })
    let after = try lines("\(failed) @3 up enter", at: "5")
    #expect(!after.contains { $0.contains("✗") })
  }

  @Test func `an option of the library's own is not in the Swift`() throws {
    let swift = try lines("@0", size: "140x60", at: "1")
    #expect(swift.contains { $0.contains("First load") && $0.contains("‹ automatic ›") })
    #expect(!swift.contains { $0.contains("initial:") })
    let chosen = try lines("down right", size: "140x60", at: "1")
    #expect(chosen.contains { $0.contains("initial:") })
  }

  @Test func `an opacity is a number, which the colours are blended by`() throws {
    func picture(_ steps: Int) throws -> String {
      let keys = "@4 down down down down down down down down down"
      return try ScreenshotCommand.parse([
        "catalog", "--theme", "dark", "--format", "ansi", "--size", "120x35", "--keys",
        "\(keys) \(Array(repeating: "right", count: steps).joined(separator: " ")) tab g down enter",
        "--at", "5",
      ]).picture()
    }
    #expect(Set(try (0..<6).map(picture)).count == 6)
  }

  @Test func `a preset chooses the options of a screen, and another choice is one's own`() throws {
    let preset = try lines("right", at: "1")
    #expect(preset.contains { $0.contains("As in") && $0.contains("‹ profile ›") })
    #expect(preset.contains { $0.contains("Over a value") && $0.contains("‹ material ›") })
    let own = try lines("right down down down down right", at: "1")
    #expect(own.contains { $0.contains("As in") && $0.contains("‹ your own ›") })
  }

  @Test func `the presets go round in both directions, past that of one's own choice`() throws {
    let still = try still(Size(width: 100, height: 30))
    defer { still.end() }
    func preset(after key: String) throws -> String {
      still.play(try KeyScript(key))
      let line = still.frame.cells.text.split(separator: "\n").first { $0.contains("As in") }
      return line?.split(separator: "‹").last?.split(separator: "›").first.map(String.init) ?? ""
    }
    let first = try preset(after: "g")
    #expect(try preset(after: "left").contains("silent"))
    #expect(try preset(after: "right") == first)
    let round = try (0..<8).map { _ in try preset(after: "enter") }
    #expect(Set(round).count == 8)
    #expect(round.last == first)
  }

  @Test func `the Swift of a page is copied by a key`() throws {
    var refusal: String?
    let toasts = ToastQueue()
    let model = CatalogModel(
      SceneRuntime(clock: .continuous, scheduler: .concurrent), opening: "Errors",
      toasts: toasts, copyRefusal: { refusal })
    let stage = Stage(80, 4) { Text("").toasts(toasts) }
    var copied: [String] = []
    func copy(_ text: String) -> Bool {
      copied.append(text)
      return true
    }
    model.copyCode(by: copy)
    #expect(copied == [model.content.code()])
    stage.settle()
    #expect(stage.text.contains("The Swift was copied."))
    model.copyCode { _ in false }
    stage.settle()
    #expect(stage.text.contains("The Swift is too long to be copied by a terminal."))
    refusal = "Copying is off."
    model.copyCode(by: copy)
    stage.settle()
    #expect(stage.text.contains("Copying is off."))
    #expect(toasts.count == 1)
    #expect(copied.count == 1)
  }

  @Test func `that nothing is copied is said for a while, below the title of the page`() throws {
    let words = "Copying is off in this terminal."
    let said = try lines("@1 y", at: "1.5")
    #expect(said[1].contains("1/19"))
    #expect(said.contains { $0.contains(words) })
    #expect(try !lines("@1 y", at: "12").contains { $0.contains(words) })
  }

  @Test func `the Swift of the next page begins at its first line`() throws {
    let still = try still(Size(width: 80, height: 24))
    defer { still.end() }
    still.play(try KeyScript("w backtab G"))
    #expect(!still.frame.cells.text.contains("import Loading"))
    still.play(try KeyScript("n"))
    #expect(still.frame.cells.text.contains("import Loading"))
    // The focus stays in the pane.
    still.play(try KeyScript("G"))
    #expect(!still.frame.cells.text.contains("import Loading"))
  }

  @Test func `what was chosen on a page is there when it is opened again`() throws {
    let picture = try lines("right n p", at: "1")
    #expect(picture.contains { $0.contains("As in") && $0.contains("‹ profile ›") })
  }
}
