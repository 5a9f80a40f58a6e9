/// The scroll position and selection of a list: the first visible row and the selected one.
struct ListPlace {
  /// A row by id, with the index where it was last found, at which the search begins.
  struct Anchor: Equatable {
    var id: ItemID
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
  var revealed: ItemID?
  /// Whether the selected row was visible; if so, it stays visible when the size or the rows
  /// change.
  var showsSelected = false

  /// Whether it is the beginning, where a list that is not anchored stays, so that rows which are
  /// added above can be seen.
  var isAtTop: Bool { (top?.index ?? 0) == 0 && offset == 0 }

  /// Selects a row, and makes the one below it its successor.
  @MainActor mutating func select(_ index: Int, of rows: ListRows) {
    selected = Anchor(id: rows.id(index), index: index)
    let below = index + 1
    successor = below < rows.count ? Anchor(id: rows.id(below), index: below) : nil
  }
}

/// The scroll position, selection and drawn marks that a list stores between frames.
@MainActor
final class ListBoxes {
  let place = PlaceBox(ListPlace())
  var marks = ListMarks()
}

/// The visible rows that a list has drawn, the titles above them, and the mark of the selected one.
struct ListMarks: Equatable {
  var lines: [RowWindow.Line] = []
  var titles: [String?] = []
  /// The style and the theme in which the titles and the mark were drawn.
  var style = Style()
  var theme: Theme?
  /// The rectangle of the selected row; `hasFocus` says whether it was highlighted as focused.
  var selected: Rect?
  var hasFocus = false
}
