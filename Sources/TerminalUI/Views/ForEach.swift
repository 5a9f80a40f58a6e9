/// A view for each element of a collection, told apart by id.
///
/// An id that occurs twice gets its ordinal added, so that its state is its own.
public struct ForEach<Data: RandomAccessCollection, ID: Hashable, Content: View>: BodilessView {
  let data: Data
  let id: (Data.Element) -> ID
  let content: (Data.Element) -> Content

  /// A view for each element, told apart by what `id` says.
  public init(
    _ data: Data, id: @escaping (Data.Element) -> ID,
    @ViewBuilder content: @escaping (Data.Element) -> Content
  ) {
    self.data = data
    self.id = id
    self.content = content
  }

  /// A view for each element.
  public init(_ data: Data, @ViewBuilder content: @escaping (Data.Element) -> Content)
  where Data.Element: Identifiable, ID == Data.Element.ID {
    self.init(data, id: \.id, content: content)
  }

  /// A view for each number of a range.
  public init(_ data: Data, @ViewBuilder content: @escaping (Int) -> Content)
  where Data == Range<Int>, ID == Int {
    self.init(data, id: { $0 }, content: content)
  }

  /// Adds the nodes of each element's view.
  public func _resolve(in context: ViewContext, to nodes: inout NodeList) {
    var seen: [ID: Int] = [:]
    let views = context.reading { data.map { (id: id($0), view: content($0)) } }
    for (id, view) in views {
      let ordinal = seen[id, default: 0]
      seen[id] = ordinal + 1
      view._resolve(in: context.child(.id(AnyHashable(id), ordinal: ordinal)), to: &nodes)
    }
  }
}
