/// Text from a server, an address or a library, made safe to stand in a message: one line, no
/// control characters, no invisible reordering of what surrounds it, at most `limit` characters.
func cleaned(_ text: String, limit: Int = 200) -> String {
  var result = ""
  var count = 0
  for scalar in text.unicodeScalars where isPrintable(scalar) {
    guard count < limit else { return result + "…" }
    result.unicodeScalars.append(scalar)
    count += 1
  }
  return result
}

private func isPrintable(_ scalar: Unicode.Scalar) -> Bool {
  switch scalar.properties.generalCategory {
  // `format` holds the bidirectional overrides and isolates.
  case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .unassigned: false
  default: true
  }
}
