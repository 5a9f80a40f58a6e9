/// A text of paragraphs, of which only what shows is drawn, and laid out where it is long.
///
/// Between its paragraphs it may have views, a picture say, that exist only while they are on the
/// screen or within a screenful of it. In a ``ScrollView`` the paragraph that is being read stays in
/// place when the width changes.
public struct RichText: PlacedView {
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
    /// About how many lines that would be, said without making them.
    ///
    /// In a long text they are made when they come near the screen. Without this they have to be
    /// made to know how many they are, however far away.
    public var expectedRows: ((Int) -> Int)?
    /// Whether lines may be wider than that, and are moved to the left and right by keys.
    public var isWide = false
    /// Whether it is a further piece of the block before it: where they are wide they move together.
    public var isContinuation = false
    /// Whether it is a heading, which keys go to.
    public var isHeading = false
    /// The names by which links refer to it.
    public var names: [String] = []
    /// The texts that its lines are made of, for finding words in it; nil where there are none.
    ///
    /// One text, or, where it is wide, those of its lines or cells.
    public var texts: (() -> [StyledText])?
    /// What stands in place of lines.
    public var view: EmbeddedView?

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

    /// A view between paragraphs.
    public init(
      spaceBefore: Int = 1, firstPrefix: StyledText = StyledText(),
      prefix: StyledText = StyledText(), view: EmbeddedView
    ) {
      self.init(spaceBefore: spaceBefore, firstPrefix: firstPrefix, prefix: prefix) { _ in [] }
      self.view = view
    }
  }

  /// A view of a text, with a height of its own.
  public struct EmbeddedView {
    /// How many rows it has for a width, at least 1.
    ///
    /// It may read observable models: when they change it is asked again, and what is being read
    /// stays where it is.
    public var rows: @MainActor (Int) -> Int
    /// Made when it comes near the screen.
    public var content: @MainActor () -> AnyView

    /// A view that is `rows` high.
    public init(
      rows: @escaping @MainActor (Int) -> Int,
      @ViewBuilder content: @escaping @MainActor () -> some View
    ) {
      self.rows = rows
      self.content = { AnyView(content()) }
    }
  }

  /// What may be done with the links of a text, which are the tags of its runs.
  public struct Links {
    /// What the user typed to choose one of those on the screen, which then carry letters; nil while
    /// nobody is choosing.
    public var hints: Binding<String?>
    /// Given the tag of a link that was chosen by letters, or by its number, or clicked.
    public var open: @MainActor (Int) -> Void

    /// Links that are opened by `open`.
    public init(hints: Binding<String?>, open: @escaping @MainActor (Int) -> Void) {
      self.hints = hints
      self.open = open
    }
  }

  /// Words that were found in a text, which are marked.
  public struct Found {
    let pattern: TextPattern
    let matches: [TextMatch]
    let current: Int?

    /// What `pattern` was found as; `current` is the number of the match that the user is at.
    public init(_ pattern: TextPattern, _ matches: [TextMatch], current: Int?) {
      (self.pattern, self.matches, self.current) = (pattern, matches, current)
    }
  }

  let id: AnyHashable
  let links: Links?
  let found: Found?
  let blocks: () -> [Block]

  /// The paragraphs that `blocks` makes; they are rebuilt only for another `id`, which therefore
  /// has to say all that they depend on.
  public init(
    id: some Hashable, links: Links? = nil, found: Found? = nil, blocks: @escaping () -> [Block]
  ) {
    self.id = AnyHashable(id)
    self.links = links
    self.found = found
    self.blocks = blocks
  }

  func makeNodes(_ context: ViewContext) -> [Node] {
    [RichTextNode(context, text: self, layout: context.box { RichTextLayout() })]
  }
}
