import Observation

/// A list that grows page by page while the user scrolls, at its end or at its beginning.
///
/// The list, the next page and the previous page are loaded independently, each with a state of its
/// own: neither a failed reload nor a failed page removes what was loaded, and each can be retried.
///
/// ```swift
/// let list = PagedResource { cursor in Loader { _ in try await api.items(after: cursor) } }
/// list.load()
/// list.show(0..<20)  // loads more near an end
/// ```
///
/// A view of `TerminalUI` shows the items by an `AsyncContentView` of the list, and below it one of
/// ``append``, in which the next page's spinner and failure appear: see "A list of pages" there.
///
/// A change of an item is a mutation of ``content``, whose pages find the item by its id:
///
/// ```swift
/// list.content.mutate(item: id) { pages in
///   pages.modify(id: id) { $0.isStarred = true }
/// } commit: { _ in
///   try await api.star(id)
/// }
/// ```
///
/// ``access(id:undoWindow:throttle:commit:)`` gives access to an item, for example for a binding.
///
/// A list that opens in the middle, such as a conversation at the first unread message, has a
/// `start` and pages with a cursor of the previous page. A list that may become long keeps at most
/// ``maximumPageCount`` pages, and loads an evicted page again when the user scrolls back to it.
/// Pages that were stored can be shown before the first load: pass them as `initialPages`.
@MainActor
public final class PagedResource<Item: Sendable, Cursor: Sendable>: LoadableObject, Observable {
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
  ///
  /// More are kept while a view shows items on or near all of them, see ``show(_:)``, and while
  /// changes of the list are not stored yet.
  public let maximumPageCount: Int?

  /// Returns the loader of the page at a cursor; nil is the first page.
  public typealias PageLoader = @MainActor (Cursor?) -> Loader<Page<Item, Cursor>>

  private let start: Cursor?
  private var page: PageLoader
  /// The pages that a load of the content loads.
  private let plan: Lock<PagePlan<Cursor>>
  private var joined: (version: Int, items: [Item]) = (-1, [])
  private var shownItems: Range<Int> = 0..<0
  /// How many pages without items were added one after the other.
  private var emptyPageCount = 0
  /// Whether the pages at both ends are being changed, so that none may be loaded meanwhile.
  private var isChangingPages = false

  /// The loads of pages that run, by the resources of the ends.
  private var pageLoads: [ObjectIdentifier: PageLoad] = [:]

  private static var emptyPageLimit: Int { 10 }

  /// Creates a list, which loads nothing yet.
  ///
  /// - Parameters:
  ///   - start: the cursor of the first load, for a list that opens in the middle; nil for the
  ///     first page.
  ///   - initialPages: the pages before the first load, for example stored ones: the page at
  ///     `start`, and the pages that follow it. They count as loaded.
  ///   - initialAge: the age of `initialPages`, which counts for ``Refreshing/staleAfter``.
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
    start: Cursor? = nil, initialPages: [Page<Item, Cursor>] = [], initialAge: Duration = .zero,
    maximumPageCount: Int? = nil, prefetchDistance: Int = 10,
    errorPolicy: ErrorPolicy = .keep, refreshing: Refreshing = .never, name: String? = nil,
    mutationFailures: FailedMutation.Inbox? = nil, clock: AnyClock = .continuous,
    scheduler: LoadScheduler = .concurrent,
    page: @escaping PageLoader
  ) {
    self.start = start
    self.maximumPageCount = maximumPageCount.map { max(1, $0) }
    self.prefetchDistance = prefetchDistance
    let (page, cached) = Self.noting(page)
    self.page = page
    let plan = Lock(PagePlan(cursor: start, count: max(1, initialPages.count)))
    self.plan = plan
    let initial = Page.sequence(initialPages, from: start)
    content = Resource(
      Loader.pages(plan, cached, page), initialState: initial.isEmpty ? .idle : .loaded(initial),
      initialAge: initialAge, errorPolicy: errorPolicy, refreshing: refreshing, name: name,
      mutationFailures: mutationFailures, clock: clock, scheduler: scheduler)
    append = Resource(
      startsOnAppear: false, name: name.map { "\($0), next page" }, clock: clock,
      scheduler: scheduler)
    prepend = Resource(
      startsOnAppear: false, name: name.map { "\($0), page before" }, clock: clock,
      scheduler: scheduler)
    content.changed = { [weak self] before, after in self?.contentChanged(before, after) }
    follow(append) { $0.takeNext($1) }
    follow(prepend) { $0.takePrevious($1) }
  }

  /// Returns the same loaders of pages, and the cached values of all of them that were used.
  private static func noting(_ page: @escaping PageLoader) -> (PageLoader, PageInvalidations) {
    let cached = PageInvalidations()
    let noting: PageLoader = { cursor in
      let loader = page(cursor)
      cached.add(loader.traits.invalidations)
      return loader
    }
    return (noting, cached)
  }

  /// Takes each page that is loaded at an end; after a load without one, the other end may go on.
  private func follow(
    _ end: Resource<Page<Item, Cursor>>,
    take: @escaping @MainActor (PagedResource, Page<Item, Cursor>) -> Void
  ) {
    let id = ObjectIdentifier(end)
    end.changed = { [weak self, unowned end] before, after in
      guard let self else { return }
      if after.isLoading {
        if after.ticket != before.ticket { pageLoads[id] = pageLoad(at: end) }
        if after.arrivals != before.arrivals {
          pageLoads[id]?.isCached = end.truth.activity?.isCached ?? false
        }
        return
      }
      let load = pageLoads.removeValue(forKey: id)
      guard let page = end.latestValue, end.hasWholePage(of: load) else {
        if before.isLoading { loadNearShown() }
        return
      }
      let commits = (load ?? pageLoad(at: end)).commits
      let ids = commits.isEmpty ? nil : page.ids
      let ofItsItems = commits.filter { $0.value.mayHave(oneOf: ids) }.keys
      // It may have been read before the change was stored. Only once in a row, or it might never
      // come while changes go on.
      if ofItsItems.contains(where: { content.truth.log.mutation($0) == nil }),
        load?.isRepeated == false, end.truth.loader != nil
      {
        end.apply(.loadAgain(since: load?.start))
      } else {
        take(self, page)
        // After that, since it may begin at once, and has to load this page, too.
        if !ofItsItems.isEmpty { changePages { content.update(needsReload: true) { _ in } } }
        continueLoading(after: page)
      }
    }
  }

  private func pageLoad(at end: Resource<Page<Item, Cursor>>) -> PageLoad {
    let activity = end.truth.activity
    var load = PageLoad(start: activity?.startedAt, isRepeated: activity?.cause == .mutation)
    load.noteCommits(of: content)
    return load
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

  /// The list, without the pages at its ends.
  public var sources: [any LoadableObject] { [content] }

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

  /// Loads other items, for example those of another query, beginning with the first page or the one
  /// at the start.
  ///
  /// The old items stay until the new ones are loaded; meanwhile no page is added to them. If the load
  /// fails, the failure replaces them. If this is called several times, the last call wins; `page`
  /// can be debounced.
  ///
  /// ```swift
  /// posts.load { cursor in
  ///   Loader { _ in try await api.posts(after: cursor, matching: text) }
  ///     .debounced(for: .milliseconds(200))
  /// }
  /// ```
  public func load(page: @escaping PageLoader) {
    let (page, cached) = Self.noting(page)
    self.page = page
    plan.withLock { $0 = PagePlan(cursor: start) }
    content.load(Loader.pages(plan, cached, page), .restart)
  }

  /// Loads the next page, unless there is none, or the list or a page is being loaded.
  public func loadMore() {
    guard isReady, let last = content.latestValue?.last, let next = last.next else { return }
    append.load(page(next).map { $0.loaded(with: next) }, .drop, cause: .appeared)
  }

  /// Loads the previous page, unless there is none, or the list or a page is being loaded.
  public func loadPrevious() {
    guard isReady, let way = wayToPrevious else { return }
    prepend.load(
      page(way.cursor).map { $0.loaded(with: way.cursor, wayBack: way.rest) }, .drop,
      cause: .appeared)
  }

  /// Loads the page beyond an end of the list if the items in `range` are near that end.
  ///
  /// Called by the one view of the list with the indices of the items that it shows: again when they
  /// change, and with an empty range when it disappears. A page that has to wait for another load is
  /// loaded after it. Until the next call, no page is evicted that would be loaded again at once.
  /// Does nothing at an end whose page has failed or was cancelled: the user can retry it.
  public func show(_ range: Range<Int>) {
    shownItems = range
    emptyPageCount = 0
    loadNearShown()
  }

  private func loadNearShown() {
    // Items beyond the end were those of a longer list: the view has not shown this one yet.
    guard !isChangingPages, let last = shownItems.last, last < items.count else { return }
    itemAppeared(at: last)
    itemAppeared(at: shownItems.lowerBound)
  }

  /// Loads the page beyond an end of the list if the item at `index` is near that end.
  ///
  /// Called when the item appears, by a view that does not know which items it shows; other views
  /// call ``show(_:)``. Does nothing while the list or a page is being loaded, or if that page has
  /// failed or was cancelled: the user can retry it.
  public func itemAppeared(at index: Int) {
    if index >= items.count - prefetchDistance, mayStart(append) { loadMore() }
    if index < prefetchDistance, mayStart(prepend) { loadPrevious() }
  }

  private var isReady: Bool {
    !content.isLoading && !append.isLoading && !prepend.isLoading && !content.showsEarlierInput
  }

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
    if !pageLoads.isEmpty, after.mutationVersion != before.mutationVersion {
      for id in pageLoads.keys { pageLoads[id]?.noteCommits(of: content) }
    }
    // A page that follows the old list does not follow the new one.
    let isStarted = after.isLoading && after.ticket != before.ticket
    if isStarted || after.arrivals != before.arrivals { changePages() }
    guard !after.isLoading || after.arrivals != before.arrivals, !content.truth.showsEarlierInput
    else { return }
    let pages = content.read { $0.latestValue?.value(as: [Page<Item, Cursor>].self) } ?? []
    plan.withLock { plan in
      plan = PagePlan(
        cursor: pages.isEmpty ? start : pages[0].cursor, wayBack: pages.first?.wayBack ?? [],
        count: max(1, pages.count))
    }
    loadNearShown()
  }

  private func takeNext(_ page: Page<Item, Cursor>) {
    changePages {
      let sizes = pageSizes + [page.items.count]
      let evicted = evictionCount(sizes, unneeded: shownItems.lowerBound - prefetchDistance)
      content.update(needsReload: false) { pages in
        pages.append(page)
        for _ in 0..<evicted where pages.count > 1 {
          let gone = pages.removeFirst()
          pages[0].wayBack = gone.wayBack + [gone.cursor]
        }
      }
      moveShownItems(by: -sizes.prefix(evicted).reduce(0, +))
    }
  }

  private func takePrevious(_ page: Page<Item, Cursor>) {
    changePages {
      let sizes = [page.items.count] + pageSizes
      moveShownItems(by: page.items.count)
      let evicted = evictionCount(
        sizes.reversed(),
        unneeded: sizes.reduce(0, +) - shownItems.upperBound - prefetchDistance)
      content.update(needsReload: false) { pages in
        pages.insert(page, at: 0)
        pages.removeLast(min(evicted, pages.count - 1))
      }
    }
  }

  /// The numbers of items of the pages.
  private var pageSizes: [Int] { content.latestValue?.map(\.items.count) ?? [] }

  /// Changes the pages, after which those that are being loaded at the ends, or have failed, may
  /// not fit any more.
  private func changePages(_ change: () -> Void = {}) {
    let wasChangingPages = isChangingPages
    isChangingPages = true
    for end in [append, prepend] where end.truth.loader != nil { end.forget() }
    change()
    isChangingPages = wasChangingPages
  }

  /// Loads more if the shown items are still near an end.
  private func continueLoading(after page: Page<Item, Cursor>) {
    // A server that answers with one empty page after the other must not be asked without end.
    emptyPageCount = page.items.isEmpty ? emptyPageCount + 1 : 0
    if emptyPageCount < Self.emptyPageLimit { loadNearShown() }
  }

  /// Returns how many of the first pages to evict: those above the maximum, as far as they are
  /// among the `unneeded` first items; none while a change is pending.
  ///
  /// A page nearer to the shown items would be loaded again at once, in the place of another one.
  private func evictionCount(_ sizes: [Int], unneeded: Int) -> Int {
    // A change that is not stored yet needs its item; and the page, loaded again, might have the
    // change already, which is then shown over it once more.
    guard let maximumPageCount, content.truth.log.isDrained else { return 0 }
    let surplus = sizes.prefix(max(0, sizes.count - maximumPageCount))
    guard !shownItems.isEmpty else { return surplus.count }
    var (count, items) = (0, 0)
    for size in surplus {
      items += size
      guard items <= unneeded else { break }
      count += 1
    }
    return count
  }

  private func moveShownItems(by distance: Int) {
    guard !shownItems.isEmpty else { return }
    let start = max(0, shownItems.lowerBound + distance)
    shownItems = start..<(start + shownItems.count)
  }
}
