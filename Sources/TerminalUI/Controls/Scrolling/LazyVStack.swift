/// A vertical stack that makes only the views on the screen.
///
/// It is lazy only directly inside a ``ScrollView``; elsewhere it behaves like a ``VStack``. The
/// elements of a ``ForEach`` are made when they come on the screen, and their state ends when they
/// leave it. The scroll position is an id, so inserting or removing rows above moves nothing.
///
/// ```swift
/// ScrollView {
///   LazyVStack(alignment: .leading) {
///     Text("Everything so far").bold()
///     ForEach(events) { event in Text(event.title) }
///   }
/// }
/// ```
public struct LazyVStack<Content: View>: PlacedView {
  let alignment: HorizontalAlignment
  let spacing: Int
  let content: Content

  /// Creates a lazy stack; `spacing` is in rows of the screen.
  public init(
    alignment: HorizontalAlignment = .center, spacing: Int = 0, @ViewBuilder content: () -> Content
  ) {
    self.alignment = alignment
    self.spacing = max(0, spacing)
    self.content = content()
  }

  func makeNodes(_ context: ViewContext) -> [Node] {
    let rows = LazyRows(LazyRows.sections(of: content, context.within(.vertical)))
    return [LazyStackNode(context, rows: rows, alignment: alignment, spacing: spacing)]
  }
}

final class LazyStackNode: Node {
  let rows: LazyRows
  let elements: ElementRows
  let alignment: HorizontalAlignment
  let spacing: Int
  /// All rows, for a stack that is not scrolled or whose full size is measured.
  private lazy var stack = StackNode(
    context, axis: .vertical, spacing: spacing, alignment: alignment,
    children: (0..<rows.count).map { node(at: $0) })

  init(_ context: ViewContext, rows: LazyRows, alignment: HorizontalAlignment, spacing: Int) {
    self.rows = rows
    elements = ElementRows(context)
    self.alignment = alignment
    self.spacing = spacing
    super.init(context)
  }

  override var isStructural: Bool { true }
  override func expands(_ axis: Axis) -> Bool { stack.expands(axis) }

  override func draw(in region: Region) {
    stack.draw(in: region)
    elements.declare()
  }

  override func measure(_ proposal: ProposedSize) -> Size {
    elements.noteAllMeasured()
    return stack.size(proposal)
  }

  /// Returns a row as one node, made on first use.
  func node(at index: Int) -> Node {
    if let row = elements.row(at: index) { return row }
    let place = rows.place(of: index)
    switch place.section.rows {
    case .made(let nodes): return nodes[place.offset]
    case .lazy(let make):
      return elements.insert(rows.id(index), at: index) { [alignment, spacing] ordinal in
        make(place.offset, ordinal, alignment, spacing)
      }
    }
  }

  /// The height of a row in rows of the screen, including the gap below it.
  func height(of index: Int, width: Int) -> Int {
    elements.noteMeasured(index)
    return node(at: index).size(ProposedSize(width: width)).height
      + (index < rows.count - 1 ? spacing : 0)
  }
}

/// Rows that belong together: the elements of a collection, or the nodes of one view.
@MainActor
struct LazySection {
  enum Rows {
    case made([Node])
    /// Makes a row, given its offset, its ordinal among rows of the same id, and how several views
    /// of one element are stacked.
    case lazy(
      @MainActor (
        _ offset: Int, _ ordinal: Int, _ alignment: HorizontalAlignment, _ spacing: Int
      ) -> Element)
  }

  let count: Int
  let id: @MainActor (Int) -> ItemID
  let rows: Rows
}

/// The rows of a lazy stack by index, each made only when it is needed.
@MainActor
struct LazyRows {
  /// The sections that have rows, with their numbers among all, which stay the same when others get
  /// rows or lose them.
  private let sections: [(number: Int, section: LazySection)]
  private let starts: [Int]
  let count: Int

  init(_ sections: [LazySection]) {
    self.sections = sections.enumerated().compactMap { $1.count > 0 ? ($0, $1) : nil }
    var count = 0
    starts = self.sections.map { section in
      defer { count += section.section.count }
      return count
    }
    self.count = count
  }

  func id(_ index: Int) -> ItemID {
    let position = position(of: index)
    let (number, section) = sections[position]
    return ItemID(RowID(section: number, id: section.id(index - starts[position])))
  }

  private struct RowID: Hashable {
    let section: Int
    let id: ItemID
  }

  private func position(of index: Int) -> Int {
    (starts.firstIndex { $0 > index } ?? starts.count) - 1
  }

  func place(of index: Int) -> (section: LazySection, offset: Int) {
    let position = position(of: index)
    return (sections[position].section, index - starts[position])
  }

  /// The sections of a view: collections row by row, other views as they are.
  static func sections<Content: View>(of view: Content, _ context: ViewContext) -> [LazySection] {
    if let source = view as? any LazyRowSource { return source.sections(context) }
    let nodes = context.resolve(view)
    return [LazySection(count: nodes.count, id: { ItemID($0) }, rows: .made(nodes))]
  }
}

/// A view whose rows can be made one by one.
@MainActor
protocol LazyRowSource {
  func sections(_ context: ViewContext) -> [LazySection]
}

extension ForEach: LazyRowSource {
  func sections(_ context: ViewContext) -> [LazySection] {
    func element(_ offset: Int) -> Data.Element {
      data[data.index(data.startIndex, offsetBy: offset)]
    }
    return [
      LazySection(
        count: context.reading { data.count }, id: { ItemID(id(element($0))) },
        rows: .lazy { offset, ordinal, alignment, spacing in
          let element = element(offset)
          return context.child(.id(ItemID(id(element)), ordinal: ordinal)).hosted {
            StackedRow(alignment: alignment, spacing: spacing, content: content(element))
          }
        })
    ]
  }
}

/// A row of a lazy stack, as one node, with several views stacked as the rows are.
private struct StackedRow<Content: View>: PrimitiveView {
  let alignment: HorizontalAlignment
  let spacing: Int
  let content: Content

  func makeNodes(_ context: ViewContext) -> [Node] {
    let nodes = context.resolve(content)
    if nodes.count == 1 { return nodes }
    return [
      StackNode(context, axis: .vertical, spacing: spacing, alignment: alignment, children: nodes)
    ]
  }
}

extension TupleView: LazyRowSource {
  func sections(_ context: ViewContext) -> [LazySection] {
    var sections: [LazySection] = []
    var index = 0
    for view in repeat each content {
      sections += LazyRows.sections(of: view, context.child(.index(index)))
      index += 1
    }
    return sections
  }
}
