/// A list whose length is known and whose pages load when they are shown: for stores of 100,000
/// rows in which a person jumps to the end.
///
/// ```swift
/// let rows = RangedResource(count: Loader { _ in try await store.count() }) { range in
///   Loader { _ in try await store.rows(range) }
/// }
/// rows.load()
/// rows.show(99_950..<100_000)
/// rows[99_990]   // nil until its page is there
/// ```
@MainActor
public final class RangedResource<Item: Sendable>: LoadableObject {
  /// How many items there are.
  public let count: Resource<Int>
  /// How many items a page has.
  public let pageSize: Int
  /// The pages, by number; the shown ones are kept, and some of the others.
  public let pages: ResourcePool<Int, [Item]>

  private let makePage: @MainActor (Range<Int>) -> Loader<[Item]>
  private var shownItems: Range<Int> = 0..<0
  private var shownPages: Range<Int> = 0..<0
  private var knownCount = 0

  /// - Parameters:
  ///   - pageSize: how many items a page has, at least 1.
  ///   - capacity: how many pages are kept.
  ///   - limit: how many pages are loaded at once.
  ///   - clock: the clock for every time and wait.
  ///   - scheduler: where loads run.
  ///   - count: how to load the number of items.
  ///   - page: how to load the items of a range.
  public init(
    pageSize: Int = 100, capacity: Int = 20, limit: LoadLimit = LoadLimit(2),
    clock: AnyClock = .continuous, scheduler: LoadScheduler = .concurrent,
    count: Loader<Int>, page: @escaping @MainActor (Range<Int>) -> Loader<[Item]>
  ) {
    let size = max(1, pageSize)
    self.pageSize = size
    makePage = { page($0).limited(by: limit) }
    self.count = Resource(count, clock: clock, scheduler: scheduler)
    let length = self.count
    pages = ResourcePool(
      capacity: capacity, limit: limit, clock: clock, scheduler: scheduler
    ) { [weak length] number in
      page(pageRange(number, size: size, of: length?.truth.latestValue?.value(as: Int.self) ?? 0))
    }
    self.count.changed = { [weak self] before, after in
      if after.valueVersion != before.valueVersion { self?.countChanged() }
    }
  }

  /// The number of items, as a state.
  public var state: LoadingState<Int> { count.state }

  /// Loads the number of items, and the shown pages again if they were loaded.
  public func load() {
    pages.forEach { number, page in
      if !shownPages.contains(number) { pages.remove(number) } else { page.load() }
    }
    count.load()
  }

  /// Tells which items are on the screen; their pages are loaded, and those that only waited to be
  /// loaded and are no longer shown are not.
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
    for number in next where !previous.contains(number) { pages[number].appear() }
    for number in previous where !next.contains(number) {
      pages.resource(ifPresent: number)?.disappear()
    }
  }

  /// Pages that no longer are go; the one that ended the list, or now does, is loaded again.
  private func countChanged() {
    let (old, new) = (knownCount, max(0, count.truth.latestValue?.value(as: Int.self) ?? 0))
    knownCount = new
    if old != new {
      pages.forEach { number, page in
        let range = pageRange(number, size: pageSize, of: new)
        if range.isEmpty {
          pages.remove(number)
        } else if range != pageRange(number, size: pageSize, of: old) {
          page.load(makePage(range), .restart, cause: .inputChanged)
        }
      }
    }
    updatePages()
  }

  /// The item at `index`; nil while it is not there.
  public subscript(index: Int) -> Item? { state(at: index).value }

  /// The state of the item at `index`: that of its page.
  public func state(at index: Int) -> LoadingState<Item> {
    guard index >= 0 else { return .idle }
    guard let page = pages.resource(ifPresent: index / pageSize) else {
      // Read, so that who looks is told when the page is made.
      _ = pages.counts
      return .idle
    }
    switch page.state {
    case .idle: return .idle
    case .loading(let progress): return .loading(progress)
    case .failed(let error): return .failed(error)
    case .loaded(let items):
      let place = index % pageSize
      return place < items.count ? .loaded(items[place]) : .idle
    }
  }

  /// Loads the page of the item at `index` again.
  public func retry(at index: Int) {
    guard index >= 0 else { return }
    pages.resource(ifPresent: index / pageSize)?.retry()
  }
}

/// The items of a page, cut at the end of the list.
private func pageRange(_ number: Int, size: Int, of count: Int) -> Range<Int> {
  let start = number * size
  return start..<max(start, min(start + size, count))
}
