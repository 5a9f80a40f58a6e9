/// The data of a list or a grid by index, with ids of no particular type.
///
/// It keeps the types of the data out of the nodes: lists, grids and lazy stacks find their place
/// among rows in the same way.
@MainActor
struct ListRows {
  /// Whether the data is an array, in which nothing can be observed.
  let isArray: Bool
  /// The id of the selected row; nil if the list keeps the selection itself.
  let selection: Binding<ItemID?>?
  private let countAll: () -> Int
  private let idAt: (Int) -> ItemID
  private let search: (ItemID) -> Int?

  init<Data: RandomAccessCollection>(_ data: Data, selection: Binding<Data.Element.ID?>? = nil)
  where Data.Element: Identifiable {
    isArray = data is [Data.Element]
    self.selection = selection.map { selection in
      Binding {
        selection.wrappedValue.map { ItemID($0) }
      } set: {
        selection.wrappedValue = $0?.value(as: Data.Element.ID.self)
      }
    }
    countAll = { data.count }
    idAt = { ItemID(data.element($0).id) }
    search = { id in
      if let data = data as? any LocatingCollection { return data.offset(of: id) }
      guard let id = id.value(as: Data.Element.ID.self) else { return nil }
      let found = data.firstIndex { $0.id == id }
      return found.map { data.distance(from: data.startIndex, to: $0) }
    }
  }

  /// Rows that never change, whose ids are searched one by one.
  init(count: Int, id: @escaping (Int) -> ItemID) {
    (isArray, selection) = (true, nil)
    countAll = { count }
    idAt = id
    search = { wanted in (0..<count).first { id($0) == wanted } }
  }

  var count: Int { countAll() }

  func id(_ index: Int) -> ItemID { idAt(index) }

  /// Returns the index of a row now: where it was, next to that, or wherever it moved.
  func index(of anchor: ListPlace.Anchor?) -> Int? {
    guard let anchor else { return nil }
    let count = count
    for near in [anchor.index, anchor.index - 1, anchor.index + 1]
    where near >= 0 && near < count && id(near) == anchor.id {
      return near
    }
    return search(anchor.id)
  }

  /// Returns the selected row: that of `place`, the one that the binding names if it differs, or
  /// the neighbour of a removed row.
  ///
  /// There must be a row.
  func selected(in place: ListPlace) -> ListPlace.Anchor {
    var wanted = place.selected
    if let selection {
      let id = selection.wrappedValue
      if id != wanted?.id { wanted = id.map { .init(id: $0, index: wanted?.index ?? 0) } }
    }
    let index =
      index(of: wanted) ?? (wanted == place.selected ? index(of: place.successor) : nil)
      ?? min(count - 1, wanted?.index ?? 0)
    return .init(id: id(index), index: index)
  }
}

extension RandomAccessCollection {
  /// The element at `offset`, counted from 0.
  func element(_ offset: Int) -> Element { self[index(startIndex, offsetBy: offset)] }
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
  fileprivate func offset(of id: ItemID) -> Int? {
    id.value(as: Element.ID.self).flatMap(index(of:)).map { distance(from: startIndex, to: $0) }
  }
}
