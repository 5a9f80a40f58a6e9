import Loading

/// A snapshot of a drawer's list: its number of socks and its loaded pages.
public struct SockListing: Sendable {
  /// How many socks there are; nil when that is not known yet.
  public let count: Int?
  private let pageSize: Int
  private var pages: [Int: [Sock]] = [:]

  @MainActor
  init(_ list: RangedResource<Sock>) {
    count = list.count.latestValue
    pageSize = list.pageSize
    // Read so that observers are notified of another page.
    _ = list.pages.counts
    list.pages.forEach { number, page in pages[number] = page.latestValue }
  }

  /// The sock at an index; nil while its page is not loaded.
  public subscript(place: Int) -> Sock? {
    guard place >= 0, place < count ?? 0, let page = pages[place / pageSize],
      place % pageSize < page.count
    else { return nil }
    return page[place % pageSize]
  }

  /// Returns the index of a sock if its page is loaded.
  public func place(of id: Sock.ID) -> Int? {
    for (number, page) in pages {
      guard let offset = page.firstIndex(where: { $0.id == id }) else { continue }
      let place = number * pageSize + offset
      return place < count ?? 0 ? place : nil
    }
    return nil
  }

  /// The socks of the loaded pages.
  var socks: [Sock] { pages.values.flatMap { $0 } }

  func contains(_ id: Sock.ID) -> Bool { place(of: id) != nil }

  /// Returns this listing with the pages of another one that are missing here.
  func completed(by other: SockListing) -> SockListing {
    var completed = self
    completed.pages.merge(other.pages) { own, _ in own }
    return completed
  }
}
