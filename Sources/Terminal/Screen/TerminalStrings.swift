import CNcurses
import Foundation

/// The control strings that switch the terminal to full screen and back.
struct TerminalStrings: Sendable {
  private let enterScreen: [UInt8]
  private let leaveScreen: [UInt8]
  private let hideCursor: [UInt8]
  private let showCursor: [UInt8]
  private let plain: [UInt8]
  private let wholeScreenScrolls: [UInt8]

  /// Reads the strings of the terminal that is current in ncurses.
  @MainActor
  init() {
    enterScreen = TerminalStrings.capability("smcup")
    hideCursor = TerminalStrings.capability("civis")
    showCursor = TerminalStrings.capability("cnorm")
    plain = TerminalStrings.capability("sgr0") + TerminalStrings.capability("op")
    let region = TerminalStrings.capability("csr")
    wholeScreenScrolls = region.starts(with: Array("\u{1B}[".utf8)) ? Array("\u{1B}[r".utf8) : []
    let leave = TerminalStrings.capability("rmcup")
    // A terminal without an alternate screen keeps the last frame: output continues below it.
    leaveScreen = leave.isEmpty ? Array("\u{1B}[999;1H\r\n".utf8) : leave
  }

  /// Returns the string that switches from any state to a full screen with a hidden cursor,
  /// bracketed paste and focus reports, and with the mouse if `mouse` is true.
  func enter(mouse: Bool) -> [UInt8] {
    plain + enterScreen + wholeScreenScrolls + hideCursor
      + Array((mouse ? "\u{1B}[?1000h\u{1B}[?1002h\u{1B}[?1006h" : "").utf8)
      + Array("\u{1B}[?2004h\u{1B}[?1004h".utf8)
  }

  /// Returns the string that switches back, from any state, because a frame may have been cut off
  /// anywhere.
  func leave(mouse: Bool) -> [UInt8] {
    Array("\u{1B}[?1004l\u{1B}[?2004l".utf8)
      + Array((mouse ? "\u{1B}[?1006l\u{1B}[?1002l\u{1B}[?1000l" : "").utf8)
      + wholeScreenScrolls + plain + leaveScreen + showCursor
  }

  /// Returns a capability without its padding, the delays for old hardware.
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

/// The control sequence that asks a terminal to copy text to the clipboard: OSC 52.
///
/// It is sent unwrapped. tmux accepts it if `set-clipboard` is `on`. It is not wrapped to pass
/// through tmux, because the terminal behind tmux is unknown.
enum ClipboardSequence {
  /// The maximum number of bytes; not all terminals accept longer texts.
  static let limit = 8 << 10

  /// Returns nil if the text is too long, or empty after invisible characters are removed.
  static func bytes(_ text: String) -> [UInt8]? {
    // Text that is pasted into a shell must not contain an invisible command.
    let clean = Glyphs(text).map(\.text).joined()
    guard !clean.isEmpty, clean.utf8.count <= limit else { return nil }
    return Array("\u{1B}]52;c;\(Data(clean.utf8).base64EncodedString())\u{1B}\\".utf8)
  }
}

/// The control sequences for the title of the terminal's window.
///
/// OSC 2 sets the title. XTWINOPS saves the previous one and brings it back; terminals without a
/// stack of titles ignore that.
enum TitleSequence {
  static let save = Array("\u{1B}[22;2t".utf8)
  /// Brings back the saved title; where there is none, the window has no title.
  static let restore = bytes("") + Array("\u{1B}[23;2t".utf8)
  /// No window shows a longer title.
  private static let limit = 80

  static func bytes(_ title: String) -> [UInt8] {
    Array("\u{1B}]2;\(shown(title, limit))\u{1B}\\".utf8)
  }

  /// Returns the visible characters of a text as one line, so that nothing in it can end the
  /// sequence.
  fileprivate static func shown(_ text: String, _ limit: Int) -> String {
    Glyphs(text).prefix(limit).map(\.text).joined()
  }
}

/// The sequence that asks a terminal to show a notification outside its window.
public enum NotificationKind: Hashable, Sendable {
  /// OSC 9, with a text.
  case osc9
  /// OSC 777, with a title and a text.
  case osc777

  private static let limit = 200

  /// Returns the sequence.
  ///
  /// - Parameter title: a title chosen by the program, not by its input.
  func bytes(_ text: String, title: String) -> [UInt8] {
    let text = TitleSequence.shown(text, Self.limit)
    let title = TitleSequence.shown(title, Self.limit).replacing(";", with: ",")
    switch self {
    // OSC 9 with a leading number means something else in some terminals, so the title comes first.
    case .osc9: return Array("\u{1B}]9;\(title): \(text)\u{1B}\\".utf8)
    case .osc777: return Array("\u{1B}]777;notify;\(title);\(text)\u{1B}\\".utf8)
    }
  }
}
