import Testing

@testable import Terminal

/// The sequences that set a title and show a notification.
@Suite struct TitleTests {
  private func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

  @Test func `a title is what can be seen of it, cut to what a window shows`() {
    #expect(text(TitleSequence.bytes("(3) argyle")) == "\u{1B}]2;(3) argyle\u{1B}\\")
    #expect(
      text(TitleSequence.bytes("a\u{1B}\\\u{7}b\u{9C}\u{202E}c\nd"))
        .dropFirst(4).dropLast(2).unicodeScalars.allSatisfy {
          $0.value >= 0x20 && $0.value < 0x7F || $0.value > 0x9F && $0.value != 0x202E
        })
    #expect(
      text(TitleSequence.bytes(String(repeating: "x", count: 500)))
        == "\u{1B}]2;\(String(repeating: "x", count: 80))\u{1B}\\")
  }

  @Test func `where no title can be brought back, none stays`() {
    #expect(text(TitleSequence.restore) == "\u{1B}]2;\u{1B}\\\u{1B}[23;2t")
  }

  @Test func `a notification is one sequence of the kind that the terminal has`() {
    #expect(
      text(NotificationKind.osc9.bytes("3 new articles", title: "Argyle"))
        == "\u{1B}]9;Argyle: 3 new articles\u{1B}\\")
    #expect(
      text(NotificationKind.osc777.bytes("a; b\u{1B}]52;c;QQ==\u{7}", title: "Ar;gyle"))
        .hasPrefix("\u{1B}]777;notify;Ar,gyle;a; b"))
    let hostile = text(NotificationKind.osc777.bytes("\u{1B}]52;c;QQ==\u{7}", title: "t"))
    #expect(hostile.unicodeScalars.count { $0 == "\u{1B}" } == 2)
    #expect(!hostile.unicodeScalars.contains("\u{7}"))
  }
}
