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
  var isAnchored = false
  var onVisibleRows: (@MainActor (Range<Int>) -> Void)?

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

  /// Creates a list of elements that are identified by `id`, which is called for all of them.
  ///
  /// ```swift
  /// List(names, id: \.self) { Text($0) }
  /// ```
  public init<Elements: Sequence, ID: Hashable>(
    _ data: Elements, id: (Elements.Element) -> ID, selection: Binding<ID?>? = nil,
    submitLabel: String = "open", onSubmit: (@MainActor (Elements.Element) -> Void)? = nil,
    @ViewBuilder row: @escaping (Elements.Element) -> Row
  ) where Data == [IdentifiedElement<Elements.Element, ID>] {
    var submit: (@MainActor (Data.Element) -> Void)?
    if let onSubmit { submit = { onSubmit($0.value) } }
    self.init(
      data.map { IdentifiedElement(id: id($0), value: $0) }, selection: selection,
      submitLabel: submitLabel, onSubmit: submit, row: { row($0.value) })
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

  /// Returns the same list, whose first row stays where it is when rows are added above it.
  ///
  /// Otherwise, a list at its beginning stays there, so that the new rows can be seen. Rows that are
  /// added because the user comes near the beginning, such as the earlier messages of a
  /// conversation, must not move what the user reads.
  public func anchorsFirstRow(_ anchors: Bool = true) -> List {
    var list = self
    list.isAnchored = anchors
    return list
  }

  /// Returns the same list, which calls `action` with the indices of the visible rows when they or
  /// the number of rows have changed, and with an empty range when the list disappears.
  ///
  /// In a scroll view, which gives its content any height, all rows of a list count as visible.
  ///
  /// ```swift
  /// List(messages.items) { Text($0.title) }
  ///   .anchorsFirstRow()
  ///   .onVisibleRowsChange { messages.show($0) }
  /// ```
  public func onVisibleRowsChange(_ action: @escaping @MainActor (Range<Int>) -> Void) -> List {
    var list = self
    list.onVisibleRows = action
    return list
  }

  func makeNodes(_ context: ViewContext) -> [Node] {
    [ListNode(context, list: self, boxes: context.box { ListBoxes() })]
  }
}

/// An element of a ``List`` with an id that is not its own.
public struct IdentifiedElement<Value, ID: Hashable>: Identifiable {
  /// The id that the list was given for the element.
  public let id: ID
  /// The element.
  public let value: Value
}
