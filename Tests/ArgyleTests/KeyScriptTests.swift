import Terminal
import Testing

@testable import Argyle

@Suite struct KeyScriptTests {
  @Test func `keys and times keep their order`() throws {
    let script = try KeyScript("@0.8 j  j enter\n@1.25 ctrl-d G")
    #expect(
      script.steps == [
        .time(.milliseconds(800)), .key("j"), .key("j"), .key(.enter), .time(.milliseconds(1250)),
        .key(.control("d")), .key("G"),
      ])
    #expect(script.end == .milliseconds(1250))
  }

  @Test(arguments: [
    ("enter", KeyPress.enter), ("ESC", .escape), ("space", .space), ("backtab", .backTab),
    ("pgdn", .pageDown), ("f12", KeyPress(.function(12))), ("@", "@"), ("é", "é"), ("猫", "猫"),
    ("alt-left", KeyPress(.left, modifiers: .alt)), ("ctrl-X", .control("x")),
    ("alt-ctrl-b", KeyPress(.character("b"), modifiers: [.alt, .control])), ("-", "-"), ("f", "f"),
  ])
  func `keys go by their names`(name: String, key: KeyPress) throws {
    #expect(try KeyScript(name).steps == [.key(key)])
  }

  @Test(arguments: ["jj", "f0", "f21", "ctrl-", "ctrl-nothing", "entr"])
  func `a key that does not exist is named`(name: String) {
    #expect(throws: KeyScript.Failure.unknownKey(name)) { try KeyScript(name) }
  }

  @Test(arguments: ["@x", "@-1", "@nan", "@inf", "@3601", "@1,5"])
  func `a time that is none is named`(time: String) {
    #expect(throws: KeyScript.Failure.unusableTime(time)) { try KeyScript(time) }
  }

  @Test func `time does not go backwards`() {
    #expect(throws: KeyScript.Failure.earlier("@0.5")) { try KeyScript("@1 j @0.5") }
  }

  @Test func `no keys are a script too`() throws {
    #expect(try KeyScript(" \n").steps.isEmpty)
  }

  @Test func `the mouse and the size of the screen are words, too`() throws {
    let script = try KeyScript("click:12,3 drag:1,1:20,2 wheel-up:5,5 wheel-down:5,5 size:80x24 :")
    let (place, start, end) = (Point(x: 11, y: 2), Point(x: 0, y: 0), Point(x: 19, y: 1))
    let wheel = Point(x: 4, y: 4)
    #expect(
      script.steps == [
        .mouse([MouseEvent(.press, at: place), MouseEvent(.release, at: place)]),
        .mouse([
          MouseEvent(.press, at: start), MouseEvent(.drag, at: end), MouseEvent(.release, at: end),
        ]),
        .mouse([MouseEvent(.wheelUp, at: wheel)]), .mouse([MouseEvent(.wheelDown, at: wheel)]),
        .resize(Size(width: 80, height: 24)), .key(":"),
      ])
  }

  @Test(arguments: ["click:0,1", "click:1", "click:1,1:2,2", "drag:1,1", "poke:1,1", "click:a,b"])
  func `a place that is none is refused`(word: String) {
    #expect(throws: KeyScript.Failure.unusablePlace(word)) { try KeyScript(word) }
  }

  @Test func `a size that is none is refused`() {
    #expect(throws: KeyScript.Failure.unusableSize("size:0x1")) { try KeyScript("size:0x1") }
  }
}
