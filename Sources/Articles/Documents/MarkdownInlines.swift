/// Writes the runs of a paragraph, a heading or a cell of a table as Markdown.
struct MarkdownInlines {
  /// Where the runs stand.
  enum Place {
    case paragraph, heading, cell
  }

  let links: [Link]
  let place: Place

  /// What is written of a run, but for the marks of its style.
  fileprivate struct Piece {
    let text: String
    var style: TextStyle = []
    /// Where it leads.
    var address: String?
  }

  func text(_ inlines: [Inline]) -> String {
    let pieces = inlines.compactMap(piece)
    var output = ""
    for (index, piece) in pieces.enumerated() {
      let before = index > 0 ? pieces[index - 1].address : nil
      let after = index + 1 < pieces.count ? pieces[index + 1] : nil
      // Runs of one link become one link.
      if let address = piece.address, address != before {
        // With it, it would be a picture.
        if output.hasSuffix("!") { output = output.dropLast() + "\\!" }
        output += "["
      }
      let closesLink = piece.address != nil && piece.address != after?.address
      let opensLink = after?.address != nil && after?.address != piece.address
      // One that has marks itself, right behind this one's, has tags.
      let next = after?.isMarkedAtOnce == true ? "<" : after?.text.first
      append(piece, to: &output, before: closesLink ? "]" : opensLink ? "[" : next)
      if closesLink, let address = piece.address { output += "](\(Self.destination(address)))" }
    }
    return place == .cell ? output.replacing("|", with: "\\|") : output
  }

  private func piece(_ inline: Inline) -> Piece? {
    func address(_ link: Int?) -> String? {
      link.flatMap { number in links.first { $0.number == number }?.address }
    }
    switch inline {
    // In one line a break is a tag: there is no mark for it.
    case .lineBreak: return Piece(text: place == .paragraph ? "\\\n" : "<br>")
    case .anchor: return nil
    case .picture(let picture, let link):
      let alt = Self.escaped(picture.alt)
      let text = picture.address.map { "![\(alt)](\(Self.destination($0)))" } ?? alt
      return text.isEmpty ? nil : Piece(text: text, address: address(link))
    case .text(let text, let style, let link):
      guard !text.isEmpty else { return nil }
      return Piece(
        text: style.contains(.code) ? Self.code(text) : Self.escaped(text), style: style,
        address: address(link))
    }
  }

  // MARK: Marks

  private func append(_ piece: Piece, to output: inout String, before next: Character?) {
    // A mark beside a blank would be no mark.
    let words = piece.text.trimmingWhiteSpace()
    guard !piece.marks.open.isEmpty, !words.isEmpty, let range = piece.text.firstRange(of: words)
    else {
      output += piece.text
      return
    }
    output += piece.text[..<range.lowerBound]
    let end = piece.text[range.upperBound...]
    let isMarkable =
      Self.flanks(words.first, outside: output.last)
      && Self.flanks(words.last, outside: end.first ?? next)
    let (open, close) = isMarkable ? piece.marks : piece.tags
    output += open + words + close + end
  }

  /// Whether a mark between two characters belongs to the one inside.
  ///
  /// Beside a letter outside it does not where there is a sign inside; and marks in a row are others.
  private static func flanks(_ inside: Character?, outside: Character?) -> Bool {
    guard let inside, !inside.isWhitespace else { return false }
    guard let outside, !outside.isWhitespace else { return true }
    guard outside != "*", outside != "~" else { return false }
    return inside.isLetter || inside.isNumber || outside.isASCII && outside.isPunctuation
  }

  // MARK: Characters with a meaning

  static func escaped(_ text: String) -> String {
    let text = text.withoutControls
    var output = ""
    for index in text.indices {
      let character = text[index]
      let isSign =
        switch character {
        case "\\", "`", "*", "_", "[", "]", "<", ">", "~": true
        // Behind a bracket it would begin a note.
        case "^": index == text.startIndex
        case "&": isReference(text[index...])
        default: false
        }
      if isSign { output.append("\\") }
      output.append(character == "\n" ? " " : character)
    }
    return output
  }

  /// Whether a text begins like `&amp;` or `&#38;`.
  private static func isReference(_ text: Substring) -> Bool {
    let name = text.dropFirst().prefix { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "#") }
    return !name.isEmpty && text[name.endIndex...].first == ";"
  }

  static func destination(_ address: String) -> String {
    let address = address.withoutControls
    var output = ""
    for index in address.indices {
      let character = address[index]
      if "()<>\\".contains(character) {
        output += "\\\(character)"
      } else if character == " " || character == "\n" {
        output += "%20"
      } else if character == "&", isReference(address[index...]) {
        output += "&amp;"
      } else {
        output.append(character)
      }
    }
    return output
  }

  private static func code(_ text: String) -> String {
    let text = text.withoutControls.replacing("\n", with: " ")
    guard text.contains(where: { $0 != " " }) else { return text }
    let ticks = String(repeating: "`", count: longestRun(of: "`", in: text) + 1)
    let isPadded = text.hasPrefix("`") || text.hasSuffix("`")
    let isStripped = text.hasPrefix(" ") && text.hasSuffix(" ")
    let pad = isPadded || isStripped ? " " : ""
    return ticks + pad + text + pad + ticks
  }

  static func longestRun(of character: Character, in text: String) -> Int {
    var (longest, run) = (0, 0)
    for other in text {
      run = other == character ? run + 1 : 0
      longest = max(longest, run)
    }
    return longest
  }
}

extension MarkdownInlines.Piece {
  /// The marks of its style, before and behind it; those of code are in its text.
  fileprivate var marks: (open: String, close: String) {
    var open = ""
    if style.contains(.strong) { open += "**" }
    if style.contains(.emphasis) { open += "*" }
    if style.contains(.strikethrough) { open += "~~" }
    return (open, String(open.reversed()))
  }

  /// Whether there is no blank before its marks.
  fileprivate var isMarkedAtOnce: Bool {
    !marks.open.isEmpty && text.first.map { !" \n".contains($0) } ?? false
  }

  /// The same as tags, which mean the same wherever they stand.
  fileprivate var tags: (open: String, close: String) {
    let names = [
      style.contains(.strong) ? "strong" : nil, style.contains(.emphasis) ? "em" : nil,
      style.contains(.strikethrough) ? "del" : nil,
    ].compactMap { $0 }
    return (
      names.map { "<\($0)>" }.joined(), names.reversed().map { "</\($0)>" }.joined()
    )
  }
}
