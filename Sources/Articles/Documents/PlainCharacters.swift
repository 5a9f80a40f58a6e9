extension String {
  /// Whether it has more than white space and invisible characters, such as zero-width spaces.
  var isVisible: Bool {
    utf8.contains { 0x21...0x7E ~= $0 }
      || unicodeScalars.contains {
        !$0.isControl && !$0.properties.isWhitespace && !$0.properties.isDefaultIgnorableCodePoint
      }
  }

  /// The text without control characters from U+007F on, and without characters that change the
  /// text direction.
  ///
  /// Control characters below U+0020, such as tabs and line ends, stay.
  var withoutHiddenControls: String {
    func isUnwanted(_ scalar: Unicode.Scalar) -> Bool { scalar.value >= 0x20 && scalar.isControl }
    guard unicodeScalars.contains(where: isUnwanted) else { return self }
    return String(UnicodeScalarView(unicodeScalars.filter { !isUnwanted($0) }))
  }

  /// The text without control characters other than `\n`, and without characters that change the
  /// text direction.
  var withoutControls: String {
    func isUnwanted(_ scalar: Unicode.Scalar) -> Bool { scalar != "\n" && scalar.isControl }
    guard unicodeScalars.contains(where: isUnwanted) else { return self }
    return String(UnicodeScalarView(unicodeScalars.filter { !isUnwanted($0) }))
  }

  /// The text as HTML and XML write it, in an element or an attribute.
  public var escaped: String {
    unicodeScalars.reduce(into: "") { output, scalar in
      if let reference = scalar.reference {
        output += reference
      } else {
        output.unicodeScalars.append(scalar)
      }
    }
  }
}

extension Unicode.Scalar {
  /// Whether the character controls a terminal or changes the text direction.
  var isControl: Bool {
    switch value {
    case 0...0x1F, 0x7F...0x9F, 0x061C, 0x200E...0x200F, 0x2028...0x202E, 0x2066...0x2069: true
    default: false
    }
  }

  /// The reference that stands for the character in HTML and XML; nil if it needs none.
  var reference: String? {
    switch self {
    case "&": "&amp;"
    case "<": "&lt;"
    case ">": "&gt;"
    case "\"": "&quot;"
    default: nil
    }
  }
}
