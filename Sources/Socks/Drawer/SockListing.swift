import Loading

/// What is listed of a drawer: how many socks, and those of the pages that are there.
public struct SockListing: Sendable {
  /// How many socks there are; nil when that is not known yet.
  public let count: Int?
  private let pageSize: Int
  private var pages: [Int: [Sock]] = [:]

  @MainActor
  init(_ list: RangedResource<Sock>) {
    count = list.count.latestValue
    pageSize = list.pageSize
    // Read, so that who looks is told of another page.
    _ = list.pages.counts
    list.pages.forEach { number, page in pages[number] = page.latestValue }
  }

  /// The sock at a place; nil while it is not there.
  public subscript(place: Int) -> Sock? {
    guard place >= 0, place < count ?? 0, let page = pages[place / pageSize],
      place % pageSize < page.count
    else { return nil }
    return page[place % pageSize]
  }

  /// The place of a sock, where its page is there.
  public func place(of id: Sock.ID) -> Int? {
    for (number, page) in pages {
      guard let offset = page.firstIndex(where: { $0.id == id }) else { continue }
      let place = number * pageSize + offset
      return place < count ?? 0 ? place : nil
    }
    return nil
  }

  /// Those that are there, page by page.
  var socks: [Sock] { pages.values.flatMap { $0 } }

  func contains(_ id: Sock.ID) -> Bool { place(of: id) != nil }

  /// With the pages of another one that this one does not have.
  func completed(by other: SockListing) -> SockListing {
    var completed = self
    completed.pages.merge(other.pages) { own, _ in own }
    return completed
  }
}
