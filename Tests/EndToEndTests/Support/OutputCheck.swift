/// What is in a program's output that only the text that it shows can have put there.
///
/// The renderer writes a handful of sequences, and among them nothing but printable characters.
enum OutputCheck {
  /// Every byte or scalar that must not be there, described; empty where all is well.
  static func intruders(in output: [UInt8]) -> [String] {
    var found: [String] = []
    var text: [UInt8] = []
    var index = 0
    while index < output.count {
      let byte = output[index]
      if byte == 0x1B {
        guard let length = lengthOfRenderersSequence(output[index...]) else {
          let end = min(index + 12, output.count)
          found.append("an escape at byte \(index): \(output[index..<end])")
          index += 1
          continue
        }
        index += length
        continue
      }
      // The moves of a cursor that are single bytes.
      let isMove = byte == 0x08 || byte == 0x09 || byte == 0x0A || byte == 0x0D
      if byte < 0x20, !isMove { found.append("the control \(byte)") }
      if byte >= 0x20 { text.append(byte) }
      index += 1
    }
    guard let words = String(validating: text, as: UTF8.self) else {
      return found + ["bytes that are not UTF-8"]
    }
    return found
      + words.unicodeScalars.filter(isForbidden).map { "U+\(String($0.value, radix: 16))" }
  }

  /// C1, DEL, marks that turn the direction of text, joiners, and variation selectors.
  private static func isForbidden(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x7F...0x9F, 0x200B...0x200F, 0x2028...0x202E, 0x2060...0x206F, 0x61C, 0xFEFF, 0xAD,
      0xFE00...0xFE0F, 0xE0000...0xE0FFF:
      true
    default: false
    }
  }

  /// How long a sequence is that ncurses writes for this terminal, or that opens and leaves it.
  private static func lengthOfRenderersSequence(_ bytes: ArraySlice<UInt8>) -> Int? {
    let text = bytes.prefix(32)
    let start = text.startIndex
    guard text.count >= 2 else { return nil }
    switch text[start + 1] {
    // Keypad modes, and saving and restoring the cursor.
    case UInt8(ascii: "="), UInt8(ascii: ">"), UInt8(ascii: "7"), UInt8(ascii: "8"): return 2
    // Character sets.
    case UInt8(ascii: "("), UInt8(ascii: ")"): return 3
    case UInt8(ascii: "["):
      let parameters = text.dropFirst(2).prefix {
        $0 == UInt8(ascii: "?") || $0 == UInt8(ascii: ";") || (0x30...0x39).contains($0)
      }
      guard parameters.endIndex < text.endIndex else { return nil }
      // Moves, erasures, insertions, repetition, scrolling, colours and modes: no questions to the
      // terminal, no titles, no pastes.
      let finals = "ABCDGHdfJKXPLM@STbrmhl t".utf8
      return finals.contains(text[parameters.endIndex]) ? parameters.endIndex - start + 1 : nil
    default: return nil
    }
  }
}
