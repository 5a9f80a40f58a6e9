extension String {
  /// Without what a file of text should not have: control characters but the ends of lines, and
  /// marks that turn the direction of what follows.
  var withoutControls: String {
    func isControl(_ scalar: Unicode.Scalar) -> Bool {
      switch scalar.value {
      case 0x0A: false
      case 0...0x1F, 0x7F...0x9F, 0x061C, 0x200E...0x200F, 0x2028...0x202E, 0x2066...0x2069: true
      default: false
      }
    }
    guard unicodeScalars.contains(where: isControl) else { return self }
    return String(UnicodeScalarView(unicodeScalars.filter { !isControl($0) }))
  }
}
