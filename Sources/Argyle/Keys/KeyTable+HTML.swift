extension KeyTable {
  /// A table for each section, with every action and its default keys: a part of the handbook,
  /// which thus never names a key that does not exist.
  var html: String {
    sections.map { section in
      let rows = section.actions.map { action in
        let keys = action.keys.map { "<code>\(Self.escaped("\($0)"))</code>" }
        return
          "<tr><td>\(keys.joined(separator: " "))</td><td>\(Self.escaped(action.label))</td></tr>"
      }
      return
        "<h3>\(Self.escaped(section.title))</h3>\n<table>\n\(rows.joined(separator: "\n"))\n</table>"
    }.joined(separator: "\n")
  }

  private static func escaped(_ text: String) -> String {
    text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
  }
}
