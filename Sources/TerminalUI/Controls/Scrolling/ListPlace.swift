/// Where a list stands: its first row on the screen and the selected one.
struct ListPlace<ID: Hashable>: Equatable {
  /// A row by id, with the index at which it was last found: the first place to look.
  struct Anchor: Equatable {
    var id: ID
    var index: Int
  }

  var selected: Anchor?
  var top: Anchor?
  /// The row below the top one, which tells whether that one alone went elsewhere.
  var next: Anchor?
  /// Rows of cells of the top row that are scrolled away.
  var offset = 0
  /// The selection that the scroll position was made for: a new one is brought into view.
  var revealed: ID?
  /// Whether the selected row showed: then it is to show in another room, and among other rows.
  var showsSelected = false

  /// Takes what a window begins with.
  mutating func stand(at position: RowWindow.Position, idOf id: (Int) -> ID) {
    top = Anchor(id: id(position.row), index: position.row)
    offset = position.offset
  }
}

/// What a list keeps for its place: where it stands, and what it has drawn.
@MainActor
final class ListBoxes<ID: Hashable> {
  let place = PlaceBox(ListPlace<ID>())
  var marks = ListMarks()
}

/// What a list draws: which rows, and what beside them.
struct ListMarks: Equatable {
  var lines: [RowWindow.Line] = []
  /// Where the selected row is marked, and whether as the one that has the focus.
  var selected: Rect?
  var hasFocus = false
}

/// A collection that knows where the element of an id is without looking at every one.
///
/// A list whose rows are not where they were looks for the one that it began with: of most data it
/// has to look through all of them, with a key that is pressed, and in 100,000 rows that is felt.
public protocol LocatingCollection: RandomAccessCollection where Element: Identifiable {
  /// Where the element of `id` is, or what has taken its place; nil where neither is known.
  func index(of id: Element.ID) -> Index?
}

extension LocatingCollection {
  fileprivate func offset(of id: some Hashable) -> Int? {
    (id as? Element.ID).flatMap(index(of:)).map { distance(from: startIndex, to: $0) }
  }
}

extension RandomAccessCollection where Element: Identifiable {
  /// The element number `offset`, from 0.
  func element(_ offset: Int) -> Element { self[index(startIndex, offsetBy: offset)] }

  /// Where the element of `anchor` is now: where it was, near by, or wherever it went.
  func offset(of anchor: ListPlace<Element.ID>.Anchor?) -> Int? {
    guard let anchor else { return nil }
    for near in [anchor.index, anchor.index - 1, anchor.index + 1]
    where near >= 0 && near < count && element(near).id == anchor.id {
      return near
    }
    if let collection = self as? any LocatingCollection { return collection.offset(of: anchor.id) }
    let found = firstIndex { $0.id == anchor.id }
    return found.map { distance(from: startIndex, to: $0) }
  }

  /// What is selected now: the element of `anchor`, or what `id` says where somebody else decides,
  /// or the neighbour of one that is gone.
  ///
  /// The collection is not empty.
  @MainActor func selection(
    _ anchor: ListPlace<Element.ID>.Anchor?, decidedBy binding: Binding<Element.ID?>?
  ) -> ListPlace<Element.ID>.Anchor {
    var wanted = anchor
    if let binding, binding.wrappedValue != wanted?.id {
      wanted = binding.wrappedValue.map { .init(id: $0, index: anchor?.index ?? 0) }
    }
    let index = offset(of: wanted) ?? Swift.min(count - 1, wanted?.index ?? 0)
    return .init(id: element(index).id, index: index)
  }
}
