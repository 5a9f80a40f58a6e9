/// Makes text from a server, an address or a library safe to show in a message: one line, no
/// control characters, nothing that reorders the text around it, at most `limit` characters.
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
  // `format` includes the bidirectional overrides and isolates.
  case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .unassigned: false
  default: true
  }
}
