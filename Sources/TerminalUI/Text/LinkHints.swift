/// Letters drawn over the links on the screen; the user types them to choose a link.
///
/// A link can also be chosen by its number, wherever it is in the text.
@MainActor
struct LinkHints {
  /// The letters or digits typed so far.
  let typed: String
  private var links: [(tag: Int, row: Int, column: Int)] = []

  init(typed: String) { self.typed = typed }

  // Letters of the home row come first.
  private static let alphabet = Array("asdfghjklqwertyuiopzxcvbnm")

  /// Adds the links of a row; a link that continues on the next line is added once.
  mutating func add(linksOf line: StyledLine, row: Int) {
    var column = 0
    for run in line.runs {
      if let tag = run.tag, !links.contains(where: { $0.tag == tag }) {
        links.append((tag, row, column))
      }
      column += run.width
    }
  }

  /// The letters of each link; all have the same length, so that none is a prefix of another.
  private var labels: [String] {
    var length = 1
    var base = Self.alphabet.count
    while links.count > base {
      base *= Self.alphabet.count
      length += 1
    }
    return links.indices.map { index in
      var (rest, label) = (index, "")
      for _ in 0..<length {
        label = String(Self.alphabet[rest % Self.alphabet.count]) + label
        rest /= Self.alphabet.count
      }
      return label
    }
  }

  /// Draws the letters over the beginnings of the links.
  func draw(in region: Region, _ environment: EnvironmentValues) {
    var style = environment.style
    style.foreground = environment.theme.accent
    style.attributes = [.bold, .reverse]
    for (link, label) in zip(links, labels) where label.hasPrefix(typed) {
      region.write(label, x: link.column, y: link.row, style: style)
    }
  }

  func declareKeys(_ context: ViewContext, _ links: RichText.Links) {
    let labels = labels
    let isNumber = !typed.isEmpty && typed.allSatisfy(\.isNumber)
    let byNumber = self.links.isEmpty ? "no link here, open by number" : "open by number"
    // Before a number is typed, Enter does nothing, but is not left to the view behind.
    context.declare(
      .enter, label: isNumber ? "open link \(typed)" : byNumber, footer: isNumber ? .first : .never
    ) {
      guard let number = Int(typed) else { return }
      links.hints.wrappedValue = nil
      links.open(number)
    }
    context.declare(action: .cancel, footer: .first) {
      links.hints.wrappedValue = nil
    }
    context.declare(.backspace, label: "delete") {
      links.hints.wrappedValue = String(typed.dropLast())
    }
    for letter in Set(labels.joined()) where !isNumber {
      context.declare(KeyPress(.character(letter)), label: "open link") { [tags = self.links] in
        let now = typed + String(letter)
        if let index = labels.firstIndex(of: now) {
          links.hints.wrappedValue = nil
          links.open(tags[index].tag)
        } else if labels.contains(where: { $0.hasPrefix(now) }) {
          links.hints.wrappedValue = now
        }
      }
    }
    guard typed.isEmpty || isNumber, typed.count < 6 else { return }
    for digit in "1234567890" {
      // The footer names all digits beside the first one.
      let isNamed = digit == "1" && typed.isEmpty
      context.declare(
        KeyPress(.character(digit)), label: isNamed ? "to 9: \(byNumber)" : "number",
        footer: isNamed ? .first : .never
      ) {
        links.hints.wrappedValue = typed + String(digit)
      }
    }
  }
}
