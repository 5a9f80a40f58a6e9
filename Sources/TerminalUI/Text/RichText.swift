/// A long text of paragraphs, laid out once for a width, of which only what shows is drawn.
///
/// In a ``ScrollView`` the paragraph that is being read stays in place when the width changes.
public struct RichText: PrimitiveView {
  /// A paragraph.
  public struct Block {
    /// Blank lines before it.
    public var spaceBefore: Int
    /// What stands before its first line: a bullet, say.
    public var firstPrefix: StyledText
    /// What stands before each further line, as wide as ``firstPrefix``.
    public var prefix: StyledText
    /// Its lines for a width.
    public var lines: (Int) -> [StyledLine]

    /// A paragraph whose lines are made for the width that its prefixes leave.
    public init(
      spaceBefore: Int = 1, firstPrefix: StyledText = StyledText(),
      prefix: StyledText = StyledText(), lines: @escaping (Int) -> [StyledLine]
    ) {
      self.spaceBefore = spaceBefore
      self.firstPrefix = firstPrefix
      self.prefix = prefix
      self.lines = lines
    }
  }

  let id: AnyHashable
  let blocks: () -> [Block]

  /// The paragraphs that `blocks` makes; they are made anew only for another `id`, which therefore
  /// has to say all that they depend on.
  public init(id: some Hashable, blocks: @escaping () -> [Block]) {
    self.id = AnyHashable(id)
    self.blocks = blocks
  }

  func makeNodes(_ context: ViewContext) -> [Node] {
    let layout = context.frame.store.box(at: context.path) { RichTextLayout() }
    return [RichTextNode(context, text: self, layout: layout)]
  }
}

/// The lines of a text, kept from frame to frame: a function of the text and the width alone.
@MainActor
private final class RichTextLayout {
  private(set) var lines: [StyledLine] = []
  /// The first line of each block, the blank ones before it included.
  private(set) var starts: [Int] = []
  private var made: (id: AnyHashable, width: Int)?

  func lay(out text: RichText, width: Int) {
    if let made, made.id == text.id, made.width == width { return }
    made = (text.id, width)
    lines = []
    starts = []
    for (index, block) in text.blocks().enumerated() {
      starts.append(lines.count)
      if index > 0 {
        lines += Array(repeating: StyledLine(), count: block.spaceBefore)
      }
      let first = block.firstPrefix.truncated(width: width)
      let prefix = block.prefix.truncated(width: width)
      for (row, line) in block.lines(max(1, width - first.width)).enumerated() {
        lines.append((row == 0 ? first : prefix) + line)
      }
    }
  }

  /// The block that a line belongs to.
  func block(atLine line: Int) -> Int? {
    var (low, high) = (0, starts.count)
    while low < high {
      let middle = (low + high) / 2
      if starts[middle] <= line { low = middle + 1 } else { high = middle }
    }
    return low > 0 ? low - 1 : nil
  }
}

private final class RichTextNode: Node, ScrollAnchoring {
  private let text: RichText
  private let layout: RichTextLayout

  init(_ context: ViewContext, text: RichText, layout: RichTextLayout) {
    self.text = text
    self.layout = layout
    super.init(context)
  }

  override func measure(_ proposal: ProposedSize) -> Size {
    let width = proposal.width ?? 80
    layout.lay(out: text, width: width)
    let height = min(proposal.height ?? .max, layout.lines.count)
    return Size(width: width, height: height)
  }

  override func draw(in region: Region) {
    layout.lay(out: text, width: region.rect.width)
    let first = max(0, region.clip.minY - region.rect.minY)
    let last = min(layout.lines.count, region.clip.maxY - region.rect.minY)
    guard first < last else { return }
    for index in first..<last {
      let line = layout.lines[index]
      frame.cells.write(
        environment.redactionReasons.isEmpty
          ? line : line.placeholder(environment),
        at: Point(x: region.rect.minX, y: region.rect.minY + index), clip: region.clip)
    }
  }

  func anchor(atRow row: Int, width: Int) -> (id: AnyHashable, firstRow: Int)? {
    layout.lay(out: text, width: width)
    return layout.block(atLine: row).map { (AnyHashable($0), layout.starts[$0]) }
  }

  func firstRow(of id: AnyHashable, width: Int) -> Int? {
    layout.lay(out: text, width: width)
    guard let block = id as? Int, layout.starts.indices.contains(block) else { return nil }
    return layout.starts[block]
  }
}
