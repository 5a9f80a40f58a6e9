import Foundation

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
