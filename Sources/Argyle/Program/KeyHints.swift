import TerminalUI

/// What the keys of a form do, in a line below its fields.
struct KeyHints: View {
  private let keys: [(name: String, words: String)]

  init(_ keys: [(name: String, words: String)]) { self.keys = keys }

  var body: some View {
    keys.enumerated().reduce(Text("")) { text, key in
      text + Text(key.offset == 0 ? "" : "   ")
        + Text(key.element.name).bold().foregroundStyle(\.accent)
        + Text(" \(key.element.words)").foregroundStyle(\.secondary)
    }
    .lineLimit(1)
  }
}
