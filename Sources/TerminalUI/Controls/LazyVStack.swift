/// Views from top to bottom, of which only those on the screen exist.
///
/// It is lazy directly inside a ``ScrollView``; elsewhere it is a ``VStack``. The elements of a
/// ``ForEach`` are made when they come on the screen, and their state ends when they leave it. The
/// scroll position is an id: what comes or goes above moves nothing.
///
/// ```swift
/// ScrollView {
///   LazyVStack(alignment: .leading) {
///     Text("Everything so far").bold()
///     ForEach(events) { event in Text(event.title) }
///   }
/// }
/// ```
public struct LazyVStack<Content: View>: PrimitiveView {
  let alignment: HorizontalAlignment
  let spacing: Int
  let content: Content

  /// `spacing` is in rows of the screen.
  public init(
    alignment: HorizontalAlignment = .center, spacing: Int = 0, @ViewBuilder content: () -> Content
  ) {
    self.alignment = alignment
    self.spacing = max(0, spacing)
    self.content = content()
  }

  func makeNodes(_ context: ViewContext) -> [Node] {
    let rows = LazyRows(LazyRows.sections(of: content, context))
    return [LazyStackNode(context, rows: rows, alignment: alignment, spacing: spacing)]
  }
}

final class LazyStackNode: Node {
  let rows: LazyRows
  let alignment: HorizontalAlignment
  let spacing: Int
  /// All of them, where nobody scrolls.
  private lazy var stack = StackNode(
    context, axis: .vertical, spacing: spacing, alignment: alignment,
    children: rows.indices.flatMap { rows.nodes(at: $0) })

  init(_ context: ViewContext, rows: LazyRows, alignment: HorizontalAlignment, spacing: Int) {
    self.rows = rows
    self.alignment = alignment
    self.spacing = spacing
    super.init(context)
  }

  override func expands(_ axis: Axis) -> Bool { stack.expands(axis) }
  override func measure(_ proposal: ProposedSize) -> Size { stack.size(proposal) }
  override func draw(in region: Region) { stack.draw(in: region) }

  /// A row as one node, made the first time that it is asked for.
  func node(at index: Int) -> Node {
    if let node = made[index] { return node }
    let nodes = rows.nodes(at: index)
    let node =
      nodes.count == 1
      ? nodes[0]
      : StackNode(
        context, axis: .vertical, spacing: spacing, alignment: alignment, children: nodes)
    made[index] = node
    return node
  }

  private var made: [Int: Node] = [:]

  /// The rows of the screen that a row takes, with the gap below it.
  func height(of index: Int, width: Int) -> Int {
    node(at: index).size(ProposedSize(width: width)).height
      + (index < rows.count - 1 ? spacing : 0)
  }
}

/// The rows of a lazy stack by number, each made only when it is asked for.
@MainActor
struct LazyRows: @MainActor RandomAccessCollection {
  /// Some rows that belong together: the elements of a collection, or one view.
  struct Section {
    let count: Int
    let id: @MainActor (Int) -> AnyHashable
    let nodes: @MainActor (Int) -> [Node]
  }

  struct Row: Identifiable {
    let id: AnyHashable
  }

  private let sections: [Section]
  private let starts: [Int]
  let endIndex: Int
  var startIndex: Int { 0 }

  init(_ sections: [Section]) {
    self.sections = sections.filter { $0.count > 0 }
    var count = 0
    starts = self.sections.map { section in
      defer { count += section.count }
      return count
    }
    endIndex = count
  }

  subscript(index: Int) -> Row {
    let (section, offset) = place(of: index)
    return Row(id: [AnyHashable(section), sections[section].id(offset)] as [AnyHashable])
  }

  /// The views of a row.
  func nodes(at index: Int) -> [Node] {
    let (section, offset) = place(of: index)
    return sections[section].nodes(offset)
  }

  private func place(of index: Int) -> (section: Int, offset: Int) {
    let section = (starts.firstIndex { $0 > index } ?? starts.count) - 1
    return (section, index - starts[section])
  }

  /// The rows of a view: those of collections one by one, others as they are.
  static func sections<Content: View>(of view: Content, _ context: ViewContext) -> [Section] {
    if let source = view as? any LazyRowSource { return source.sections(context) }
    let nodes = context.resolve(view)
    return [Section(count: nodes.count, id: { AnyHashable($0) }, nodes: { [nodes[$0]] })]
  }
}

/// A view whose rows need not all exist.
@MainActor
protocol LazyRowSource {
  func sections(_ context: ViewContext) -> [LazyRows.Section]
}

extension ForEach: LazyRowSource {
  func sections(_ context: ViewContext) -> [LazyRows.Section] {
    var places: [ID: [Int]] = [:]
    func element(_ offset: Int) -> Data.Element {
      data[data.index(data.startIndex, offsetBy: offset)]
    }
    return [
      LazyRows.Section(
        count: data.count, id: { AnyHashable(id(element($0))) },
        nodes: { offset in
          let element = element(offset)
          let id = id(element)
          // Which of several rows of one id it is, among those that exist.
          let ordinal = places[id]?.count { $0 < offset } ?? 0
          places[id, default: []].append(offset)
          return context.child(.id(AnyHashable(id), ordinal: ordinal)).resolve(content(element))
        })
    ]
  }
}

extension TupleView: LazyRowSource {
  func sections(_ context: ViewContext) -> [LazyRows.Section] {
    var sections: [LazyRows.Section] = []
    var index = 0
    for view in repeat each content {
      sections += LazyRows.sections(of: view, context.child(.index(index)))
      index += 1
    }
    return sections
  }
}
