/// The scroll position and selection of a list: the first visible row and the selected one.
struct ListPlace<ID: Hashable>: Equatable {
  /// A row by id, with the index where it was last found, at which the search begins.
  struct Anchor: Equatable {
    var id: ID
    var index: Int
  }

  var selected: Anchor?
  /// The row below the selected one, which is selected next if the selected one is removed.
  var successor: Anchor?
  var top: Anchor?
  /// The row below the top one; it tells whether the top row alone moved.
  var next: Anchor?
  /// How many lines of the top row are scrolled away.
  var offset = 0
  /// The selection that this scroll position was computed for; a different one that was chosen is
  /// scrolled into view.
  var revealed: ID?
  /// Whether the selected row was visible; if so, it stays visible when the size or the rows
  /// change.
  var showsSelected = false

  /// Whether it is the beginning, where a list that is not anchored stays, so that rows which are
  /// added above can be seen.
  var isAtTop: Bool { (top?.index ?? 0) == 0 && offset == 0 }

  /// Selects a row, and makes the one below it its successor.
  mutating func select<Data: RandomAccessCollection>(_ index: Int, of data: Data)
  where Data.Element: Identifiable, Data.Element.ID == ID {
    selected = Anchor(id: data.element(index).id, index: index)
    let below = index + 1
    successor = below < data.count ? Anchor(id: data.element(below).id, index: below) : nil
  }

  /// Sets the top row and its offset from a position of the window.
  mutating func stand(at position: RowWindow.Position, idOf id: (Int) -> ID) {
    top = Anchor(id: id(position.row), index: position.row)
    offset = position.offset
  }
}

/// The scroll position, selection and drawn marks that a list stores between frames.
@MainActor
final class ListBoxes<ID: Hashable> {
  let place = PlaceBox(ListPlace<ID>())
  var marks = ListMarks()
}

/// The visible rows that a list has drawn, the titles above them, and the mark of the selected one.
struct ListMarks: Equatable {
  var lines: [RowWindow.Line] = []
  var titles: [String?] = []
  /// The rectangle of the selected row; `hasFocus` says whether it was highlighted as focused.
  var selected: Rect?
  var hasFocus = false
}

/// A collection that finds the element of an id without searching through all elements.
///
/// When rows have moved, or another row is selected by its id, a list looks for that row. In other
/// collections it has to search all elements for it, which is noticeable with 100,000 rows.
public protocol LocatingCollection: RandomAccessCollection where Element: Identifiable {
  /// Returns the index of the element with `id`, or of the element that has replaced it; nil if
  /// neither is known.
  func index(of id: Element.ID) -> Index?
}

extension LocatingCollection {
  fileprivate func offset(of id: some Hashable) -> Int? {
    (id as? Element.ID).flatMap(index(of:)).map { distance(from: startIndex, to: $0) }
  }
}

extension RandomAccessCollection where Element: Identifiable {
  /// The element at `offset`, counted from 0.
  func element(_ offset: Int) -> Element { self[index(startIndex, offsetBy: offset)] }

  /// The offset of the element of `anchor` now: where it was, next to that, or wherever it moved.
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

  /// The current selection: the selected element of `place`, the one that `binding` names if it
  /// differs, or the neighbour of a removed element.
  ///
  /// The collection must not be empty.
  @MainActor func selection(
    _ place: ListPlace<Element.ID>, decidedBy binding: Binding<Element.ID?>?
  ) -> ListPlace<Element.ID>.Anchor {
    var wanted = place.selected
    if let binding, binding.wrappedValue != wanted?.id {
      wanted = binding.wrappedValue.map { .init(id: $0, index: wanted?.index ?? 0) }
    }
    let index =
      offset(of: wanted) ?? (wanted == place.selected ? offset(of: place.successor) : nil)
      ?? Swift.min(count - 1, wanted?.index ?? 0)
    return .init(id: element(index).id, index: index)
  }
}
