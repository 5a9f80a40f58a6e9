extension View {
  /// Identifies this view by a value: another value makes another view, without the state of the one
  /// before.
  public func id<ID: Hashable>(_ id: ID) -> some View { IdentifiedView(content: self, id: id) }
}

@usableFromInline
struct IdentifiedView<Content: View, ID: Hashable>: BodilessView {
  let content: Content
  let id: ID

  @usableFromInline
  func _resolve(in context: ViewContext, to nodes: inout NodeList) {
    content._resolve(in: inner(context), to: &nodes)
  }

  private func inner(_ context: ViewContext) -> ViewContext {
    context.child(.id(ItemID(id), ordinal: 0))
  }
}

extension IdentifiedView: LazyRowSource {
  func sections(_ context: ViewContext) -> [LazySection] {
    LazyRows.sections(of: content, inner(context))
  }
}

/// A view for each element of a collection, identified by an id.
///
/// If several elements have the same id, their order tells their views apart, so that each has its
/// own state. In a lazy container, which knows only the elements that it shows, the views of such
/// elements may exchange their states when it is scrolled.
public struct ForEach<Data: RandomAccessCollection, ID: Hashable, Content: View>: BodilessView {
  let data: Data
  let id: (Data.Element) -> ID
  let content: (Data.Element) -> Content

  /// Creates a view for each element, identified by `id`.
  public init(
    _ data: Data, id: @escaping (Data.Element) -> ID,
    @ViewBuilder content: @escaping (Data.Element) -> Content
  ) {
    self.data = data
    self.id = id
    self.content = content
  }

  /// Creates a view for each element, identified by the element's id.
  public init(_ data: Data, @ViewBuilder content: @escaping (Data.Element) -> Content)
  where Data.Element: Identifiable, ID == Data.Element.ID {
    self.init(data, id: \.id, content: content)
  }

  /// Creates a view for each element of a collection, with a binding to the element.
  ///
  /// ```swift
  /// struct Names: View {
  ///   @Bindable var shelf: Shelf
  ///   var body: some View {
  ///     ForEach($shelf.items) { $item in TextField("Name", text: $item.name) }
  ///   }
  /// }
  /// ```
  public init(
    _ data: Binding<Data>, @ViewBuilder content: @escaping (Binding<Data.Element>) -> Content
  )
  where
    Data: MutableCollection, Data.Element: Identifiable, ID == Data.Element.ID, ID: Sendable
  {
    self.init(data.wrappedValue, id: \.id) { element in
      content(data[id: element.id] ?? .constant(element))
    }
  }

  /// Creates a view for each number of a range.
  public init(_ data: Data, @ViewBuilder content: @escaping (Int) -> Content)
  where Data == Range<Int>, ID == Int {
    self.init(data, id: { $0 }, content: content)
  }

  /// Appends the nodes of each element's view.
  public func _resolve(in context: ViewContext, to nodes: inout NodeList) {
    var seen: [ID: Int] = [:]
    let views = context.reading { data.map { (id: id($0), view: content($0)) } }
    for (id, view) in views {
      let ordinal = seen[id, default: 0]
      seen[id] = ordinal + 1
      view._resolve(in: context.child(.id(ItemID(id), ordinal: ordinal)), to: &nodes)
    }
  }
}
