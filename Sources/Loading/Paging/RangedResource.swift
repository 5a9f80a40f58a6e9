import Observation

/// A list whose length is loaded first, and whose pages load when they are shown: for stores of
/// 100,000 rows in which the user can jump to the end.
///
/// ```swift
/// let rows = RangedResource(count: Loader { _ in try await store.count() }) { range in
///   Loader { _ in try await store.rows(range) }
/// }
/// rows.load()
/// rows.show(99_950..<100_000)
/// draw(rows[99_990])  // nil until its page is loaded
/// ```
@MainActor
public final class RangedResource<Item: Sendable>: LoadableObject, Observable {
  /// The number of items.
  public let count: Resource<Int>
  /// The number of items in a page.
  public let pageSize: Int
  /// The pages by number: those that are shown, and some of the others.
  public let pages: ResourcePool<Int, [Item]>

  /// Returns the loader of the items in a range.
  public typealias PageLoader = @MainActor (Range<Int>) -> Loader<[Item]>

  private let source: Source
  private var nextSource: PageLoader?
  private var shownItems: Range<Int> = 0..<0
  private var shownPages: Range<Int> = 0..<0
  private var knownCount = 0

  /// Creates a list, which loads nothing yet.
  ///
  /// - Parameters:
  ///   - pageSize: how many items a page has, at least 1.
  ///   - capacity: how many pages are kept, at least 1.
  ///   - limit: how many pages are loaded at the same time.
  ///   - errorPolicy: what a failure after a success does to the number of items, or to a page.
  ///   - refreshing: when the number and the shown pages are loaded again automatically.
  ///   - name: the name in logs; by default the types of its values.
  ///   - mutationFailures: where failed mutations of pages are reported.
  ///   - clock: the clock for every time and wait.
  ///   - scheduler: where loads run.
  ///   - count: loads the number of items.
  ///   - page: returns the loader of the items in a range.
  public init(
    pageSize: Int = 100, capacity: Int = 20, limit: LoadLimit = LoadLimit(2),
    errorPolicy: ErrorPolicy = .keep, refreshing: Refreshing = .never, name: String? = nil,
    mutationFailures: FailedMutation.Inbox? = nil, clock: AnyClock = .continuous,
    scheduler: LoadScheduler = .concurrent, count: Loader<Int>, page: @escaping PageLoader
  ) {
    let size = max(1, pageSize)
    self.pageSize = size
    let source = Source(limit: limit, page: page)
    self.source = source
    self.count = Resource(
      count, errorPolicy: errorPolicy, refreshing: refreshing,
      name: name.map { "\($0), count" }, clock: clock, scheduler: scheduler)
    let length = self.count
    // The pool has no limit: the source limits all loads of pages, including those that
    // `countChanged` starts.
    var pageName: (@MainActor (Int) -> String)?
    if let name { pageName = { "\(name), page \($0)" } }
    pages = ResourcePool(
      capacity: capacity, errorPolicy: errorPolicy, refreshing: refreshing, name: pageName,
      mutationFailures: mutationFailures, clock: clock, scheduler: scheduler
    ) { [weak length] number in
      source.loader(pageRange(number, size: size, of: length.map(Self.known) ?? 0))
    }
    pages.keepsShown = true
    self.count.changed = { [weak self] before, after in
      if after.valueVersion != before.valueVersion || after.arrivals != before.arrivals {
        self?.countChanged(isAnswer: after.arrivals != before.arrivals)
      }
    }
  }

  /// The number of items, as a state.
  public var state: LoadingState<Int> { count.state }

  /// The number of items, without the pages.
  public var sources: [any LoadableObject] { [count] }

  /// Loads the number of items, and the shown pages again if they were loaded.
  public func load() {
    load(.join)
  }

  /// Loads the number of items, and the shown pages again if they were loaded; `policy` decides
  /// about those that are being loaded already.
  ///
  /// After a change of the data, use ``LoadPolicy/keepLatest`` or ``LoadPolicy/restart``: a running
  /// load that is joined may have begun before the change.
  public func load(_ policy: LoadPolicy, cause: LoadActivity.Cause = .user) {
    count.load(policy, cause: cause)
    // Otherwise the pages would load twice, because they load again when the new count is loaded.
    guard nextSource == nil else { return }
    pages.forEach { number, page in
      if page.isDispensable {
        pages.remove(number)
      } else if !pageRange(number, size: pageSize, of: knownCount).isEmpty {
        page.load(policy, cause: cause)
      }
    }
  }

  /// Loads other items, for example those of another query, or in another order.
  ///
  /// The old items stay until the number of the new ones is loaded; after that, each row that is
  /// shown keeps its item until its page is loaded. If the number fails to load, the state is that
  /// failure, and each later load tries the new items again. If this is called several times, the
  /// last call wins; it can be debounced by a debounced `count`.
  ///
  /// ```swift
  /// rows.load(count: Loader { _ in try await store.count(of: text) }) { range in
  ///   Loader { _ in try await store.rows(range, of: text) }
  /// }
  /// ```
  public func load(
    count: Loader<Int>, cause: LoadActivity.Cause = .inputChanged, page: @escaping PageLoader
  ) {
    nextSource = page
    self.count.load(count, .restart, cause: cause)
  }

  /// Loads the pages of the items in `range`, and cancels waiting loads of other pages.
  ///
  /// Called by a view with the items that it shows.
  public func show(_ range: Range<Int>) {
    shownItems = range
    updatePages()
  }

  private func updatePages() {
    let items = shownItems.clamped(to: 0..<knownCount)
    let next =
      items.isEmpty ? 0..<0 : items.lowerBound / pageSize..<(items.upperBound - 1) / pageSize + 1
    let previous = shownPages
    shownPages = next
    for number in next where !previous.contains(number) {
      pages.shownResource(number).appear()
    }
    for number in previous where !next.contains(number) {
      pages.resource(ifPresent: number)?.disappear()
    }
  }

  /// Updates the pages for a new number of items.
  ///
  /// Pages beyond the new end are removed, except for those with changes that are pending or have
  /// failed, as long as the query is the same. The old last page and the new last page are loaded
  /// again, or all pages if the items are those of another query.
  private func countChanged(isAnswer: Bool) {
    let (old, new) = (knownCount, Self.known(count))
    knownCount = new
    let isOther = isAnswer && nextSource != nil
    if isOther, let nextSource {
      source.page = nextSource
      self.nextSource = nil
    }
    if old != new || isOther {
      pages.forEach { number, page in
        let range = pageRange(number, size: pageSize, of: new)
        let isAtEnd = range.isEmpty && (isOther || !page.hasChanges)
        if page.isDispensable ? isOther || range.isEmpty : isAtEnd {
          pages.discard(number)
        } else if !range.isEmpty, isOther || range != pageRange(number, size: pageSize, of: old) {
          // Another input would end the undo windows of the page.
          page.load(source.loader(range), .restart, cause: isOther ? .inputChanged : .invalidated)
        }
      }
    }
    updatePages()
  }

  private static func known(_ count: Resource<Int>) -> Int {
    max(0, count.read { $0.latestValue?.value(as: Int.self) } ?? 0)
  }

  /// The item at `index`; nil while its page is not loaded.
  public subscript(index: Int) -> Item? { state(at: index).value }

  /// Returns the state of the item at `index`, which is that of its page; `idle` beyond the end.
  ///
  /// If the page came with fewer items than the count had promised, or the list has grown, the state
  /// is `idle` until the page is loaded again, or the failure of that load.
  public func state(at index: Int) -> LoadingState<Item> {
    guard index >= 0 else { return .idle }
    guard let page = pages.resource(ifPresent: index / pageSize) else { return .idle }
    switch page.state {
    case .idle: return .idle
    case .loading(let progress): return .loading(progress)
    case .failed(let error): return .failed(error)
    case .loaded(let items):
      let place = index % pageSize
      // A page beyond the end is kept for its changes.
      if index >= knownCount { return .idle }
      if place < items.count { return .loaded(items[place]) }
      return page.currentFailure.map { .failed($0.error) } ?? .idle
    }
  }

  /// Loads the page of the item at `index` again.
  public func retry(at index: Int) {
    guard index >= 0 else { return }
    pages.resource(ifPresent: index / pageSize)?.retry()
  }
}

extension RangedResource {
  /// The loaders of pages: an object of its own, because the pool needs it before the list is
  /// initialised.
  @MainActor
  private final class Source {
    let limit: LoadLimit
    var page: PageLoader

    init(limit: LoadLimit, page: @escaping PageLoader) {
      self.limit = limit
      self.page = page
    }

    func loader(_ range: Range<Int>) -> Loader<[Item]> { page(range).limited(by: limit) }
  }
}

/// Returns the range of the items on a page, which ends at the end of the list.
private func pageRange(_ number: Int, size: Int, of count: Int) -> Range<Int> {
  let start = number * size
  return start..<max(start, min(start + size, count))
}
