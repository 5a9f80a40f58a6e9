/// Writes the runs of a paragraph, a heading or a cell of a table as Markdown.
struct MarkdownInlines {
  /// Where the runs are written.
  enum Place {
    case paragraph, heading, cell
  }

  let links: LinkAddresses
  let place: Place

  /// The text of a run, before its style is applied.
  fileprivate struct Piece {
    let text: String
    var style: TextStyle = []
    /// The address of its link.
    var address: String?
  }

  func text(_ inlines: [Inline]) -> String {
    let pieces = inlines.compactMap(piece)
    var output = ""
    for (index, piece) in pieces.enumerated() {
      let before = index > 0 ? pieces[index - 1].address : nil
      let after = index + 1 < pieces.count ? pieces[index + 1] : nil
      // Adjacent runs with the same link become one link.
      if let address = piece.address, address != before {
        // An unescaped "!" before the bracket would turn the link into a picture.
        if output.unicodeScalars.last == "!" {
          output.unicodeScalars.removeLast()
          output += "\\!"
        }
        output += "["
      }
      let closesLink = piece.address != nil && piece.address != after?.address
      let opensLink = after?.address != nil && after?.address != piece.address
      // If the next run begins with marks directly after this one's, it uses tags instead.
      let next = after?.isMarkedAtOnce == true ? "<" : after?.text.unicodeScalars.first
      append(piece, to: &output, before: closesLink ? "]" : opensLink ? "[" : next)
      if closesLink, let address = piece.address { output += "](\(Self.destination(address)))" }
    }
    return place == .cell ? output.replacing("|", with: "\\|") : output
  }

  private func piece(_ inline: Inline) -> Piece? {
    func address(_ link: Int?) -> String? { link.flatMap(links.address) }
    switch inline {
    // Headings and cells are one line, where a break can only be a tag.
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

  private func append(_ piece: Piece, to output: inout String, before next: Unicode.Scalar?) {
    // A mark next to a blank would not count as one.
    let words = piece.text.trimmingWhiteSpace()
    guard !piece.marks.open.isEmpty, !words.isEmpty, let range = piece.text.firstRange(of: words)
    else {
      output += piece.text
      return
    }
    output += piece.text[..<range.lowerBound]
    let end = piece.text[range.upperBound...]
    let isMarkable =
      Self.flanks(words.unicodeScalars.first, outside: output.unicodeScalars.last)
      && Self.flanks(words.unicodeScalars.last, outside: end.unicodeScalars.first ?? next)
    let (open, close) = isMarkable ? piece.marks : piece.tags
    output += open + words + close + end
  }

  /// Whether a mark between two characters applies to the inner one.
  ///
  /// It does not between a letter outside and punctuation inside, nor beside another mark: adjacent
  /// marks would combine.
  private static func flanks(_ inside: Unicode.Scalar?, outside: Unicode.Scalar?) -> Bool {
    guard let inside, !inside.properties.isWhitespace else { return false }
    guard let outside, !outside.properties.isWhitespace else { return true }
    guard outside != "*", outside != "~" else { return false }
    return inside.properties.isAlphabetic || inside.properties.numericType != nil
      || outside.isASCII && Character(outside).isPunctuation
  }

  // MARK: Characters with a meaning

  static func escaped(_ text: String) -> String {
    // By scalars: Markdown parsers recognise a sign even if a combining mark follows it.
    let scalars = text.withoutControls.unicodeScalars
    var output = String.UnicodeScalarView()
    for index in scalars.indices {
      let scalar = scalars[index]
      let isSign =
        switch scalar {
        case "\\", "`", "*", "_", "[", "]", "<", ">", "~": true
        // After a bracket it would begin a footnote.
        case "^": index == scalars.startIndex
        case "&": isReference(scalars[index...])
        default: false
        }
      if isSign { output.append("\\") }
      output.append(scalar == "\n" ? " " : scalar)
    }
    return String(output)
  }

  /// Whether a text begins with a character reference such as `&amp;` or `&#38;`.
  private static func isReference(_ text: Substring.UnicodeScalarView) -> Bool {
    let name = text.dropFirst().prefix(referenceLimit).prefix { scalar in
      switch scalar {
      case "a"..."z", "A"..."Z", "0"..."9", "#": true
      default: false
      }
    }
    return !name.isEmpty && text[name.endIndex...].first == ";"
  }

  /// No character has a longer name.
  private static let referenceLimit = 40

  static func destination(_ address: String) -> String {
    let scalars = address.withoutControls.unicodeScalars
    var output = String.UnicodeScalarView()
    for index in scalars.indices {
      let scalar = scalars[index]
      switch scalar {
      case "(", ")", "<", ">", "\\":
        output.append("\\")
        output.append(scalar)
      case " ", "\n": output.append(contentsOf: "%20".unicodeScalars)
      case "&" where isReference(scalars[index...]):
        output.append(contentsOf: "&amp;".unicodeScalars)
      default: output.append(scalar)
      }
    }
    return String(output)
  }

  private static func code(_ text: String) -> String {
    let text = text.withoutControls.replacing("\n", with: " ")
    guard text.contains(where: { $0 != " " }) else { return text }
    let ticks = String(repeating: "`", count: longestRun(of: "`", in: text) + 1)
    let (first, last) = (text.unicodeScalars.first, text.unicodeScalars.last)
    let isPadded = first == "`" || last == "`"
    let isStripped = first == " " && last == " "
    let pad = isPadded || isStripped ? " " : ""
    return ticks + pad + text + pad + ticks
  }

  static func longestRun(of scalar: Unicode.Scalar, in text: String) -> Int {
    var (longest, run) = (0, 0)
    for other in text.unicodeScalars {
      run = other == scalar ? run + 1 : 0
      longest = max(longest, run)
    }
    return longest
  }
}

extension MarkdownInlines.Piece {
  /// The opening and closing marks of its style; those of code are already part of its text.
  fileprivate var marks: (open: String, close: String) {
    let open = styles.map(\.mark).joined()
    return (open, String(open.reversed()))
  }

  private var styles: [(style: TextStyle, mark: String, tag: String)] {
    [(.strong, "**", "strong"), (.emphasis, "*", "em"), (.strikethrough, "~~", "del")]
      .filter { style.contains($0.style) }
  }

  /// Whether its marks come without a blank before them.
  fileprivate var isMarkedAtOnce: Bool {
    !marks.open.isEmpty && text.unicodeScalars.first.map { $0 != " " && $0 != "\n" } ?? false
  }

  /// The style as HTML tags, which work in any position.
  fileprivate var tags: (open: String, close: String) {
    let names = styles.map(\.tag)
    return (
      names.map { "<\($0)>" }.joined(), names.reversed().map { "</\($0)>" }.joined()
    )
  }
}
