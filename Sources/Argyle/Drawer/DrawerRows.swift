import Socks

/// The rows of the drawer's list: the socks that are being added, then those of the drawer, of which
/// only the loaded ones are known.
///
/// It is made anew for each frame, and looking at a row costs nothing: a list of 100,000 is never
/// walked through.
struct DrawerRows: RandomAccessCollection {
  enum ID: Hashable, Sendable {
    case sock(Sock.ID)
    /// A place of the list of which it is not known yet what is there.
    case place(Int)
  }

  struct Row: Identifiable {
    let id: ID
    /// The sock, if it is being added.
    let addition: Sock?
    /// Its place in the list, if it is in there.
    let place: Int?
  }

  /// A row by id, with the index at which it was: where to stay once it is gone.
  struct Anchor: Equatable {
    let id: ID
    let index: Int
  }

  private let additions: [Sock]
  private let listed: Int
  private let pageSize: Int
  private let pages: [Int: [Sock]]

  @MainActor
  init(_ drawer: SockDrawer) {
    var pages: [Int: [Sock]] = [:]
    drawer.list.pages.forEach { number, page in pages[number] = page.latestValue }
    self.pages = pages
    pageSize = drawer.list.pageSize
    listed = drawer.list.count.latestValue ?? 0
    let added = drawer.additions.latestValue ?? []
    // For a moment one may be both.
    additions =
      added.isEmpty
      ? [] : added.filter { sock in !pages.values.contains { $0.contains { $0.id == sock.id } } }
  }

  var startIndex: Int { 0 }
  var endIndex: Int { additions.count + listed }

  subscript(index: Int) -> Row {
    if index < additions.count {
      return Row(id: .sock(additions[index].id), addition: additions[index], place: nil)
    }
    let place = index - additions.count
    let sock = sock(at: place)
    return Row(id: sock.map { .sock($0.id) } ?? .place(place), addition: nil, place: place)
  }

  private func sock(at place: Int) -> Sock? {
    guard let page = pages[place / pageSize], place % pageSize < page.count else { return nil }
    return page[place % pageSize]
  }

  /// The row of an anchor: wherever its sock is now, or else what is in its place.
  func row(of anchor: Anchor?) -> Row? {
    guard !isEmpty else { return nil }
    let found = anchor.flatMap { index(of: $0.id) } ?? anchor?.index ?? 0
    return self[Swift.min(found, count - 1)]
  }

  /// The anchor of a row.
  func anchor(_ id: ID) -> Anchor? { index(of: id).map { Anchor(id: self[$0].id, index: $0) } }

  private func index(of id: ID) -> Int? {
    switch id {
    case .place(let place): return place < listed ? additions.count + place : nil
    case .sock(let sock):
      if let index = additions.firstIndex(where: { $0.id == sock }) { return index }
      for (number, page) in pages {
        guard let offset = page.firstIndex(where: { $0.id == sock }) else { continue }
        let place = number * pageSize + offset
        return place < listed ? additions.count + place : nil
      }
      return nil
    }
  }
}
