/// Rows from top to bottom, one of which is selected, of which only those on the screen exist.
///
/// Selection and scroll position are ids: rows that come or go above move nothing. A list takes
/// all the room it is offered.
///
/// ```swift
/// List(articles, selection: $selected, onSubmit: { open($0) }) { article in
///   Text(article.title).lineLimit(1)
/// }
/// ```
public struct List<Data: RandomAccessCollection, Row: View>: PlacedView
where Data.Element: Identifiable {
  let data: Data
  let selection: Binding<Data.Element.ID?>?
  let submitLabel: String
  let onSubmit: (@MainActor (Data.Element) -> Void)?
  let row: (Data.Element) -> Row
  var sectionTitle: ((Data.Element) -> String)?

  /// A list whose selection is its own, or the binding's; Enter and a click on the selected row
  /// give the row to `onSubmit`, which the footer calls `submitLabel`.
  public init(
    _ data: Data, selection: Binding<Data.Element.ID?>? = nil, submitLabel: String = "open",
    onSubmit: (@MainActor (Data.Element) -> Void)? = nil,
    @ViewBuilder row: @escaping (Data.Element) -> Row
  ) {
    self.data = data
    self.selection = selection
    self.submitLabel = submitLabel
    self.onSubmit = onSubmit
    self.row = row
  }

  /// The same list, with a title above each row whose title is another than that of the row before it.
  ///
  /// - Parameter title: nil for a list without titles.
  public func sections(_ title: ((Data.Element) -> String)?) -> List {
    var list = self
    list.sectionTitle = title
    return list
  }

  func makeNodes(_ context: ViewContext) -> [Node] {
    [ListNode(context, list: self, boxes: context.box { ListBoxes() })]
  }
}
