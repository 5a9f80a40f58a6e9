extension KeyTable {
  /// Every action with the keys that it has by default, a table for each section: a part of the
  /// handbook, which so never names a key that there is not.
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
