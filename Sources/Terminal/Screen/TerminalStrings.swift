import CNcurses
import Foundation

/// The control strings that switch the terminal to a full screen and back.
struct TerminalStrings: Sendable {
  private let enterScreen: [UInt8]
  private let leaveScreen: [UInt8]
  private let hideCursor: [UInt8]
  private let showCursor: [UInt8]
  private let plain: [UInt8]
  private let wholeScreenScrolls: [UInt8]

  /// The strings of the terminal that ncurses has current.
  @MainActor
  init() {
    enterScreen = TerminalStrings.capability("smcup")
    hideCursor = TerminalStrings.capability("civis")
    showCursor = TerminalStrings.capability("cnorm")
    plain = TerminalStrings.capability("sgr0") + TerminalStrings.capability("op")
    let region = TerminalStrings.capability("csr")
    wholeScreenScrolls = region.starts(with: Array("\u{1B}[".utf8)) ? Array("\u{1B}[r".utf8) : []
    let leave = TerminalStrings.capability("rmcup")
    // A terminal with one screen only keeps the picture: what follows goes below it.
    leaveScreen = leave.isEmpty ? Array("\u{1B}[999;1H\r\n".utf8) : leave
  }

  /// From any state to a full screen without a cursor, with bracketed paste and word of the focus, and
  /// the mouse if asked for.
  func enter(mouse: Bool) -> [UInt8] {
    plain + enterScreen + wholeScreenScrolls + hideCursor
      + Array((mouse ? "\u{1B}[?1000h\u{1B}[?1002h\u{1B}[?1006h" : "").utf8)
      + Array("\u{1B}[?2004h\u{1B}[?1004h".utf8)
  }

  /// Back, from any state: a frame may have been cut off anywhere.
  func leave(mouse: Bool) -> [UInt8] {
    Array("\u{1B}[?1004l\u{1B}[?2004l".utf8)
      + Array((mouse ? "\u{1B}[?1006l\u{1B}[?1002l\u{1B}[?1000l" : "").utf8)
      + wholeScreenScrolls + plain + leaveScreen + showCursor
  }

  /// The string, without the notes on how long old hardware needs for it.
  private static func capability(_ name: String) -> [UInt8] {
    guard let value = curses_capability(name) else { return [] }
    var result: [UInt8] = []
    var rest = Array(String(cString: value).utf8)[...]
    while let byte = rest.first {
      if rest.starts(with: Array("$<".utf8)), let end = rest.firstIndex(of: UInt8(ascii: ">")) {
        rest = rest[(end + 1)...]
      } else {
        result.append(byte)
        rest = rest.dropFirst()
      }
    }
    return result
  }
}

/// The control sequence that asks a terminal to put text on the clipboard: OSC 52.
///
/// It goes to the terminal as it is. tmux takes it where `set-clipboard` is `on`; it is not wrapped to
/// be passed through, because a terminal behind tmux is not the one that was looked at.
enum ClipboardSequence {
  /// Longer texts, in bytes, are none that terminals take for sure.
  static let limit = 8 << 10

  /// Nil for text of which nothing is left once it is cleaned, or too much.
  static func bytes(_ text: String) -> [UInt8]? {
    // What is pasted into a shell must not hold an order to it that nobody has seen.
    let clean = Glyphs(text).map(\.text).joined()
    guard !clean.isEmpty, clean.utf8.count <= limit else { return nil }
    return Array("\u{1B}]52;c;\(Data(clean.utf8).base64EncodedString())\u{1B}\\".utf8)
  }
}

/// The control sequences for the title of the terminal's window: OSC 2, and XTWINOPS for the title that
/// was there before, which a terminal without a stack of titles passes over.
enum TitleSequence {
  static let save = Array("\u{1B}[22;2t".utf8)
  static let restore = Array("\u{1B}[23;2t".utf8)
  /// No window shows more.
  private static let limit = 80

  static func bytes(_ title: String) -> [UInt8] {
    Array("\u{1B}]2;\(shown(title, limit))\u{1B}\\".utf8)
  }

  /// What can be seen of a text, as one line: nothing in it can end the sequence.
  fileprivate static func shown(_ text: String, _ limit: Int) -> String {
    Glyphs(text).prefix(limit).map(\.text).joined()
  }
}

/// How a terminal is asked to show a message outside of its window.
public enum NotificationKind: Hashable, Sendable {
  /// OSC 9, with a text.
  case osc9
  /// OSC 777, with a title and a text.
  case osc777

  private static let limit = 200

  /// - Parameter title: the program's own word.
  func bytes(_ text: String, title: String) -> [UInt8] {
    let text = TitleSequence.shown(text, Self.limit)
    let title = TitleSequence.shown(title, Self.limit).replacing(";", with: ",")
    switch self {
    // What begins with a number means something else in some terminals.
    case .osc9: return Array("\u{1B}]9;\(title): \(text)\u{1B}\\".utf8)
    case .osc777: return Array("\u{1B}]777;notify;\(title);\(text)\u{1B}\\".utf8)
    }
  }
}
