/// A vertical list of rows, one of which is selected; only the rows on the screen are made.
///
/// Selection and scroll position are ids, so inserting or removing rows above moves nothing. A list
/// takes all the room it is offered.
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

  /// Creates a list; without a binding, it keeps the selection itself.
  ///
  /// Enter and a click on the selected row call `onSubmit` with its element; the footer describes
  /// that with `submitLabel`.
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

  /// Returns the same list with a title above each row whose title differs from that of the row
  /// before.
  ///
  /// - Parameter title: returns the section title of an element; nil for a list without titles.
  public func sections(_ title: ((Data.Element) -> String)?) -> List {
    var list = self
    list.sectionTitle = title
    return list
  }

  func makeNodes(_ context: ViewContext) -> [Node] {
    [ListNode(context, list: self, boxes: context.box { ListBoxes() })]
  }
}
