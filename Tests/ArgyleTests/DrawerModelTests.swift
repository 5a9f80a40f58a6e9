import Foundation
import Loading
import LoadingTesting
import Socks
import TerminalUI
import TerminalUITesting
import Testing

@testable import Argyle

/// Tests of the drawer's screens with a scripted drawer, without a terminal.
@MainActor
@Suite struct DrawerModelTests {
  @Test func `of 10,000 socks only those are loaded that are looked at`() {
    let drawer = DrawerOnStage(Sock.numbered(10_000))
    #expect(drawer.stage.lines[0].hasPrefix("10000 socks by name"))
    #expect(drawer.selected == "Sock 000000")
    drawer.stage.press("G")
    #expect(drawer.selected == "Sock 009999")
    #expect(drawer.stage.frame.text.contains("Sock 009999"))
    // The first page and the last one.
    #expect(drawer.api.callCount(.socks) == 2)
    drawer.stage.press("g")
    #expect(drawer.selected == "Sock 000000")
    #expect(drawer.api.callCount(.socks) == 2)
  }

  @Test func `the selection stays on its sock, and goes to the neighbour of one that is gone`() {
    let all = Sock.numbered(10)
    let drawer = DrawerOnStage(all)
    drawer.stage.press("j", "j", "j")
    #expect(drawer.selected == "Sock 000003")
    drawer.api.changeElsewhere { $0.removeFirst(2) }
    drawer.stage.settle()
    #expect(drawer.selected == "Sock 000003")
    drawer.api.changeElsewhere { $0.removeAll { $0.name == "Sock 000003" } }
    drawer.stage.settle()
    #expect(drawer.selected == "Sock 000004")
    drawer.api.changeElsewhere { $0.insert(all[0], at: 0) }
    drawer.stage.settle()
    #expect(drawer.selected == "Sock 000004")
    drawer.api.changeElsewhere { $0.removeAll() }
    drawer.stage.settle()
    #expect(drawer.selected == nil)
    #expect(drawer.stage.frame.text.contains("The drawer is empty."))
    #expect(drawer.stage.frame.text.contains("a to add a sock"))
    drawer.stage.environment.keyMap = KeyMap([.addSock: ["n"]])
    #expect(drawer.stage.frame.text.contains("n to add a sock"))
  }

  @Test func `keys change how soggy the selected sock is, in whole steps within the range`() {
    let drawer = DrawerOnStage(Sock.numbered(3))
    drawer.stage.press("j", "+", .right, "-")
    #expect(drawer.model.current?.sock.sogginess == 45)
    for _ in 0..<30 { drawer.stage.press(.left) }
    #expect(drawer.model.current?.sock.sogginess == 0)
    // The first step is saved at once, the rest of a held key a moment later.
    #expect(drawer.api.socks[1].sogginess == 45)
    drawer.stage.advance(by: .milliseconds(250))
    #expect(drawer.api.socks.map(\.sogginess) == [40, 0, 40])
  }

  @Test func `while the picture of a sock loads, Esc leads back at once`() {
    var all = Sock.numbered(1)
    all[0].picture = .web("https://example.org/slow.png")
    let slow = PictureSupply { _ in
      Loader { context in
        try await context.clock.sleep(for: .seconds(9))
        return CellBuffer(size: Size(width: 1, height: 1))
      }
    } size: { _ in
      nil
    }
    let drawer = DrawerOnStage(all, size: Size(width: 80, height: 24), pictures: slow)
    drawer.press(.enter)
    #expect(drawer.model.openSock != nil)
    drawer.stage.press(.escape)
    #expect(drawer.model.openSock == nil)
    #expect(!drawer.stage.frame.text.contains("to load"))
  }

  @Test func `a sock that is sorted in after it was kept leaves those above it on the screen`() {
    let drawer = DrawerOnStage(Sock.numbered(40), size: Size(width: 80, height: 12))
    drawer.stage.press("a", "S", "o", "c", "k", " ", "0", "0", "0", "0", "0", "2", "x", .enter)
    drawer.stage.advance(by: .seconds(3))
    #expect(drawer.selected == "Sock 000002x")
    #expect(drawer.stage.lines[1].hasPrefix("Sock 000000"))
    #expect(drawer.stage.lines[4].hasPrefix("Sock 000002x"))
  }

  @Test func `the list and the sock that is looked at show one pending change`() {
    let drawer = DrawerOnStage(Sock.numbered(3))
    drawer.api.delay = .seconds(1)
    drawer.stage.press(.enter, .right)
    #expect(drawer.stage.frame.text.contains("━ 45") || drawer.stage.frame.text.contains("─ 45"))
    drawer.stage.press(.escape)
    #expect(drawer.stage.lines[1].contains(" 45"))
    #expect(drawer.api.socks[0].sogginess == 40)
    drawer.stage.advance(by: .seconds(2))
    #expect(drawer.api.socks[0].sogginess == 45)
    #expect(drawer.stage.lines[1].contains(" 45 "))
  }

  @Test func `what is typed is asked for once, when the typing rests`() {
    let drawer = DrawerOnStage(Sock.numbered(30))
    let before = drawer.api.callCount(.count)
    drawer.stage.press("/", "0", "0", "2")
    #expect(drawer.api.callCount(.count) == before)
    drawer.stage.advance(by: .milliseconds(150))
    #expect(drawer.api.callCount(.count) == before + 1)
    #expect(drawer.stage.lines[0].hasPrefix("11 socks"))
    drawer.stage.press(.enter, "j")
    #expect(drawer.selected == "Sock 000020")
    drawer.stage.press(.escape)
    #expect(drawer.stage.lines[0].hasPrefix("30 socks"))
  }

  @Test func `what is typed selects the first sock that matches, and Esc keeps it selected`() {
    let drawer = DrawerOnStage(Sock.numbered(30))
    for _ in 0..<12 { drawer.stage.press("j") }
    drawer.press("/", "0", "0", "1")
    #expect(drawer.selected == "Sock 000001")
    drawer.press(.backspace, .backspace, "0", "1", "2")
    #expect(drawer.selected == "Sock 000012")
    drawer.press(.backspace)
    #expect(drawer.selected == "Sock 000001")
    drawer.press(.enter, "j")
    #expect(drawer.selected == "Sock 000010")
    drawer.press("s")
    #expect(drawer.selected == "Sock 000010")
    drawer.press(.escape)
    #expect(drawer.selected == "Sock 000010")
  }

  @Test func `a sock that cannot be added stays in the list, with all that was typed`() {
    let drawer = DrawerOnStage(Sock.numbered(2))
    let full = SockError.store(.full(path: "socks.sqlite"))
    drawer.api.script(.add, .fails(full), .fails(full))
    drawer.stage.press("a", "O", "d", "d", .tab, "d", "o", "t", "s", .enter)
    #expect(
      drawer.stage.lines[1].hasPrefix("Odd ") && drawer.stage.lines[1].hasSuffix("✗ not saved"))
    #expect(drawer.stage.frame.bindings.contains { $0.label == "discard change" })
    // It is not in the drawer yet, so nothing else can be done with it.
    drawer.stage.press("+", "x", "p", "f", "P")
    #expect(!drawer.stage.frame.text.contains("removed in") && drawer.model.pairing == nil)
    drawer.stage.press("R")
    #expect(drawer.stage.lines[1].hasSuffix("✗ not saved"))
    drawer.stage.press("e", "!")
    #expect(drawer.model.form?[.name] == "Odd!" && drawer.model.form?[.pattern] == "dots")
    drawer.stage.press(.enter)
    #expect(drawer.api.socks.map(\.name) == ["Sock 000000", "Sock 000001", "Odd!"])
    #expect(drawer.selected == "Odd!")
    #expect(!drawer.stage.frame.text.contains("✗"))

    drawer.api.script(.add, .fails(full))
    drawer.stage.press("a", "N", "o", "t", .enter, "X")
    #expect(!drawer.stage.frame.text.contains("Not ") && !drawer.stage.frame.text.contains("✗"))
    #expect(drawer.api.socks.count == 3)
  }

  @Test func `a key that goes to another row shows the keys of that row`() {
    var all = Sock.numbered(300)
    all[4].pair = all[5].id
    all[5].pair = all[4].id
    let drawer = DrawerOnStage(all)
    drawer.stage.press("j", "j", "j")
    #expect(drawer.selected == "Sock 000003")
    #expect(!drawer.stage.frame.bindings.contains { $0.label == "separate the pair" })
    drawer.stage.press("j")
    #expect(drawer.selected == "Sock 000004")
    #expect(drawer.stage.frame.bindings.contains { $0.label == "separate the pair" })
    drawer.stage.press("j", "x")
    #expect(
      drawer.stage.lines.contains { $0.hasPrefix("Sock 000005") && $0.contains("removed in 5 s") })
  }

  @Test func `a sock that was added is gone to, wherever it is in the list`() {
    let drawer = DrawerOnStage(Sock.numbered(350))
    drawer.stage.press("a")
    for character in "Sock 000150, new" { drawer.stage.press(KeyPress(.character(character))) }
    drawer.stage.press(.enter)
    #expect(drawer.selected == "Sock 000150, new")
    #expect(drawer.stage.lines.contains { $0.hasPrefix("Sock 000150, new") })
    drawer.stage.press("j")
    #expect(drawer.selected == "Sock 000151")
  }

  @Test func `a sock that was added and is not looked for moves nothing`() {
    let drawer = DrawerOnStage(Sock.numbered(20))
    drawer.press("/", "0", "0", "5", .enter)
    #expect(drawer.selected == "Sock 000005")
    drawer.stage.press("a", "O", "d", "d", .enter)
    #expect(drawer.api.socks.count == 21)
    #expect(drawer.selected == "Sock 000005")
  }

  @Test func `on the smallest screen it is seen what is wrong, and where`() {
    let drawer = DrawerOnStage(Sock.numbered(1), size: Size(width: 20, height: 5))
    drawer.stage.press("e", .control("u"), .tab, .tab, .tab, .tab)
    #expect(drawer.stage.lines.contains { $0.contains("Notes") })
    drawer.stage.press(.enter)
    #expect(drawer.stage.lines[0].contains("The name is"))
    #expect(drawer.stage.lines[1].contains("Name"))
    #expect(drawer.stage.lines[2].contains("✗ Give it a"))
    drawer.stage.press("O", "d", "d", .enter)
    #expect(drawer.api.socks[0].name == "Odd")
  }

  @Test func `two socks are marked and paired, and one alone is left as it was`() {
    let drawer = DrawerOnStage(Sock.numbered(3))
    drawer.stage.press("p")
    #expect(drawer.stage.frame.text.contains("Pair “Sock 000000” with"))
    drawer.stage.press("p")
    #expect(drawer.api.socks.allSatisfy { $0.pair == nil })
    drawer.stage.press("p", "j", "j", "p")
    let socks = drawer.api.socks
    #expect(socks[0].pair == socks[2].id && socks[2].pair == socks[0].id)
    drawer.stage.press("P")
    #expect(drawer.api.socks.allSatisfy { $0.pair == nil })
  }

  @Test func `the partners of a sock are those of its pattern and colour`() {
    var all = Sock.numbered(4)
    for index in [0, 2] { (all[index].pattern, all[index].colour) = ("argyle", "red") }
    let drawer = DrawerOnStage(all)
    drawer.stage.press("f")
    #expect(drawer.stage.frame.text.contains("Find a partner"))
    drawer.stage.press(.enter)
    #expect(drawer.api.socks[0].pair == all[2].id)
    #expect(!drawer.stage.frame.text.contains("Find a partner"))
  }

  @Test func `a form says what is wrong and keeps what was typed`() {
    let drawer = DrawerOnStage(Sock.numbered(1))
    drawer.stage.press("e", .control("u"), .enter)
    #expect(drawer.stage.frame.text.contains("─ The name is empty. ─"))
    drawer.stage.press("O", "d", "d", .enter)
    #expect(drawer.api.socks[0].name == "Odd")
    #expect(drawer.model.form == nil)
    drawer.stage.press("e", "!", .escape)
    #expect(drawer.api.socks[0].name == "Odd")
  }

  @Test func `a form refuses a file that is no picture, and stores nothing`() async {
    let pictures = PictureSupply(load: PictureSupply.demo.load) { _ in
      nil
    } check: {
      $0.hasSuffix(".png") ? nil : .notAPicture
    }
    let drawer = DrawerOnStage(
      Sock.numbered(1), size: Size(width: 60, height: 16), pictures: pictures)
    drawer.stage.press("e")
    drawer.model.form?[.picture] = "/home/maud/notes.txt"
    drawer.stage.press(.enter)
    await drawer.stage.runtime.run { drawer.model.form?.mistake != nil }
    drawer.stage.settle()
    #expect(drawer.stage.frame.text.contains("─ This is not a picture. ─"))
    #expect(drawer.stage.frame.text.contains("✗ Choose another file."))
    #expect(drawer.api.socks[0].picture == nil)
    drawer.model.form?[.picture] = "/home/maud/sock.png"
    drawer.stage.press(.enter)
    await drawer.stage.runtime.run { drawer.model.form == nil }
    drawer.stage.advance(by: .seconds(1))
    #expect(drawer.api.socks[0].picture == .file("/home/maud/sock.png"))
  }

  @Test(arguments: [false, true])
  func `a sock that another program removes while it is changed can be saved as a new one`(
    isOpen: Bool
  ) async throws {
    let all = Sock.numbered(3)
    let drawer = DrawerOnStage(all, size: Size(width: 60, height: 16))
    drawer.stage.advance(by: .seconds(1))
    if isOpen {
      drawer.press(.enter)
    }
    drawer.stage.press("e", .control("u"), "O", "d", "d")
    try await drawer.api.remove(all[0].id)
    drawer.stage.advance(by: .seconds(1))
    #expect(drawer.stage.frame.text.contains("Removed elsewhere. Save as new?"))
    #expect(drawer.stage.frame.text.contains("Odd"))
    drawer.press(.enter)
    #expect(drawer.api.socks.map(\.name).sorted() == ["Odd", all[1].name, all[2].name])
    #expect(drawer.api.socks.first { $0.name == "Odd" }?.sogginess == all[0].sogginess)
    #expect(drawer.model.form == nil)
  }

  @Test func `notes with the sign for a line break in them are left alone by other edits`() {
    var sock = Sock.numbered(1)[0]
    sock.notes = "Sign: ↵\nand a line."
    let form = SockForm(of: sock)
    form[.name] = "Renamed"
    // Regression: the notes were changed too, to "Sign: \n\nand a line."
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
    for none in [
      "ftp://example.org/p.png", "file://elsewhere/p.png", "gopher://x", "file:///a%00b", "",
    ] {
      #expect(place(none) == nil, "\(none)")
    }
  }

  @Test func `a failure is told by the sock that is looked at, and not by a message, too`() {
    let drawer = DrawerOnStage(Sock.numbered(2), size: Size(width: 80, height: 16))
    drawer.stage.advance(by: .seconds(1))
    drawer.press(.enter)
    drawer.api.script(.update, .fails(SockError.store(.full(path: "socks.sqlite"))))
    drawer.press("+")
    #expect(drawer.stage.frame.text.components(separatedBy: "There is no space left").count == 2)
    // Regression: a message was shown, too.
    #expect(drawer.toasts.count == 0)
    drawer.stage.press(.escape)
    #expect(drawer.toasts.count == 1)
  }

  @Test func `line breaks in notes survive a form of one line`() {
    var all = Sock.numbered(1)
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
      #expect(1...5 ~= up - sogginess || up == 100)
      #expect(1...5 ~= sogginess - down || down == 0)
    }
  }

  @Test func `on a narrow screen the sheets of the drawer wrap their words`() {
    let drawer = DrawerOnStage(Sock.numbered(1), size: Size(width: 40, height: 12))
    drawer.stage.advance(by: .seconds(1))
    drawer.press("f")
    let words = drawer.stage.text.split { " │╭╮╰╯─\n".contains($0) }.joined(separator: " ")
    #expect(words.contains("No other single sock has this pattern and colour."))
  }

  @Test func `on a wide screen the selected sock stands beside the list`() {
    let drawer = DrawerOnStage(Sock.numbered(5), size: Size(width: 130, height: 12))
    drawer.stage.advance(by: .seconds(1))
    #expect(drawer.stage.lines[0].contains("│ Sock 000000"))
    drawer.stage.press(.down, .down)
    drawer.stage.advance(by: .milliseconds(200))
    #expect(drawer.stage.lines[0].contains("│ Sock 000002"))
    // Enter goes into the sock, where keys move its slider, and Esc returns to the list.
    drawer.press(.enter)
    drawer.press(.right)
    #expect(drawer.api.socks[2].sogginess == 45)
    drawer.press(.escape, .down, "+")
    #expect(drawer.api.socks[3].sogginess == 45)
    #expect(drawer.model.openSock == nil)
  }

  @Test func `looking at socks beside the list loads none of them`() {
    let drawer = DrawerOnStage(Sock.numbered(50), size: Size(width: 130, height: 30))
    drawer.stage.advance(by: .seconds(1))
    for _ in 0..<20 {
      drawer.stage.press(.down)
      drawer.stage.advance(by: .milliseconds(200))
    }
    #expect(drawer.api.callCount(.sock) == 0)
  }
}
