/// A text of paragraphs; only visible rows are drawn, and of a long text only rows near the screen
/// are laid out.
///
/// Between paragraphs there may be views, such as pictures, which exist only while they are on the
/// screen or within one page of it. In a ``ScrollView``, the paragraph being read stays in place
/// when the width changes.
public struct RichText: PlacedView {
  /// A paragraph, or a view between paragraphs.
  public struct Block {
    /// The number of blank lines before it.
    public var spaceBefore: Int
    /// The prefix of its first line, such as a bullet.
    public var firstPrefix: StyledText
    /// The prefix of each further line, as wide as ``firstPrefix``.
    public var prefix: StyledText
    /// Returns its lines for a width.
    public var lines: (Int) -> [StyledLine]
    /// Returns about how many lines it has for a width, without making them.
    ///
    /// In a long text, lines are made only when they come near the screen. Without this estimate,
    /// the lines have to be made to count them, however far away they are.
    public var expectedRows: ((Int) -> Int)?
    /// Whether its lines may be wider than the text, so that keys scroll them left and right.
    public var isWide = false
    /// Whether it is another piece of the block before it; wide pieces scroll together.
    public var isContinuation = false
    /// Whether it is a heading, which keys can jump to.
    public var isHeading = false
    /// The names by which links refer to it.
    public var names: [String] = []
    /// Returns the texts that its lines are made from, to find words in it; nil if there are none.
    ///
    /// This is one text, or, for a wide block, the texts of its lines or cells.
    public var texts: (() -> [StyledText])?
    /// A view that replaces the lines.
    public var view: EmbeddedView?

    /// Creates a paragraph; `lines` is given the width without the prefixes.
    public init(
      spaceBefore: Int = 1, firstPrefix: StyledText = StyledText(),
      prefix: StyledText = StyledText(), lines: @escaping (Int) -> [StyledLine]
    ) {
      self.spaceBefore = spaceBefore
      self.firstPrefix = firstPrefix
      self.prefix = prefix
      self.lines = lines
    }

    /// Creates a view between paragraphs.
    public init(
      spaceBefore: Int = 1, firstPrefix: StyledText = StyledText(),
      prefix: StyledText = StyledText(), view: EmbeddedView
    ) {
      self.init(spaceBefore: spaceBefore, firstPrefix: firstPrefix, prefix: prefix) { _ in [] }
      self.view = view
    }
  }

  /// A view in a text, with a height of its own.
  public struct EmbeddedView {
    /// Returns the number of rows for a width, at least 1.
    ///
    /// It may read observable models: when they change, it is called again, and the paragraph being
    /// read stays in place.
    public var rows: @MainActor (Int) -> Int
    /// Makes the view when it comes near the screen.
    public var content: @MainActor () -> AnyView

    /// Creates a view that is `rows` high.
    public init(
      rows: @escaping @MainActor (Int) -> Int,
      @ViewBuilder content: @escaping @MainActor () -> some View
    ) {
      self.rows = rows
      self.content = { AnyView(content()) }
    }
  }

  /// How the links of a text, which are the tags of its runs, are chosen and opened.
  public struct Links {
    /// What the user has typed to choose a link; nil while the user is not choosing.
    ///
    /// While it is not nil, letters are drawn over the links on the screen.
    public var hints: Binding<String?>
    /// Called with the tag of a link that was chosen by letters or by number, or clicked.
    public var open: @MainActor (Int) -> Void

    /// Creates links that `open` opens.
    public init(hints: Binding<String?>, open: @escaping @MainActor (Int) -> Void) {
      self.hints = hints
      self.open = open
    }
  }

  /// The matches of a search in a text, which are highlighted.
  public struct Found {
    let pattern: TextPattern
    let matches: [TextMatch]
    let current: Int?

    /// Creates the matches of `pattern`; `current` is the index of the selected match.
    public init(_ pattern: TextPattern, _ matches: [TextMatch], current: Int?) {
      (self.pattern, self.matches, self.current) = (pattern, matches, current)
    }
  }

  let id: ItemID
  let links: Links?
  let found: Found?
  let blocks: () -> [Block]

  /// Creates a text of the paragraphs that `blocks` returns.
  ///
  /// They are made again only for another `id`, so `id` has to include everything they depend on.
  public init(
    id: some Hashable, links: Links? = nil, found: Found? = nil, blocks: @escaping () -> [Block]
  ) {
    self.id = ItemID(id)
    self.links = links
    self.found = found
    self.blocks = blocks
  }

  func makeNodes(_ context: ViewContext) -> [Node] {
    [RichTextNode(context, text: self, layout: context.box { RichTextLayout() })]
  }
}
