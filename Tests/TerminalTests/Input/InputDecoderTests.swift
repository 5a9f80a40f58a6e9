import Testing

@testable import Terminal

/// What bytes mean when silence follows them.
private func events(_ text: String) -> [InputEvent] { events(Array(text.utf8)) }

private func events(_ bytes: [UInt8]) -> [InputEvent] {
  var decoder = InputDecoder()
  var events: [InputEvent] = []
  decoder.decode(bytes, into: &events)
  decoder.flush(into: &events)
  return events
}

private func keys(_ text: String) -> [KeyPress] {
  events(text).compactMap { if case .key(let key) = $0 { key } else { nil } }
}

private func key(_ key: KeyPress.Key, _ modifiers: KeyPress.Modifiers = []) -> [KeyPress] {
  [KeyPress(key, modifiers: modifiers)]
}

@Suite struct KeyDecodingTests {
  @Test func `characters are keys, of any script`() {
    #expect(keys("aZ é字🙂") == ["a", "Z", " ", "é", "字", "🙂"])
  }

  @Test func `the focus comes and goes`() {
    #expect(events("\u{1B}[I\u{1B}[O") == [.focus(true), .focus(false)])
    #expect(events("a\u{1B}[Ob") == [.key("a"), .focus(false), .key("b")])
    #expect(events("\u{1B}[5I\u{1B}[5O") == [])
  }

  @Test func `controls are the keys that people press for them`() {
    #expect(keys("\r\n\t\u{7F}\u{8}") == [.enter, .enter, .tab, .backspace, .backspace])
    #expect(keys("\u{1}\u{1A}\u{0}") == [.control("a"), .control("z"), .control(" ")])
    #expect(
      keys("\u{1C}\u{1D}\u{1E}\u{1F}") == [
        .control("\\"), .control("]"), .control("^"), .control("_"),
      ])
  }

  @Test(arguments: [
    ("\u{1B}[A", KeyPress.up), ("\u{1B}[B", .down), ("\u{1B}[C", .right), ("\u{1B}[D", .left),
    ("\u{1B}OA", .up), ("\u{1B}OB", .down), ("\u{1B}OC", .right), ("\u{1B}OD", .left),
    ("\u{1B}[H", .home), ("\u{1B}OH", .home), ("\u{1B}[1~", .home), ("\u{1B}[7~", .home),
    ("\u{1B}[F", .end), ("\u{1B}OF", .end), ("\u{1B}[4~", .end), ("\u{1B}[8~", .end),
    ("\u{1B}[2~", KeyPress(.insert)), ("\u{1B}[3~", .delete), ("\u{1B}[5~", .pageUp),
    ("\u{1B}[6~", .pageDown), ("\u{1B}[Z", .backTab), ("\u{1B}OM", .enter), ("\u{1B}Op", "0"),
    ("\u{1B}Ok", "+"), ("\u{1B}\t", .backTab),
  ])
  func `every terminal's arrows and editing keys are known`(bytes: String, key: KeyPress) {
    #expect(keys(bytes) == [key])
  }

  @Test func `function keys of xterm, rxvt and the Linux console are known`() {
    let xterm = ["OP", "OQ", "OR", "OS", "[15~", "[17~", "[18~", "[19~", "[20~", "[21~", "[23~"]
    let rxvt = ["[11~", "[12~", "[13~", "[14~", "[15~", "[17~", "[18~"]
    let linux = ["[[A", "[[B", "[[C", "[[D", "[[E", "[17~"]
    for sequences in [xterm, rxvt, linux] {
      let expected = sequences.indices.map { KeyPress(.function($0 + 1)) }
      #expect(keys(sequences.map { "\u{1B}" + $0 }.joined()) == expected)
    }
    #expect(
      keys("\u{1B}[24~\u{1B}[25~\u{1B}[29~\u{1B}[34~").map(\.key)
        == [12, 13, 16, 20].map(KeyPress.Key.function))
  }

  @Test func `modifiers are told`() {
    #expect(keys("\u{1B}[1;2A") == key(.up, .shift))
    #expect(keys("\u{1B}[1;3A") == key(.up, .alt))
    #expect(keys("\u{1B}[1;5D") == key(.left, .control))
    #expect(keys("\u{1B}[1;8C") == key(.right, [.shift, .alt, .control]))
    #expect(keys("\u{1B}[3;5~") == key(.delete, .control))
    #expect(keys("\u{1B}[1;5P") == key(.function(1), .control))
    #expect(keys("\u{1B}O5P") == key(.function(1), .control))
    #expect(keys("\u{1B}[a\u{1B}Oa") == key(.up, .shift) + key(.up, .control))
    #expect(
      keys("\u{1B}[3$\u{1B}[3^\u{1B}[3@").map(\.modifiers) == [
        .shift, .control, [.shift, .control],
      ])
  }

  @Test func `keys told by the number of their character are those characters`() {
    #expect(keys("\u{1B}[97;5u") == [.control("a")])
    #expect(keys("\u{1B}[13;5u\u{1B}[27;5;13~") == key(.enter, .control) + key(.enter, .control))
    #expect(keys("\u{1B}[27u\u{1B}[9;2u") == [.escape, .backTab])
    #expect(keys("\u{1B}[57358u").isEmpty, "a key without a character")
    #expect(keys("\u{1B}[97;1:3u").isEmpty, "a release")
  }

  @Test func `Esc before a key is Alt`() {
    #expect(
      keys("\u{1B}a\u{1B}é\u{1B}\r") == key(.character("a"), .alt) + key(.character("é"), .alt)
        + key(.enter, .alt))
    #expect(keys("\u{1B}\u{1B}[A") == key(.up, .alt))
    #expect(keys("\u{1B}\u{1B}OA") == key(.up, .alt))
  }

  @Test func `Esc before something that has no Alt is a key of its own`() {
    let long = "[" + String(repeating: "1", count: 60) + "A"
    for after in [
      "[<64;5;6M", "[I", "[200~x\u{1B}[201~", "]11;rgb:0/0/0\u{7}", "[M !!", "[M \r", "[[Z", "[99~",
      "[5\r", "O!", "O5\r", "Px\u{18}", "]2;unended", "]2;cut\u{1B}[A", long,
    ] {
      #expect(events("\u{1B}\u{1B}" + after).first == .key(.escape), "\(after)")
      #expect(events("\u{1B}" + after).first != .key(.escape), "\(after)")
    }
  }

  @Test func `silence makes a lone Esc, and what Alt makes of the first bytes of sequences`() {
    #expect(keys("\u{1B}") == [.escape])
    #expect(keys("\u{1B}\u{1B}") == [.escape, .escape])
    #expect(keys("\u{1B}[") == key(.character("["), .alt))
    #expect(keys("\u{1B}O") == key(.character("O"), .alt))
    #expect(keys("\u{1B}P") == key(.character("P"), .alt))
  }

  @Test func `only what silence can decide waits for it`() {
    func pause(_ text: String) -> Int? {
      var decoder = InputDecoder()
      var events: [InputEvent] = []
      decoder.decode(Array(text.utf8), into: &events)
      return decoder.decisivePause
    }
    #expect(pause("a") == nil)
    #expect(pause("\u{1B}") == 25)
    #expect(pause("\u{1B}[") == 25)
    #expect(pause("\u{1B}[1;") == nil, "its tail must not become keys on a slow line")
    #expect(pause("\u{1B}[A") == nil)
  }

  @Test func `a sequence that a slow line cut in two is still one key`() {
    var decoder = InputDecoder()
    var events: [InputEvent] = []
    decoder.decode(Array("\u{1B}[1;".utf8), into: &events)
    decoder.flush(into: &events)
    decoder.decode(Array("5A".utf8), into: &events)
    #expect(events == [.key(KeyPress(.up, modifiers: .control))])
  }

  @Test func `what is not UTF-8 is dropped and what follows is not`() {
    #expect(events([0xFF, 0x61]) == [.key("a")])
    #expect(events([0xC3, 0x61]) == [.key("a")])
    #expect(events([0xE5, 0xAD, 0xC3, 0xA9]) == [.key("é")])
    #expect(events([0xC0, 0x80, 0xED, 0xA0, 0x80, 0xF5, 0x80, 0x80, 0x80]).isEmpty)
    #expect(events([0x1B, 0xFF, 0x61]) == [.key("a")], "Alt ends with the broken character")
  }
}

@Suite struct SequenceSwallowingTests {
  @Test(arguments: [
    "\u{1B}[?1;2c", "\u{1B}[>41;354;0c", "\u{1B}[24;80R", "\u{1B}[0n",
    "\u{1B}[?2026;2$y", "\u{1B}[8;24;80t", "\u{1B}[201~", "\u{1B}[99~", "\u{1B}[!p", "\u{1B}O~",
    "\u{1B}]10;rgb:ffff/ffff/ffff\u{1B}\\", "\u{1B}]4;0;rgb:0/0/0\u{7}",
    "\u{1B}P1+r524742=38\u{1B}\\", "\u{1B}_Gi=31;OK\u{1B}\\", "\u{1B}[[Z",
    "\u{1B}[999999999999999999999999;99999999999999999999999999A".dropLast() + "z",
  ])
  func `an answer nobody asked for is swallowed whole`(sequence: String) {
    #expect(events(sequence + "k") == [.key("k")])
  }

  @Test func `a sequence too long to mean anything is swallowed up to its end`() {
    let long = "\u{1B}[" + String(repeating: "1;", count: 100_000) + "A"
    #expect(events(long + "k") == [.key("k")])
    #expect(events("\u{1B}]" + String(repeating: "x", count: 100_000) + "\u{7}k") == [.key("k")])
  }

  @Test func `a sequence cut off by a key gives that key`() {
    #expect(events("\u{1B}[1;\r") == [.key(.enter)])
    #expect(events("\u{1B}[1;\u{1B}[A") == [.key(.up)])
    #expect(events("\u{1B}[M\u{1B}[A") == [.key(.up)])
  }
}

@Suite struct MouseDecodingTests {
  @Test func `clicks and the wheel are told with their place`() {
    #expect(
      events("\u{1B}[<0;1;1M\u{1B}[<0;300;200m") == [
        .mouse(MouseEvent(.press, at: Point(x: 0, y: 0))),
        .mouse(MouseEvent(.release, at: Point(x: 299, y: 199))),
      ])
    #expect(
      events("\u{1B}[<64;5;6M\u{1B}[<65;5;6M") == [
        .mouse(MouseEvent(.wheelUp, at: Point(x: 4, y: 5))),
        .mouse(MouseEvent(.wheelDown, at: Point(x: 4, y: 5))),
      ])
  }

  @Test func `the mouse is told to move only while its main button is down`() {
    #expect(
      events("\u{1B}[<32;5;6M\u{1B}[<35;5;6M\u{1B}[<34;5;6M") == [
        .mouse(MouseEvent(.drag, at: Point(x: 4, y: 5)))
      ])
  }

  @Test func `the old report of three bytes is understood`() {
    #expect(
      events([0x1B, 0x5B, 0x4D, 0x20, 0x21, 0x22]) == [
        .mouse(MouseEvent(.press, at: Point(x: 0, y: 1)))
      ])
    #expect(
      events([0x1B, 0x5B, 0x4D, 0x23, 0xFF, 0x22]) == [
        .mouse(MouseEvent(.release, at: Point(x: 222, y: 1)))
      ])
    #expect(events("\u{1B}[32;7;8M") == [.mouse(MouseEvent(.press, at: Point(x: 6, y: 7)))])
  }

  @Test func `modifiers do not hide a click, and other buttons are none`() {
    #expect(events("\u{1B}[<16;2;2M") == [.mouse(MouseEvent(.press, at: Point(x: 1, y: 1)))])
    #expect(events("\u{1B}[<1;2;2M\u{1B}[<2;2;2M\u{1B}[<66;2;2M").isEmpty)
    #expect(events("\u{1B}[<0;0;5M\u{1B}[<0;M\u{1B}[<M").isEmpty, "there is no column 0")
  }
}

@Suite struct PasteDecodingTests {
  private let begin = "\u{1B}[200~"
  private let end = "\u{1B}[201~"

  @Test func `pasted text is one event, whatever is in it`() {
    #expect(
      events(begin + "q\r\n\u{1B}[A é" + end + "k") == [.paste("q\r\n\u{1B}[A é"), .key("k")])
    #expect(events(begin + end) == [.paste("")])
    #expect(
      events(begin + "\u{1B}\u{1B}[201\u{1B}[201~k") == [.paste("\u{1B}\u{1B}[201"), .key("k")])
  }

  @Test func `pasted bytes that are not UTF-8 are repaired`() {
    #expect(
      events(Array(begin.utf8) + [0x61, 0xFF] + Array(end.utf8)) == [.paste("a\u{FFFD}")])
  }

  @Test func `a pasted character with very many marks is cut`() throws {
    let marks = String(repeating: "\u{301}\u{328}", count: 30_000)
    guard case .paste(let text) = try #require(events(begin + "a" + marks + "b" + end).first) else {
      Issue.record("no paste")
      return
    }
    #expect(text.map(\.unicodeScalars.count) == [32, 1])
    #expect(text.first?.unicodeScalars.first == "a")
    let family = "👩‍👩‍👧e\u{301}"
    guard case .paste(let written) = try #require(events(begin + family + end).first) else {
      Issue.record("no paste")
      return
    }
    #expect(written.isIdentical(to: family))
  }

  @Test func `a paste whose end was lost ends in silence`() {
    #expect(events(begin + "abc\u{1B}[20") == [.paste("abc\u{1B}[20")])
  }

  @Test func `a huge paste is cut and still ends where it ends`() {
    let text = String(repeating: "x", count: PasteCollector.limit + 10)
    let expected: [InputEvent] = [.paste(String(text.dropLast(10))), .key("k")]
    #expect(events(begin + text + end + "k") == expected)
  }

  @Test(arguments: [
    ("\u{1B}]11;rgb:1717/1a1a/2020\u{1B}\\", Color(red: 0x17, green: 0x1A, blue: 0x20)),
    ("\u{1B}]11;rgb:ff/80/00\u{7}", Color(red: 0xFF, green: 0x80, blue: 0)),
    ("\u{1B}]11;rgb:f/8/0\u{7}", Color(red: 0xFF, green: 0x88, blue: 0)),
    ("\u{1B}]11;rgba:0000/0000/ffff/ffff\u{7}", Color(red: 0, green: 0, blue: 0xFF)),
  ])
  func `a terminal says what colour its background has`(answer: String, color: Color) {
    #expect(events("a\(answer)b") == [.key("a"), .background(color), .key("b")])
  }

  @Test(arguments: [
    "11;rgb:zz/00/00", "11;rgb:00/00", "11;rgb:00000/0/0", "10;rgb:00/00/00", "11;?", "52;c;AAAA",
    "11;rgb:" + String(repeating: "0", count: 500) + "/0/0",
  ])
  func `an answer that is none means nothing`(answer: String) {
    #expect(events("a\u{1B}]\(answer)\u{7}b") == [.key("a"), .key("b")])
  }

  @Test func `the rest of an answer that comes late is no key`() {
    var decoder = InputDecoder()
    var events: [InputEvent] = []
    decoder.decode(Array("\u{1B}]11;rgb:1717/".utf8), into: &events)
    #expect(decoder.decisivePause == 500)
    decoder.decode(Array("1a1a/2020\u{1B}\\".utf8), into: &events)
    #expect(events == [.background(Color(red: 0x17, green: 0x1A, blue: 0x20))])
  }
}
