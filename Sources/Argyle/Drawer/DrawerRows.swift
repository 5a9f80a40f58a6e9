import Socks
import TerminalUI

/// The rows of the drawer's list: the socks that are being added, then those of the drawer, of which
/// only the loaded ones are known.
///
/// It is rebuilt for each frame, and looking at a row costs nothing: a list of 100,000 is never
/// walked through.
struct DrawerRows: LocatingCollection {
  enum ID: Hashable, Sendable {
    case sock(Sock.ID)
    /// A place of the list of which it is not known yet what is there.
    case place(Int)
  }

  struct Row: Identifiable {
    let id: ID
    /// The sock, if the list does not have it yet.
    let arrival: DrawerRow?
    /// Its place in the list, if it is in there.
    let place: Int?
  }

  /// A row by id, with the index at which it was: where to stay once it is gone.
  struct Anchor: Equatable {
    let id: ID
    let index: Int
  }

  typealias Index = Int
  typealias Element = Row

  private let arrivals: [DrawerRow]
  private let listing: SockListing
  private var listed: Int { listing.count ?? 0 }

  @MainActor
  init(_ drawer: SockDrawer) {
    listing = drawer.listing
    arrivals = drawer.arrivals
  }

  var startIndex: Int { 0 }
  var endIndex: Int { arrivals.count + listed }

  subscript(index: Int) -> Row {
    if index < arrivals.count {
      return Row(id: .sock(arrivals[index].id), arrival: arrivals[index], place: nil)
    }
    let place = index - arrivals.count
    return Row(
      id: listing[place].map { .sock($0.id) } ?? .place(place), arrival: nil, place: place)
  }

  /// The row of an anchor: wherever its sock is now, or else what is in its place.
  func row(of anchor: Anchor?) -> Row? {
    guard !isEmpty else { return nil }
    let found = anchor.flatMap { index(of: $0.id) } ?? anchor?.index ?? 0
    return self[Swift.min(found, count - 1)]
  }

  /// The anchor of a row.
  func anchor(_ id: ID) -> Anchor? { index(of: id).map { Anchor(id: self[$0].id, index: $0) } }

  /// Where a row is; what is loaded at a place now is what was to be loaded there.
  func index(of id: ID) -> Int? {
    switch id {
    case .place(let place): return place < listed ? arrivals.count + place : nil
    case .sock(let sock):
      if let index = arrivals.firstIndex(where: { $0.id == sock }) { return index }
      return listing.place(of: sock).map { arrivals.count + $0 }
    }
  }
}
