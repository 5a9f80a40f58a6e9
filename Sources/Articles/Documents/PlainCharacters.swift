extension String {
  /// Without controls beyond those of ASCII, and without marks that turn the direction of what
  /// follows.
  var withoutHiddenControls: String {
    func isUnwanted(_ scalar: Unicode.Scalar) -> Bool { scalar.value >= 0x20 && scalar.isControl }
    guard unicodeScalars.contains(where: isUnwanted) else { return self }
    return String(UnicodeScalarView(unicodeScalars.filter { !isUnwanted($0) }))
  }

  /// Without what a file of text should not have: control characters but the ends of lines, and
  /// marks that turn the direction of what follows.
  var withoutControls: String {
    func isUnwanted(_ scalar: Unicode.Scalar) -> Bool { scalar != "\n" && scalar.isControl }
    guard unicodeScalars.contains(where: isUnwanted) else { return self }
    return String(UnicodeScalarView(unicodeScalars.filter { !isUnwanted($0) }))
  }
}

extension Unicode.Scalar {
  /// Whether a terminal does something at this character, or turns the direction of what follows.
  var isControl: Bool {
    switch value {
    case 0...0x1F, 0x7F...0x9F, 0x061C, 0x200E...0x200F, 0x2028...0x202E, 0x2066...0x2069: true
    default: false
    }
  }
}
