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

  func asked(with cursor: Cursor?, wayBack: [Cursor?] = []) -> Page {
    var page = self
    page.cursor = cursor
    page.wayBack = wayBack
    return page
  }
}

extension Page: Equatable where Item: Equatable, Cursor: Equatable {}

/// A list that grows page by page while the user scrolls, at its end or at its beginning.
///
/// The list, the next page and the previous page are loaded independently, each with a state of its
/// own: neither a failed reload nor a failed page removes what was loaded, and each can be retried.
///
/// ```swift
/// let list = PagedResource { cursor in Loader { _ in try await api.items(after: cursor) } }
/// list.load()
/// list.shown(index)  // loads more near the end
/// ```
///
/// A list that opens in the middle, such as a conversation at the first unread message, has a
/// `start` and pages with a cursor of the previous page. A list that may become long keeps at most
/// ``maximumPageCount`` pages, and loads an evicted page again when the user scrolls back to it.
@MainActor
public final class PagedResource<Item: Sendable, Cursor: Sendable>: LoadableObject {
  /// The loaded pages, with the state of the first load and of reloads.
  public let content: Resource<[Page<Item, Cursor>]>
  /// The page that is being added at the end, with its state, failure and retry.
  ///
  /// It has a loader only while the page loads or has failed, so that a retry cannot add a page
  /// twice, or a page of an older list.
  public let append: Resource<Page<Item, Cursor>>
  /// The page that is being added at the beginning, like ``append``.
  public let prepend: Resource<Page<Item, Cursor>>
  /// How many items from an end of the list a shown item loads the page beyond that end.
  public let prefetchDistance: Int
  /// How many pages are kept; nil for all of them.
  public let maximumPageCount: Int?

  private let start: Cursor?
  private let page: @MainActor (Cursor?) -> Loader<Page<Item, Cursor>>
  /// The pages that a load of the content loads.
  private let plan: Lock<PagePlan<Cursor>>
  private var joined: (version: Int, items: [Item]) = (-1, [])

  /// Creates an empty list, which loads nothing yet.
  ///
  /// - Parameters:
  ///   - start: the cursor of the first load, for a list that opens in the middle; nil for the
  ///     first page.
  ///   - maximumPageCount: how many pages are kept, at least 1; pages are evicted at the other end
  ///     from the one at which a page was added. Nil keeps all pages.
  ///   - prefetchDistance: how many items from an end of the list a shown item loads the page
  ///     beyond that end.
  ///   - errorPolicy: what a failed reload does to the list.
  ///   - refreshing: when the list is reloaded automatically while a view shows it.
  ///   - name: the name in logs; by default the type of its pages.
  ///   - mutationFailures: where failed mutations are reported.
  ///   - clock: the clock for every time and wait.
  ///   - scheduler: where loads run.
  ///   - page: returns the loader of the page at a cursor; nil is the first page.
  public init(
    start: Cursor? = nil, maximumPageCount: Int? = nil, prefetchDistance: Int = 10,
    errorPolicy: ErrorPolicy = .keep, refreshing: Refreshing = .never, name: String? = nil,
    mutationFailures: FailedMutation.Inbox? = nil, clock: AnyClock = .continuous,
    scheduler: LoadScheduler = .concurrent,
    page: @escaping @MainActor (Cursor?) -> Loader<Page<Item, Cursor>>
  ) {
    self.start = start
    self.maximumPageCount = maximumPageCount.map { max(1, $0) }
    self.prefetchDistance = prefetchDistance
    self.page = page
    let plan = Lock(PagePlan(cursor: start))
    self.plan = plan
    content = Resource(
      Loader.pages(plan, page), errorPolicy: errorPolicy, refreshing: refreshing, name: name,
      mutationFailures: mutationFailures, clock: clock, scheduler: scheduler)
    append = Resource(
      startsOnAppear: false, name: name.map { "\($0), next page" }, clock: clock,
      scheduler: scheduler)
    prepend = Resource(
      startsOnAppear: false, name: name.map { "\($0), page before" }, clock: clock,
      scheduler: scheduler)
    content.changed = { [weak self] before, after in self?.contentChanged(before, after) }
    append.changed = { [weak self] before, after in
      if after.hasContent, after.valueVersion != before.valueVersion { self?.takeNext() }
    }
    prepend.changed = { [weak self] before, after in
      if after.hasContent, after.valueVersion != before.valueVersion { self?.takePrevious() }
    }
  }

  /// The loaded items, with their pending changes.
  public var items: [Item] {
    guard let pages = content.latestValue else { return [] }
    let version = content.truth.log.patches.version
    if joined.version != version { joined = (version, pages.flatMap(\.items)) }
    return joined.items
  }

  /// The state of the list.
  public var state: LoadingState<[Item]> { content.state.map { _ in items } }

  /// Whether there is more to load at the end.
  public var hasMore: Bool { content.latestValue?.last?.next != nil }

  /// Whether there is more to load at the beginning.
  public var hasPrevious: Bool { wayToPrevious != nil }

  /// Loads all loaded pages again, one after the other, or the first page if there are none.
  ///
  /// The new pages replace the old ones once all of them are loaded, so that the user keeps their
  /// position. If the list has become shorter, fewer pages are loaded.
  public func load() { content.load() }

  /// Loads only the first page, or the one at the start, which then replaces the list.
  public func loadFirst() {
    plan.withLock { $0 = PagePlan(cursor: start) }
    content.load(.restart)
  }

  /// Loads the next page, unless there is none, or the list or a page is being loaded.
  public func loadMore() {
    guard isReady, let last = content.latestValue?.last, let next = last.next else { return }
    append.load(page(next).map { $0.asked(with: next) }, .drop, cause: .appeared)
  }

  /// Loads the previous page, unless there is none, or the list or a page is being loaded.
  public func loadPrevious() {
    guard isReady, let way = wayToPrevious else { return }
    prepend.load(
      page(way.cursor).map { $0.asked(with: way.cursor, wayBack: way.rest) }, .drop,
      cause: .appeared)
  }

  /// Loads the page beyond an end of the list if the item at `index` is near that end.
  ///
  /// Called by a view that shows the item. Does nothing if that page has failed or was cancelled:
  /// the user can retry it.
  public func shown(_ index: Int) {
    if index >= items.count - prefetchDistance, mayStart(append) { loadMore() }
    if index < prefetchDistance, mayStart(prepend) { loadPrevious() }
  }

  private var isReady: Bool { !content.isLoading && !append.isLoading && !prepend.isLoading }

  private func mayStart(_ end: Resource<Page<Item, Cursor>>) -> Bool {
    end.currentFailure == nil && !end.wasCancelled
  }

  /// The cursor of the page before the first one, and those of the evicted pages before that.
  private var wayToPrevious: (cursor: Cursor?, rest: [Cursor?])? {
    guard let first = content.latestValue?.first else { return nil }
    if let cursor = first.wayBack.last { return (cursor, first.wayBack.dropLast()) }
    return first.previous.map { ($0, []) }
  }

  private func contentChanged(_ before: ResourceSignature, _ after: ResourceSignature) {
    // A page that follows the old list does not follow the new one.
    let isStarted = after.isLoading && after.ticket != before.ticket
    if isStarted || after.arrivals != before.arrivals {
      append.forget()
      prepend.forget()
    }
    guard !after.isLoading || after.valueVersion != before.valueVersion else { return }
    let pages = content.read { $0.latestValue?.value(as: [Page<Item, Cursor>].self) } ?? []
    plan.withLock { plan in
      plan = PagePlan(
        cursor: pages.isEmpty ? start : pages[0].cursor, wayBack: pages.first?.wayBack ?? [],
        count: max(1, pages.count))
    }
  }

  private func takeNext() {
    guard let page = append.latestValue else { return }
    append.forget()
    // A failed page at the other end may not fit any more: the page next to it may be evicted
    // below.
    prepend.forget()
    content.update { [maximumPageCount] pages in
      pages.append(page)
      while let maximumPageCount, pages.count > maximumPageCount {
        let gone = pages.removeFirst()
        pages[0].wayBack = gone.wayBack + [gone.cursor]
      }
    }
  }

  private func takePrevious() {
    guard let page = prepend.latestValue else { return }
    prepend.forget()
    append.forget()
    content.update { [maximumPageCount] pages in
      pages.insert(page, at: 0)
      if let maximumPageCount { pages = Array(pages.prefix(maximumPageCount)) }
    }
  }
}

/// The pages that a load of a list loads.
private struct PagePlan<Cursor: Sendable>: Sendable {
  /// The cursor of the first page.
  var cursor: Cursor?
  var wayBack: [Cursor?] = []
  var count = 1
}

extension Loader {
  /// Returns a loader of the pages of a plan, one after the other.
  @MainActor
  fileprivate static func pages<Item, Cursor>(
    _ plan: Lock<PagePlan<Cursor>>,
    _ page: @escaping @MainActor (Cursor?) -> Loader<Page<Item, Cursor>>
  ) -> Loader where Value == [Page<Item, Cursor>] {
    var traits = LoaderTraits()
    traits.add(page(plan.withLock { $0.cursor }).traits)
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
          .map { [$0.asked(with: plan.cursor, wayBack: plan.wayBack)] }.run(context, output)
      }
      var pages: [Page<Item, Cursor>] = []
      var cursor = plan.cursor
      while pages.count < plan.count {
        let wayBack = pages.isEmpty ? plan.wayBack : []
        let loaded = try await loader(cursor).first(context.part(pages.count, of: plan.count))
        pages.append(loaded.asked(with: cursor, wayBack: wayBack))
        guard let next = loaded.next else { break }
        cursor = next
      }
      return pages
    }
  }
}
