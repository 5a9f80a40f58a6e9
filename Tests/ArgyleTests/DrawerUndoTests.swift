import Foundation
import Loading
import LoadingTesting
import Socks
import TerminalUI
import TerminalUITesting
import Testing

@testable import Argyle

/// Tests of changes in the drawer that are undone, or made to all marked socks.
@MainActor
@Suite struct DrawerUndoTests {
  @Test func `every change is undone, the newest first`() {
    let drawer = DrawerOnStage(Sock.numbered(5))
    drawer.stage.advance(by: .seconds(1))
    drawer.press("+", "+", "+")
    #expect(drawer.model.current?.sock.sogginess == 55)
    drawer.model.edit()
    drawer.model.form?[.name] = "Sock 000000, darned"
    drawer.model.submit()
    drawer.stage.advance(by: .seconds(1))
    #expect(drawer.selected == "Sock 000000, darned")
    drawer.press("p", .down, "p")
    #expect(drawer.api.socks.count { $0.pair != nil } == 2)
    drawer.press("u")
    #expect(drawer.api.socks.allSatisfy { $0.pair == nil })
    drawer.press("u")
    #expect(drawer.api.socks.contains { $0.name == "Sock 000000" })
    // Three steps of one key are one change.
    drawer.press("u")
    #expect(drawer.api.socks.allSatisfy { $0.sogginess == 40 })
    #expect(!drawer.model.canUndo)
  }

  @Test func `what a held key did is undone at once, and presses after a pause one by one`() {
    let drawer = DrawerOnStage(Sock.numbered(2))
    drawer.stage.advance(by: .seconds(1))
    drawer.stage.press("+")
    drawer.stage.advance(by: .milliseconds(500))
    drawer.stage.press("+")
    drawer.stage.advance(by: .seconds(2))
    drawer.stage.press("+")
    drawer.stage.advance(by: .seconds(2))
    #expect(drawer.api.socks.map(\.sogginess) == [55, 40])
    drawer.press("u")
    #expect(drawer.api.socks.map(\.sogginess) == [50, 40])
    drawer.press("u")
    #expect(drawer.api.socks.map(\.sogginess) == [40, 40])
  }

  @Test(arguments: [false, true])
  func `a key that changes nothing at the end of the range leaves nothing to undo`(isOpen: Bool) {
    var all = Sock.numbered(2)
    all[0].sogginess = 95
    let drawer = DrawerOnStage(all)
    if isOpen { drawer.press(.enter) }
    // On the slider of the open sock, and in the list.
    let key: KeyPress = isOpen ? .right : "+"
    drawer.press(key)
    drawer.stage.advance(by: .seconds(2))
    drawer.press(key)
    #expect(drawer.api.socks.map(\.sogginess) == [100, 40])
    drawer.press("u")
    #expect(drawer.api.socks.map(\.sogginess) == [95, 40])
    #expect(!drawer.model.canUndo)
  }

  @Test func `the slider beside the list is moved by the mouse, and the keys stay with the list`()
    throws
  {
    let drawer = DrawerOnStage(Sock.numbered(2), size: Size(width: 120, height: 20))
    drawer.stage.advance(by: .seconds(1))
    let knob = try #require(drawer.stage.place(of: "●"))
    drawer.stage.send(MouseEvent(.press, at: Point(x: knob.x + 2, y: knob.y)))
    drawer.stage.send(MouseEvent(.drag, at: Point(x: knob.x + 4, y: knob.y)))
    drawer.stage.send(MouseEvent(.release, at: Point(x: knob.x + 4, y: knob.y)))
    drawer.stage.advance(by: .seconds(1))
    #expect(drawer.stage.place(of: "●") == Point(x: knob.x + 4, y: knob.y))
    #expect(drawer.api.socks.map(\.sogginess) == [65, 40])
    drawer.stage.press(.down)
    #expect(drawer.selected == "Sock 000001")
    drawer.stage.press("u")
    drawer.stage.advance(by: .seconds(1))
    #expect(drawer.api.socks.map(\.sogginess) == [40, 40])
  }

  @Test func `a slider that is dragged while another sock is selected does not move that one`()
    throws
  {
    let drawer = DrawerOnStage(Sock.numbered(2), size: Size(width: 120, height: 20))
    drawer.stage.advance(by: .seconds(1))
    let knob = try #require(drawer.stage.place(of: "●"))
    drawer.stage.send(MouseEvent(.press, at: Point(x: knob.x + 2, y: knob.y)))
    drawer.stage.press("j")
    drawer.stage.advance(by: .seconds(1))
    drawer.stage.send(MouseEvent(.drag, at: Point(x: knob.x + 4, y: knob.y)))
    drawer.stage.send(MouseEvent(.release, at: Point(x: knob.x + 4, y: knob.y)))
    drawer.stage.advance(by: .seconds(1))
    #expect(drawer.selected == "Sock 000001")
    #expect(drawer.api.socks.map(\.sogginess) == [55, 40])
  }

  @Test func `undoing a pairing restores the former pair of a sock that is no longer listed`() {
    var all = Sock.numbered(5)
    (all[0].pair, all[1].pair) = (all[1].id, all[0].id)
    let drawer = DrawerOnStage(all)
    drawer.press("p", "/", "0", "0", "4", .enter)
    #expect(drawer.selected == "Sock 000004")
    drawer.press("p")
    #expect(drawer.api.socks.map(\.pair) == [all[4].id, nil, nil, nil, all[0].id])
    drawer.press("u")
    #expect(drawer.api.socks.map(\.pair) == [all[1].id, all[0].id, nil, nil, nil])
  }

  @Test func `an added sock that the search does not find is removed by undo, and nothing else`() {
    let drawer = DrawerOnStage(Sock.numbered(3))
    drawer.press("+", "/", "0", "0", "2", .enter)
    drawer.model.add()
    drawer.model.form?[.name] = "Blue"
    drawer.model.submit()
    drawer.stage.advance(by: .seconds(1))
    #expect(drawer.api.socks.contains { $0.name == "Blue" })
    #expect(!drawer.stage.text.contains("Blue"))
    drawer.stage.press("u")
    drawer.stage.advance(by: .seconds(9))
    #expect(drawer.api.socks.map(\.name) == ["Sock 000000", "Sock 000001", "Sock 000002"])
    #expect(drawer.api.socks.map(\.sogginess) == [45, 40, 40])
    drawer.press("u")
    #expect(drawer.api.socks.map(\.sogginess) == [40, 40, 40])
  }

  @Test func `an added sock that undo removes is brought back by another undo`() {
    let drawer = DrawerOnStage(Sock.numbered(3))
    drawer.press("+")
    drawer.model.add()
    drawer.model.form?[.name] = "Blue"
    drawer.model.submit()
    drawer.stage.advance(by: .seconds(1))
    drawer.press("u")
    #expect(drawer.stage.text.contains("removed in 4 s"))
    drawer.press("u")
    drawer.stage.advance(by: .seconds(9))
    #expect(drawer.api.socks.contains { $0.name == "Blue" })
    #expect(drawer.api.socks.map(\.sogginess).contains(45))
    // What was changed before it is undone next.
    drawer.press("u")
    #expect(!drawer.api.socks.map(\.sogginess).contains(45))
    #expect(drawer.api.socks.count == 4)
  }

  @Test func `editing a sock whose removal counts down stops the removal`() {
    let drawer = DrawerOnStage(Sock.numbered(3))
    drawer.stage.advance(by: .seconds(1))
    drawer.press("x")
    drawer.press("e")
    drawer.model.form?[.name] = "Sock 000000, darned"
    drawer.model.submit()
    drawer.stage.advance(by: .seconds(9))
    #expect(drawer.api.socks.count == 3)
    #expect(drawer.api.socks[0].name == "Sock 000000, darned")
  }

  /// Returns a drawer in which a sock was made wetter and then another one added, which is selected.
  private func drawerWithAddedSock() -> DrawerOnStage {
    let drawer = DrawerOnStage(Sock.numbered(3))
    drawer.press("+")
    drawer.model.add()
    drawer.model.form?[.name] = "A blue one"
    drawer.model.submit()
    drawer.stage.advance(by: .seconds(1))
    drawer.press("g")
    #expect(drawer.selected == "A blue one")
    return drawer
  }

  @Test func `after editing has stopped its removal, the addition of a sock is undone`() {
    let drawer = drawerWithAddedSock()
    drawer.stage.press("x", "e", .escape, "u")
    drawer.stage.advance(by: .seconds(9))
    #expect(drawer.api.socks.map(\.sogginess) == [45, 40, 40])
  }

  @Test func `the addition of a sock that was removed since is not undone, but what was before`() {
    let drawer = drawerWithAddedSock()
    drawer.stage.press("x")
    drawer.stage.advance(by: .seconds(9))
    #expect(drawer.api.socks.map(\.sogginess) == [45, 40, 40])
    drawer.press("u")
    #expect(drawer.api.socks.map(\.sogginess) == [40, 40, 40])
  }

  @Test func `marked socks that are no longer listed are changed, removed and brought back`() {
    let all = Sock.numbered(5)
    let drawer = DrawerOnStage(all)
    drawer.press("t", .down, "t", "/", "0", "0", "4", .enter)
    #expect(drawer.selected == "Sock 000004")
    drawer.press("+")
    #expect(drawer.api.socks.map(\.sogginess) == [45, 45, 40, 40, 40])
    drawer.press("u")
    #expect(drawer.api.socks.map(\.sogginess) == [40, 40, 40, 40, 40])
    drawer.press("x")
    drawer.stage.press("u")
    drawer.stage.advance(by: .seconds(9))
    #expect(drawer.api.socks.count == 5)
    drawer.press(.escape, .escape)
    drawer.press("g", "t", "/", "0", "0", "4", .enter)
    drawer.stage.press("x")
    drawer.stage.advance(by: .seconds(9))
    #expect(drawer.api.socks.map(\.id) == all.dropFirst().map(\.id))
  }

  @Test func `each key press changes marked socks by a step, whether or not they are listed`() {
    let drawer = DrawerOnStage(Sock.numbered(5))
    drawer.press("t", "/", "0", "0", "4", .enter)
    #expect(drawer.selected == "Sock 000004")
    func sogginess() -> Int { drawer.api.socks[0].sogginess }
    drawer.stage.press("+", "+")
    drawer.stage.advance(by: .seconds(1))
    #expect(sogginess() == 50)
    drawer.stage.press("+", "-")
    drawer.stage.advance(by: .seconds(1))
    #expect(sogginess() == 50)
    // Also after the list was loaded again.
    drawer.press("+", "+")
    #expect(sogginess() == 60)
    drawer.api.changeElsewhere { $0[0].sogginess = 20 }
    drawer.stage.advance(by: .seconds(1))
    drawer.press("+")
    #expect(sogginess() == 25)
    drawer.press("u")
    #expect(sogginess() == 20)
  }

  @Test func `a failed change of a marked sock that is not listed is among the changes`() {
    let drawer = DrawerOnStage(Sock.numbered(5), size: Size(width: 80, height: 12))
    drawer.press("t", "/", "0", "0", "4", .enter)
    drawer.api.script(.update, .fails(SockError.store(.full(path: "socks.sqlite"))))
    drawer.press("+", "c")
    let changes = drawer.stage.lines.filter { $0.contains("│ Sock 000000") }
    #expect(changes.map { $0.contains("sogginess ✗ There is no space") } == [true])
    drawer.press("R")
    #expect(drawer.stage.frame.text.contains("All changes are saved."))
    #expect(drawer.api.socks[0].sogginess == 45)
  }

  @Test func `a removal whose time is over is not undone, but what was done before`() {
    let drawer = DrawerOnStage(Sock.numbered(3))
    drawer.stage.advance(by: .seconds(1))
    drawer.stage.press("+", .down, "x")
    drawer.stage.advance(by: .seconds(7))
    #expect(drawer.api.socks.count == 2)
    drawer.press("u")
    #expect(drawer.api.socks.count == 2)
    #expect(drawer.api.socks.allSatisfy { $0.sogginess == 40 })
  }

  @Test func `undoing a change of a sock that is gone names it, and can only be dismissed`()
    async throws
  {
    let all = Sock.numbered(3)
    let drawer = DrawerOnStage(all)
    drawer.stage.advance(by: .seconds(1))
    drawer.press("+", .down)
    // Another process.
    try await drawer.api.remove(all[0].id)
    drawer.stage.advance(by: .seconds(7))
    #expect(!drawer.stage.text.contains("Sock 000000"))
    drawer.press("u")
    #expect(drawer.stage.text.contains("“Sock 000000” was not changed."))
    #expect(drawer.stage.text.contains("to dismiss"))
    #expect(!drawer.stage.text.contains("to retry"))
    drawer.stage.advance(by: ToastQueue.showingTime)
    #expect(drawer.toasts.count == 0)
  }

  @Test func `a marked sock that another process has removed is unmarked by its failed change`()
    async throws
  {
    let all = Sock.numbered(3)
    let drawer = DrawerOnStage(all)
    drawer.press("t", .down, "t")
    try await drawer.api.remove(all[0].id)
    drawer.stage.advance(by: .seconds(1))
    #expect(drawer.stage.lines[0].contains("2 marked"))
    drawer.press("+")
    #expect(drawer.stage.text.contains("The sogginess of “Sock 000000” was not saved."))
    #expect(drawer.stage.lines[0].contains("1 marked"))
    #expect(drawer.api.socks.map(\.sogginess) == [45, 40])
  }

  @Test func `marked socks are changed, removed and brought back together`() {
    let drawer = DrawerOnStage(Sock.numbered(5))
    drawer.stage.advance(by: .seconds(1))
    drawer.press("t", .down, .down, "t", "+")
    #expect(drawer.api.socks.map(\.sogginess) == [45, 40, 45, 40, 40])
    #expect(drawer.stage.lines[0].contains("by name · 2 marked"))
    drawer.press("x")
    #expect(drawer.stage.lines.count { $0.contains("removed in") } == 2)
    drawer.stage.press("u")
    drawer.stage.advance(by: .seconds(7))
    #expect(drawer.api.socks.count == 5)
    drawer.press("t", .escape, "+")
    #expect(drawer.api.socks.map(\.sogginess) == [45, 40, 50, 40, 40])
  }

  @Test func `all changes that are not kept are listed by a key`() {
    let drawer = DrawerOnStage(Sock.numbered(5), size: Size(width: 80, height: 12))
    drawer.stage.advance(by: .seconds(1))
    drawer.api.script(.update, .fails(SockError.store(.full(path: "socks.sqlite"))))
    drawer.press("+", .down, "x", "c")
    #expect(drawer.stage.frame.text.contains("─ Changes ─"))
    let changes = drawer.stage.lines.filter { $0.contains("│ Sock 0") }
    #expect(changes.count == 2)
    #expect(changes.first?.contains("sogginess ✗ There is no space left to save socks.") == true)
    #expect(changes.last?.contains("removal waiting") == true)
    drawer.stage.press("R")
    drawer.stage.advance(by: .seconds(7))
    #expect(drawer.stage.frame.text.contains("All changes are saved."))
  }
  @Test func `of two failed changes of a sock only the selected one is retried, and keeps its row`()
  {
    let drawer = DrawerOnStage(Sock.numbered(3), size: Size(width: 80, height: 12))
    drawer.stage.advance(by: .seconds(1))
    let full = SockError.store(.full(path: "socks.sqlite"))
    drawer.api.script(.update, .fails(full))
    drawer.api.script(.remove, .fails(full))
    drawer.stage.press("+", "x")
    drawer.stage.advance(by: .seconds(7))
    drawer.stage.press("c")
    func changes() -> [String] { drawer.stage.lines.filter { $0.contains("│ Sock 0") } }
    #expect(changes().map { $0.contains("removal ✗") } == [true, false])
    #expect(changes().map { $0.contains("sogginess ✗") } == [false, true])
    drawer.api.script(.update, .fails(full))
    drawer.stage.press(.down, "R")
    drawer.stage.advance(by: .seconds(7))
    #expect(changes().map { $0.contains("sogginess ✗") } == [false, true])
    drawer.stage.press("R")
    drawer.stage.advance(by: .seconds(7))
    #expect(changes().map { $0.contains("removal ✗") } == [true])
    #expect(drawer.api.socks.map(\.sogginess) == [45, 40, 40])
    drawer.press("X")
    #expect(drawer.stage.frame.text.contains("All changes are saved."))
    #expect(drawer.api.socks.count == 3)
  }
}
