/// A view of text, wrapped between words to the available width.
///
/// ```swift
/// Text("Stale: ").bold() + Text("fetched an hour ago").foregroundStyle(\.secondary)
/// ```
public struct Text: BodilessView {
  private struct Run {
    var text: String
    var attributes: Attributes = []
    var color: Tint?
  }

  private enum Tint {
    case color(Color)
    case theme(KeyPath<Theme, Color>)
  }

  private var runs: [Run]
  private var truncation = StyledText.Truncation.tail

  /// Creates a text; it is sanitised when it is drawn.
  public init(_ text: String) { runs = [Run(text: text)] }

  /// Creates a text from a part of a string; it is sanitised when it is drawn.
  public init(_ text: some StringProtocol) { self.init(String(text)) }

  /// Joins two texts.
  public static func + (left: Text, right: Text) -> Text {
    var text = left
    text.runs += right.runs
    return text
  }

  /// Makes the text bold, if `isActive`.
  public func bold(_ isActive: Bool = true) -> Text { adding(isActive ? .bold : []) }
  /// Makes the text faint, if `isActive`.
  public func dim(_ isActive: Bool = true) -> Text { adding(isActive ? .dim : []) }
  /// Makes the text italic, if `isActive`.
  public func italic(_ isActive: Bool = true) -> Text { adding(isActive ? .italic : []) }
  /// Underlines the text, if `isActive`.
  public func underline(_ isActive: Bool = true) -> Text { adding(isActive ? .underline : []) }
  /// Strikes the text through, if `isActive`.
  public func strikethrough(_ isActive: Bool = true) -> Text {
    adding(isActive ? .strikethrough : [])
  }

  /// Gives the text a colour.
  public func foregroundStyle(_ color: Color) -> Text { tinted(.color(color)) }
  /// Gives the text one of the theme's colours.
  public func foregroundStyle(_ color: KeyPath<Theme, Color>) -> Text { tinted(.theme(color)) }

  /// Sets where a text that is limited to one line is cut.
  ///
  /// A text of several lines is always cut at the end of the last one.
  public func truncationMode(_ mode: StyledText.Truncation) -> Text {
    var text = self
    text.truncation = mode
    return text
  }

  private func adding(_ attributes: Attributes) -> Text {
    changingRuns { $0.attributes.formUnion(attributes) }
  }

  private func tinted(_ tint: Tint) -> Text {
    changingRuns { $0.color = $0.color ?? tint }
  }

  private func changingRuns(_ change: (inout Run) -> Void) -> Text {
    var text = self
    for index in text.runs.indices { change(&text.runs[index]) }
    return text
  }

  /// Appends one node for the text.
  public func _resolve(in context: ViewContext, to nodes: inout NodeList) {
    var styled = StyledText()
    for run in runs {
      var style = context.environment.style
      style.attributes.formUnion(run.attributes)
      switch run.color {
      case .color(let color): style.foreground = color
      case .theme(let path): style.foreground = context.environment.theme[keyPath: path]
      case nil: break
      }
      styled.append(run.text, style: style)
    }
    nodes.nodes.append(TextNode(context, text: styled, truncation: truncation))
  }
}

private final class TextNode: Node {
  private let text: StyledText
  private let truncation: StyledText.Truncation
  private var wrapped: (width: Int, lines: [StyledLine])?
  private var whole: (width: Int, lines: [StyledLine])?
  private var cut: (width: Int, lines: [StyledLine])?

  init(_ context: ViewContext, text: StyledText, truncation: StyledText.Truncation) {
    self.text = text
    self.truncation = truncation
    super.init(context)
  }

  override func measure(_ proposal: ProposedSize) -> Size {
    let lines = lines(width: proposal.width ?? .max, height: proposal.height ?? .max)
    var width = 0
    for line in lines { width = max(width, line.width) }
    return Size(width: width, height: lines.count)
  }

  override func draw(in region: Region) {
    let alignment = environment.multilineTextAlignment
    let lines = lines(width: region.rect.width, height: region.rect.height)
    for (y, line) in lines.enumerated() {
      guard region.rect.minY + y < region.clip.maxY else { break }
      guard region.rect.minY + y >= region.clip.minY else { continue }
      let x = alignment.offset(line.width, in: region.rect.width)
      let shown = environment.redactionReasons.isEmpty ? line : line.placeholder(environment)
      region.write(shown, at: Point(x: region.rect.minX + x, y: region.rect.minY + y))
    }
  }

  private func lines(width: Int, height: Int) -> [StyledLine] {
    guard width > 0 else { return [] }
    let limit = max(0, min(height, environment.lineLimit ?? .max))
    if limit == 1 { return truncated(width: width) }
    let lines = wrapped(width: width)
    guard lines.count > limit, let last = limit > 0 ? lines[limit - 1] : nil else {
      return Array(lines.prefix(limit))
    }
    // An ellipsis shows that lines were left out, even if the last visible line would fit.
    return lines.prefix(limit - 1) + [last.ellipsized(width: width)]
  }

  /// The text as one line, truncated unless it is known to fit.
  private func truncated(width: Int) -> [StyledLine] {
    if let whole, whole.width <= width { return whole.lines }
    if let cut, cut.width == width { return cut.lines }
    let line = text.truncated(width: width, truncation)
    if width == .max { whole = (line.width, [line]) } else { cut = (width, [line]) }
    return [line]
  }

  private func wrapped(width: Int) -> [StyledLine] {
    if let wrapped, wrapped.width == width { return wrapped.lines }
    let lines = text.wrapped(width: width)
    wrapped = (width, lines)
    return lines
  }
}
