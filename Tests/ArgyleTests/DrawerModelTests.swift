import Foundation
import Loading
import LoadingTesting
import Socks
import TerminalUI
import Testing

@testable import Argyle

/// The drawer's screens on a scripted drawer, without a terminal.
@MainActor
@Suite struct DrawerModelTests {
  /// A drawer on the screen, whose clock stands still.
  @MainActor
  private final class Stage {
    let runtime = ManualRuntime()
    let api: ScriptedSockAPI
    let model: DrawerModel
    private let host: ViewHost
    private let size: Size
    private(set) var frame: Frame
    let toasts: ToastQueue

    init(
      _ socks: [Sock], size: Size = Size(width: 60, height: 12), pictures: PictureSupply = .demo
    ) {
      self.size = size
      let (clock, scheduler) = (runtime.clock.any, runtime.scheduler)
      api = ScriptedSockAPI(socks, clock: clock)
      let model = DrawerModel(api, pictures: pictures, clock: clock, scheduler: scheduler)
      self.model = model
      let toasts = ToastQueue()
      self.toasts = toasts
      host = ViewHost(clock: clock, scheduler: scheduler) {
        DrawerScreen(model: model, days: .demo).following(model, toasts: toasts)
      }
      host.environment = EnvironmentValues(DisplaySettings())
      frame = host.frame(size: size, at: runtime.clock.now)
      host.didPresent(frame)
      settle()
    }

    func settle() {
      runtime.run()
      while host.needsFrame {
        frame = host.frame(size: size, at: runtime.clock.now)
        host.didPresent(frame)
        runtime.run()
      }
    }

    func use(_ keys: KeyMap) {
      host.environment.keyMap = keys
      settle()
    }

    func press(_ keys: KeyPress...) {
      for key in keys {
        host.press(key, in: frame)
        settle()
      }
    }

    func advance(by duration: Duration) {
      runtime.advance(by: duration)
      settle()
      frame = host.frame(size: size, at: runtime.clock.now)
      host.didPresent(frame)
    }

    var selected: String? { model.current?.sock.name }
    var lines: [String] { frame.text.components(separatedBy: "\n") }
  }

  private func socks(_ count: Int) -> [Sock] {
    (0..<count).map { number in
      let digits = String(number)
      return Sock(
        id: UUID(), name: "Sock " + String(repeating: "0", count: 6 - digits.count) + digits,
        sogginess: 40, created: Date(timeIntervalSince1970: 0),
        changed: Date(timeIntervalSince1970: 0))
    }
  }

  @Test func `of 10,000 socks only those are loaded that are looked at`() {
    let stage = Stage(socks(10_000))
    #expect(stage.lines[0].hasPrefix("10000 socks by name"))
    #expect(stage.selected == "Sock 000000")
    stage.press("G")
    #expect(stage.selected == "Sock 009999")
    #expect(stage.frame.text.contains("Sock 009999"))
    // The first page and the last one.
    #expect(stage.api.callCount(.socks) == 2)
    stage.press("g")
    #expect(stage.selected == "Sock 000000")
    #expect(stage.api.callCount(.socks) == 2)
  }

  @Test func `the selection stays on its sock, and goes to the neighbour of one that is gone`() {
    let all = socks(10)
    let stage = Stage(all)
    stage.press("j", "j", "j")
    #expect(stage.selected == "Sock 000003")
    stage.api.changeElsewhere { $0.removeFirst(2) }
    stage.settle()
    #expect(stage.selected == "Sock 000003")
    stage.api.changeElsewhere { $0.removeAll { $0.name == "Sock 000003" } }
    stage.settle()
    #expect(stage.selected == "Sock 000004")
    stage.api.changeElsewhere { $0.insert(all[0], at: 0) }
    stage.settle()
    #expect(stage.selected == "Sock 000004")
    stage.api.changeElsewhere { $0.removeAll() }
    stage.settle()
    #expect(stage.selected == nil)
    #expect(stage.frame.text.contains("The drawer is empty."))
    #expect(stage.frame.text.contains("a to add a sock"))
    stage.use(KeyMap([.addSock: ["n"]]))
    #expect(stage.frame.text.contains("n to add a sock"))
  }

  @Test func `keys change how soggy the selected sock is, in whole steps within the range`() {
    let stage = Stage(socks(3))
    stage.press("j", "+", .right, "-")
    #expect(stage.model.current?.sock.sogginess == 45)
    for _ in 0..<30 { stage.press(.left) }
    #expect(stage.model.current?.sock.sogginess == 0)
    // The first at once, the rest of a held key a moment later.
    #expect(stage.api.socks[1].sogginess == 45)
    stage.advance(by: .milliseconds(250))
    #expect(stage.api.socks.map(\.sogginess) == [40, 0, 40])
  }

  @Test func `while the picture of a sock loads, Esc leads back at once`() {
    var all = socks(1)
    all[0].picture = .web("https://example.org/slow.png")
    let slow = PictureSupply { _ in
      Loader { context in
        try await context.clock.sleep(for: .seconds(9))
        return CellBuffer(size: Size(width: 1, height: 1))
      }
    } size: { _ in
      nil
    }
    let stage = Stage(all, size: Size(width: 80, height: 24), pictures: slow)
    stage.press(.enter)
    stage.advance(by: .seconds(1))
    #expect(stage.model.openSock != nil)
    stage.press(.escape)
    #expect(stage.model.openSock == nil)
    #expect(!stage.frame.text.contains("to load"))
  }

  @Test func `a sock that is sorted in after it was kept leaves those above it on the screen`() {
    let stage = Stage(socks(40), size: Size(width: 80, height: 12))
    stage.press("a", "S", "o", "c", "k", " ", "0", "0", "0", "0", "0", "2", "x", .enter)
    stage.advance(by: .seconds(3))
    #expect(stage.selected == "Sock 000002x")
    #expect(stage.lines[1].hasPrefix("Sock 000000"))
    #expect(stage.lines[4].hasPrefix("Sock 000002x"))
  }

  @Test func `the list and the sock that is looked at show one pending change`() {
    let stage = Stage(socks(3))
    stage.api.delay = .seconds(1)
    stage.press(.enter, .right)
    #expect(stage.frame.text.contains("━ 45") || stage.frame.text.contains("─ 45"))
    stage.press(.escape)
    #expect(stage.lines[1].contains(" 45"))
    #expect(stage.api.socks[0].sogginess == 40)
    stage.advance(by: .seconds(2))
    #expect(stage.api.socks[0].sogginess == 45)
    #expect(stage.lines[1].contains(" 45 "))
  }

  @Test func `what is typed is asked for once, when the typing rests`() {
    let stage = Stage(socks(30))
    let before = stage.api.callCount(.count)
    stage.press("/", "0", "0", "2")
    #expect(stage.api.callCount(.count) == before)
    stage.advance(by: .milliseconds(150))
    #expect(stage.api.callCount(.count) == before + 1)
    #expect(stage.lines[0].hasPrefix("11 socks"))
    stage.press(.enter, "j")
    #expect(stage.selected == "Sock 000020")
    stage.press(.escape)
    #expect(stage.lines[0].hasPrefix("30 socks"))
  }

  @Test func `a sock that cannot be added stays in the list, with all that was typed`() {
    let stage = Stage(socks(2))
    let full = SockError.store(.full(path: "socks.sqlite"))
    stage.api.script(.add, .fails(full), .fails(full))
    stage.press("a", "O", "d", "d", .tab, "d", "o", "t", "s", .enter)
    #expect(stage.lines[1].hasPrefix("Odd ") && stage.lines[1].hasSuffix("✗ not saved"))
    #expect(stage.frame.bindings.contains { $0.label == "discard change" })
    // It is no sock yet: nothing else can be done with it.
    stage.press("+", "x", "p", "f", "P")
    #expect(!stage.frame.text.contains("removed in") && stage.model.pairing == nil)
    stage.press("R")
    #expect(stage.lines[1].hasSuffix("✗ not saved"))
    stage.press("e", "!")
    #expect(stage.model.form?[.name] == "Odd!" && stage.model.form?[.pattern] == "dots")
    stage.press(.enter)
    #expect(stage.api.socks.map(\.name) == ["Sock 000000", "Sock 000001", "Odd!"])
    #expect(stage.selected == "Odd!")
    #expect(!stage.frame.text.contains("✗"))

    stage.api.script(.add, .fails(full))
    stage.press("a", "N", "o", "t", .enter, "X")
    #expect(!stage.frame.text.contains("Not ") && !stage.frame.text.contains("✗"))
    #expect(stage.api.socks.count == 3)
  }

  @Test func `a key that goes to another row shows the keys of that row`() {
    var all = socks(300)
    all[4].pair = all[5].id
    all[5].pair = all[4].id
    let stage = Stage(all)
    stage.press("j", "j", "j")
    #expect(stage.selected == "Sock 000003")
    #expect(!stage.frame.bindings.contains { $0.label == "separate the pair" })
    stage.press("j")
    #expect(stage.selected == "Sock 000004")
    #expect(stage.frame.bindings.contains { $0.label == "separate the pair" })
    stage.press("j", "x")
    #expect(stage.lines.contains { $0.hasPrefix("Sock 000005") && $0.contains("removed in 5 s") })
  }

  @Test func `a sock that was added is gone to, wherever it is in the list`() {
    let stage = Stage(socks(350))
    stage.press("a")
    for character in "Sock 000150, new" { stage.press(KeyPress(.character(character))) }
    stage.press(.enter)
    #expect(stage.selected == "Sock 000150, new")
    #expect(stage.lines.contains { $0.hasPrefix("Sock 000150, new") })
    stage.press("j")
    #expect(stage.selected == "Sock 000151")
  }

  @Test func `a sock that was added and is not looked for moves nothing`() {
    let stage = Stage(socks(20))
    stage.press("/", "0", "0", "5", .enter)
    stage.advance(by: .seconds(1))
    #expect(stage.selected == "Sock 000005")
    stage.press("a", "O", "d", "d", .enter)
    #expect(stage.api.socks.count == 21)
    #expect(stage.selected == "Sock 000005")
  }

  @Test func `on the smallest screen it is seen what is wrong, and where`() {
    let stage = Stage(socks(1), size: Size(width: 20, height: 5))
    stage.press("e", .control("u"), .tab, .tab, .tab, .tab)
    #expect(stage.lines.contains { $0.contains("Notes") })
    stage.press(.enter)
    #expect(stage.lines[0].contains("The name is"))
    #expect(stage.lines[1].contains("Name"))
    #expect(stage.lines[2].contains("✗ Give it a"))
    stage.press("O", "d", "d", .enter)
    #expect(stage.api.socks[0].name == "Odd")
  }

  @Test func `two socks are marked and paired, and one alone is left as it was`() {
    let stage = Stage(socks(3))
    stage.press("p")
    #expect(stage.frame.text.contains("Pair “Sock 000000” with"))
    stage.press("p")
    #expect(stage.api.socks.allSatisfy { $0.pair == nil })
    stage.press("p", "j", "j", "p")
    let socks = stage.api.socks
    #expect(socks[0].pair == socks[2].id && socks[2].pair == socks[0].id)
    stage.press("P")
    #expect(stage.api.socks.allSatisfy { $0.pair == nil })
  }

  @Test func `the partners of a sock are those of its pattern and colour`() {
    var all = socks(4)
    for index in [0, 2] { (all[index].pattern, all[index].colour) = ("argyle", "red") }
    let stage = Stage(all)
    stage.press("f")
    #expect(stage.frame.text.contains("Find a partner"))
    stage.press(.enter)
    #expect(stage.api.socks[0].pair == all[2].id)
    #expect(!stage.frame.text.contains("Find a partner"))
  }

  @Test func `a form says what is wrong and keeps what was typed`() {
    let stage = Stage(socks(1))
    stage.press("e", .control("u"), .enter)
    #expect(stage.frame.text.contains("─ The name is empty. ─"))
    stage.press("O", "d", "d", .enter)
    #expect(stage.api.socks[0].name == "Odd")
    #expect(stage.model.form == nil)
    stage.press("e", "!", .escape)
    #expect(stage.api.socks[0].name == "Odd")
  }

  @Test func `notes with the sign for a line break in them are left alone by other edits`() {
    var sock = socks(1)[0]
    sock.notes = "Sign: ↵\nand a line."
    let form = SockForm(of: sock)
    form[.name] = "Renamed"
    // Before: also .notes("Sign: \n\nand a line.").
    #expect(form.edits() == [.name("Renamed")])
  }

  @Test func `the place of a picture that is typed is a whole one, or none`() {
    func place(_ text: String) -> SockPicture? {
      SockPicture(typed: text, home: "/home/maud", folder: "/work")
    }
    #expect(place("~/p.png") == .file("/home/maud/p.png"))
    #expect(place("p.png") == .file("/work/p.png"))
    #expect(place("../p.png") == .file("/p.png"))
    #expect(place("file:///tmp/a%20b.png") == .file("/tmp/a b.png"))
    #expect(place("FILE://localhost/p.png") == .file("/p.png"))
    #expect(place("https://example.org/p.png") == .web("https://example.org/p.png"))
    #expect(place("bundled:argyle-red") == .bundled("argyle-red"))
    for none in ["ftp://example.org/p.png", "file://elsewhere/p.png", "gopher://x", ""] {
      #expect(place(none) == nil, "\(none)")
    }
  }

  @Test func `a failure is told by the sock that is looked at, and not by a message, too`() {
    let stage = Stage(socks(2), size: Size(width: 80, height: 16))
    stage.advance(by: .seconds(1))
    stage.press(.enter)
    stage.advance(by: .seconds(1))
    stage.api.script(.update, .fails(SockError.store(.full(path: "socks.sqlite"))))
    stage.press("+")
    stage.advance(by: .seconds(1))
    #expect(stage.frame.text.components(separatedBy: "There is no space left").count == 2)
    // Before: a message, too.
    #expect(stage.toasts.count == 0)
    stage.press(.escape)
    #expect(stage.toasts.count == 1)
  }

  @Test func `line breaks in notes survive a form of one line`() {
    var all = socks(1)
    all[0].notes = "One.\n\nThree."
    let form = SockForm(of: all[0])
    #expect(form[.notes] == "One.↵↵Three.")
    #expect(form.edits() == [])
    form[.notes] += "↵Four."
    #expect(form.edits() == [.notes("One.\n\nThree.\nFour.")])
  }

  @Test func `a step goes to the next whole one, from wherever it starts`() {
    for sogginess in Sock.sogginessRange {
      let (up, down) = (Sogginess.stepped(sogginess, by: 1), Sogginess.stepped(sogginess, by: -1))
      #expect(up % 5 == 0 && down % 5 == 0)
      #expect(up > sogginess || sogginess > 97)
      #expect(down < sogginess || sogginess < 3)
    }
  }

  // MARK: Undo, marks and changes

  @Test func `every change is undone, the newest first`() {
    let stage = Stage(socks(5))
    stage.advance(by: .seconds(1))
    stage.press("+", "+", "+")
    stage.advance(by: .seconds(1))
    #expect(stage.model.current?.sock.sogginess == 55)
    stage.model.edit()
    stage.model.form?[.name] = "Sock 000000, darned"
    stage.model.submit()
    stage.advance(by: .seconds(1))
    #expect(stage.selected == "Sock 000000, darned")
    stage.press("p", .down, "p")
    stage.advance(by: .seconds(1))
    #expect(stage.api.socks.count { $0.pair != nil } == 2)
    stage.press("u")
    stage.advance(by: .seconds(1))
    #expect(stage.api.socks.allSatisfy { $0.pair == nil })
    stage.press("u")
    stage.advance(by: .seconds(1))
    #expect(stage.api.socks.contains { $0.name == "Sock 000000" })
    // Three steps of one key are one change.
    stage.press("u")
    stage.advance(by: .seconds(1))
    #expect(stage.api.socks.allSatisfy { $0.sogginess == 40 })
    #expect(!stage.model.canUndo)
  }

  @Test func `a removal whose time is over is not undone, but what was done before`() {
    let stage = Stage(socks(3))
    stage.advance(by: .seconds(1))
    stage.press("+", .down, "x")
    stage.advance(by: .seconds(7))
    #expect(stage.api.socks.count == 2)
    stage.press("u")
    stage.advance(by: .seconds(1))
    #expect(stage.api.socks.count == 2)
    #expect(stage.api.socks.allSatisfy { $0.sogginess == 40 })
  }

  @Test func `marked socks are changed, removed and brought back together`() {
    let stage = Stage(socks(5))
    stage.advance(by: .seconds(1))
    stage.press("t", .down, .down, "t", "+")
    stage.advance(by: .seconds(1))
    #expect(stage.api.socks.map(\.sogginess) == [45, 40, 45, 40, 40])
    #expect(stage.lines[0].contains("2 marked"))
    stage.press("x")
    stage.advance(by: .seconds(1))
    #expect(stage.lines.count { $0.contains("removed in") } == 2)
    stage.press("u")
    stage.advance(by: .seconds(7))
    #expect(stage.api.socks.count == 5)
    stage.press("t", .escape, "+")
    stage.advance(by: .seconds(1))
    #expect(stage.api.socks.map(\.sogginess) == [45, 40, 50, 40, 40])
  }

  @Test func `all changes that are not kept are listed by a key`() {
    let stage = Stage(socks(5), size: Size(width: 80, height: 12))
    stage.advance(by: .seconds(1))
    stage.api.script(.update, .fails(SockError.store(.full(path: "socks.sqlite"))))
    stage.press("+", .down, "x", "c")
    stage.advance(by: .seconds(1))
    #expect(stage.frame.text.contains("─ Changes ─"))
    let changes = stage.lines.filter { $0.contains("│ Sock 0") }
    #expect(changes.count == 2)
    #expect(changes.first?.contains("sogginess ✗ There is no space left to save socks.") == true)
    #expect(changes.last?.contains("removal waiting") == true)
    stage.press("R")
    stage.advance(by: .seconds(7))
    #expect(stage.frame.text.contains("All changes are saved."))
  }

  // MARK: Side by side

  @Test func `on a wide screen the selected sock stands beside the list`() {
    let stage = Stage(socks(5), size: Size(width: 130, height: 12))
    stage.advance(by: .seconds(1))
    #expect(stage.lines[0].contains("│ Sock 000000"))
    stage.press(.down, .down)
    stage.advance(by: .milliseconds(200))
    #expect(stage.lines[0].contains("│ Sock 000002"))
    // Enter goes into it, where keys move its slider, and Esc leads back to the list.
    stage.press(.enter)
    stage.advance(by: .seconds(1))
    stage.press(.right)
    stage.advance(by: .seconds(1))
    #expect(stage.api.socks[2].sogginess == 45)
    stage.press(.escape, .down, "+")
    stage.advance(by: .seconds(1))
    #expect(stage.api.socks[3].sogginess == 45)
    #expect(stage.model.openSock == nil)
  }

  @Test func `looking at socks beside the list loads none of them`() {
    let stage = Stage(socks(50), size: Size(width: 130, height: 30))
    stage.advance(by: .seconds(1))
    for _ in 0..<20 {
      stage.press(.down)
      stage.advance(by: .milliseconds(200))
    }
    #expect(stage.api.callCount(.sock) == 0)
  }
}
