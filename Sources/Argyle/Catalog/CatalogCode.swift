import Loading
import TerminalUI

/// Swift code as the catalog shows it: lines, which are indented when they are put together.
///
/// The code may use `import Loading`, `import TerminalUI` and the adopter's own `Sock` (with `id`,
/// `title` and `Sock.samples`), `Post`, `Message`, `Profile` and `api`, which has a function for each
/// load and change. A test compiles the code of each page, for each value of each of its options.
struct CatalogCode {
  private(set) var lines: [String] = []

  init(_ lines: String...) { self.lines = lines }

  init(_ text: String) {
    lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
  }

  var text: String { lines.joined(separator: "\n") }

  mutating func add(_ line: String, if condition: Bool = true) {
    if condition { lines.append(line) }
  }

  /// Returns a view with these properties and with `body` in its body.
  static func view(_ name: String, _ properties: String, body: CatalogCode) -> CatalogCode {
    var code = CatalogCode("struct \(name): View {")
    for line in CatalogCode(properties).lines { code.add("  " + line) }
    code.add("")
    code.add("  var body: some View {")
    for line in body.lines { code.add(line.isEmpty ? "" : "    " + line) }
    code.add("  }")
    code.add("}")
    return code
  }

  static func + (one: CatalogCode, other: CatalogCode) -> CatalogCode {
    var code = one
    code.add("")
    for line in other.lines { code.add(line) }
    return code
  }
}

extension Duration {
  /// The duration as Swift code: `.milliseconds(200)`.
  var swift: String {
    let milliseconds = Int(self / .milliseconds(1))
    return milliseconds == 0
      ? ".zero"
      : milliseconds % 1000 == 0
        ? ".seconds(\(milliseconds / 1000))" : ".milliseconds(\(milliseconds))"
  }
}

extension Alignment {
  /// The alignment as Swift code: `.topLeading`.
  var swift: String { "." + (Self.named.first { $0.value == self }?.key ?? "center") }

  /// The names of all nine alignments.
  static let named: KeyValuePairs<String, Alignment> = [
    "topLeading": .topLeading, "top": .top, "topTrailing": .topTrailing, "leading": .leading,
    "center": .center, "trailing": .trailing, "bottomLeading": .bottomLeading,
    "bottom": .bottom, "bottomTrailing": .bottomTrailing,
  ]
}

extension HorizontalAlignment {
  var swift: String { self == .leading ? ".leading" : self == .trailing ? ".trailing" : ".center" }
}

extension VerticalAlignment {
  var swift: String { self == .top ? ".top" : self == .bottom ? ".bottom" : ".center" }
}
