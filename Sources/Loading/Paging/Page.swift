/// One page of a list that is loaded page by page.
public struct Page<Item: Sendable, Cursor: Sendable>: Sendable {
  /// The items of the page.
  public var items: [Item]
  /// The cursor of the next page; nil if this is the last.
  public var next: Cursor?
  /// The cursor of the previous page; nil if this is the first, or if the list only grows at its
  /// end.
  public var previous: Cursor?

  /// The cursor that the page was loaded with.
  var cursor: Cursor?
  /// The cursors of the evicted pages before this one; the last is that of the nearest page.
  var wayBack: [Cursor?] = []

  /// Creates a page of `items` between the pages at `previous` and `next`.
  public init(_ items: [Item], previous: Cursor? = nil, next: Cursor?) {
    self.items = items
    self.previous = previous
    self.next = next
  }

  /// Returns pages that follow one another, the first of which was loaded with `cursor`.
  static func sequence(_ pages: [Page], from cursor: Cursor?) -> [Page] {
    var cursor = cursor
    return pages.map { page in
      defer { cursor = page.next }
      return page.loaded(with: cursor)
    }
  }

  func loaded(with cursor: Cursor?, wayBack: [Cursor?] = []) -> Page {
    var page = self
    page.cursor = cursor
    page.wayBack = wayBack
    return page
  }
}

extension Page: Equatable where Item: Equatable, Cursor: Equatable {}

extension Array {
  /// Changes the item with this id, on whichever page it is; does nothing if there is none.
  public mutating func modify<Item: Identifiable, Cursor>(
    id: Item.ID, _ change: (inout Item) -> Void
  ) where Element == Page<Item, Cursor> {
    guard let (page, index) = place(of: id) else { return }
    change(&self[page].items[index])
  }

  /// Removes the item with this id from its page, and returns it; nil if there is none.
  @discardableResult
  public mutating func remove<Item: Identifiable, Cursor>(id: Item.ID) -> Item?
  where Element == Page<Item, Cursor> {
    guard let (page, index) = place(of: id) else { return nil }
    return self[page].items.remove(at: index)
  }

  /// Returns the item with this id; nil if there is none.
  func item<Item: Identifiable, Cursor>(id: Item.ID) -> Item?
  where Element == Page<Item, Cursor> {
    place(of: id).map { self[$0.page].items[$0.index] }
  }

  /// The indices of the page of an item, and of the item on that page.
  private func place<Item: Identifiable, Cursor>(of id: Item.ID) -> (page: Int, index: Int)?
  where Element == Page<Item, Cursor> {
    for (page, items) in zip(indices, lazy.map(\.items)) {
      if let index = items.firstIndex(where: { $0.id == id }) { return (page, index) }
    }
    return nil
  }
}

/// The pages that a load of a list loads.
struct PagePlan<Cursor: Sendable>: Sendable {
  /// The cursor of the first page.
  var cursor: Cursor?
  var wayBack: [Cursor?] = []
  var count = 1
}

/// The cached values of the pages of a list, by the cache and the key.
///
/// A change of an item invalidates all of them: a page that was evicted since it was loaded may have
/// the item, too. Of more than 1,000 pages, the least recently loaded ones are removed from their
/// caches instead.
final class PageInvalidations: Sendable {
  private struct Status {
    var known: [[MutationKey]: Invalidation] = [:]
    var recency = RecencyList<[MutationKey]>()
    /// How many commits are running.
    var commitCount = 0

    mutating func removeOldest() {
      guard let oldest = recency.oldest, let invalidation = known.removeValue(forKey: oldest)
      else { return }
      recency.remove(oldest)
      invalidation.forget()
      if commitCount > 0 { invalidation.countCommits(-commitCount) }
    }
  }

  private static let capacity = 1_000
  private let status = Lock(Status())

  func add(_ invalidations: [Invalidation]) {
    status.withLock { status in
      for invalidation in invalidations {
        status.recency.use(invalidation.id)
        guard status.known.updateValue(invalidation, forKey: invalidation.id) == nil else {
          continue
        }
        if status.commitCount > 0 { invalidation.countCommits(status.commitCount) }
        if status.known.count > Self.capacity { status.removeOldest() }
      }
    }
  }

  /// All of them as one.
  var whole: Invalidation {
    Invalidation(
      id: [MutationKey(ObjectIdentifier(self))],
      forget: { for invalidation in self.all { invalidation.forget() } },
      countCommits: { change in
        self.status.withLock { status in
          status.commitCount += change
          for invalidation in status.known.values { invalidation.countCommits(change) }
        }
      },
      write: { for invalidation in self.all { await invalidation.write() } })
  }

  private var all: [Invalidation] { status.withLock { Array($0.known.values) } }
}

extension Loader {
  /// Returns a loader of the pages of a plan, one after the other.
  ///
  /// A commit invalidates the cached values in `cached`, to which `page` adds those of each page.
  @MainActor
  static func pages<Item, Cursor>(
    _ plan: Lock<PagePlan<Cursor>>, _ cached: PageInvalidations,
    _ page: @escaping @MainActor (Cursor?) -> Loader<Page<Item, Cursor>>
  ) -> Loader where Value == [Page<Item, Cursor>] {
    var traits = LoaderTraits()
    traits.add(page(plan.withLock { $0.cursor }).traits)
    traits.invalidations = [cached.whole]
    return Loader(traits) { context, output in
      let plan = plan.withLock { $0 }
      // `page` runs on the main actor.
      let loader = { @Sendable (cursor: Cursor?) async throws in
        let loader = await withCheckedContinuation { continuation in
          context.origin.scheduler.deliver { continuation.resume(returning: page(cursor)) }
        }
        try Task.checkCancellation()
        return loader
      }
      guard plan.count > 1 else {
        return try await loader(plan.cursor)
          .map { [$0.loaded(with: plan.cursor, wayBack: plan.wayBack)] }.run(context, output)
      }
      var pages: [Page<Item, Cursor>] = []
      var cursor = plan.cursor
      while pages.count < plan.count {
        let wayBack = pages.isEmpty ? plan.wayBack : []
        let loaded = try await loader(cursor).first(context.part(pages.count, of: plan.count))
        pages.append(loaded.loaded(with: cursor, wayBack: wayBack))
        guard let next = loaded.next else { break }
        cursor = next
      }
      return pages
    }
  }
}
