import Socks
import TerminalUI

/// The rows of the drawer's list: first the socks that are being added, then those of the drawer,
/// of which only some are loaded.
///
/// It is made again for each frame, and reading a row is cheap: a list of 100,000 is never
/// iterated.
struct DrawerRows: LocatingCollection {
  enum ID: Hashable, Sendable {
    case sock(Sock.ID)
    /// The index of a sock that is not loaded yet.
    case place(Int)
  }

  struct Row: Identifiable {
    let id: ID
    /// The sock, if it is being added and not in the list yet.
    let arrival: DrawerRow?
    /// The index in the list, if the sock is in it.
    let place: Int?
  }

  /// The ID of a row and its index at the time, where the selection stays once the row is gone.
  struct Anchor: Hashable, Sendable {
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

  /// Returns the row of an anchor: the sock wherever it is now, or else the row at its index.
  func row(of anchor: Anchor?) -> Row? {
    guard !isEmpty else { return nil }
    let found = anchor.flatMap { index(of: $0.id) } ?? anchor?.index ?? 0
    return self[Swift.min(found, count - 1)]
  }

  /// Returns the anchor of a row.
  func anchor(_ id: ID) -> Anchor? { index(of: id).map { Anchor(id: self[$0].id, index: $0) } }

  /// Returns the index of a row.
  ///
  /// An ID that was given to a row before its sock was loaded remains valid.
  func index(of id: ID) -> Int? {
    switch id {
    case .place(let place): return place < listed ? arrivals.count + place : nil
    case .sock(let sock):
      if let index = arrivals.firstIndex(where: { $0.id == sock }) { return index }
      return listing.place(of: sock).map { arrivals.count + $0 }
    }
  }
}
