/// One page of a list that is read from its start.
public struct Page<Item: Sendable, Cursor: Sendable>: Sendable {
  /// What is on the page.
  public var items: [Item]
  /// What to ask the next page with; nil when this is the last.
  public var next: Cursor?

  /// A page of `items`, followed by the one at `next`.
  public init(_ items: [Item], next: Cursor?) {
    self.items = items
    self.next = next
  }
}

extension Page: Equatable where Item: Equatable, Cursor: Equatable {}

/// A list that grows page by page as the user reads on.
///
/// The first page and the following ones load apart, each with a state of its own: a failed
/// refresh leaves the list, a failed append leaves it too, and each can be retried.
///
/// ```swift
/// let list = PagedResource { cursor in Loader { _ in try await api.items(after: cursor) } }
/// list.load()
/// list.shown(index)  // loads more near the end
/// ```
@MainActor
public final class PagedResource<Item: Sendable, Cursor: Sendable>: LoadableObject {
  /// What is there so far, as one page; its state is that of the first page and of refreshes.
  public let content: Resource<Page<Item, Cursor>>
  /// The page that is being added: its state, failure and retry.
  ///
  /// It knows how to load only while it loads or has failed: a page that was added is not added
  /// again, and none of an older list is.
  public let append: Resource<Page<Item, Cursor>>
  /// How near to the end a shown item makes the next page load.
  public let prefetchDistance: Int

  private let page: @MainActor (Cursor?) -> Loader<Page<Item, Cursor>>

  /// - Parameters:
  ///   - prefetchDistance: how near to the end a shown item makes the next page load.
  ///   - name: what it is called in a log; by default the type of its pages.
  ///   - clock: the clock for every time and wait.
  ///   - scheduler: where loads run.
  ///   - page: how to load the page at a cursor, the first one at nil.
  public init(
    prefetchDistance: Int = 10, name: String? = nil, clock: AnyClock = .continuous,
    scheduler: LoadScheduler = .concurrent,
    page: @escaping @MainActor (Cursor?) -> Loader<Page<Item, Cursor>>
  ) {
    self.prefetchDistance = prefetchDistance
    self.page = page
    content = Resource(page(nil), name: name, clock: clock, scheduler: scheduler)
    append = Resource(
      startsOnAppear: false, name: name.map { "\($0), next page" }, clock: clock,
      scheduler: scheduler)
    content.changed = { [weak self] before, after in
      // A page that follows the old list does not belong behind the new one.
      let isStarted = after.isLoading && after.ticket != before.ticket
      if isStarted || after.arrivals != before.arrivals { self?.append.forget() }
    }
    append.changed = { [weak self] before, after in
      if after.hasContent, after.valueVersion != before.valueVersion { self?.take() }
    }
  }

  /// The items that are there, with their pending changes.
  public var items: [Item] { content.latestValue?.items ?? [] }

  /// The state of the list.
  public var state: LoadingState<[Item]> { content.state.map(\.items) }

  /// Whether there is more to load.
  public var hasMore: Bool { content.latestValue?.next != nil }

  /// Loads the first page, which then replaces the list.
  public func load() { content.load() }

  /// Loads the next page, unless there is none or one is being loaded.
  public func loadMore() {
    guard !content.isLoading, !append.isLoading, let next = content.latestValue?.next else {
      return
    }
    append.load(page(next), .drop, cause: .appeared)
  }

  /// Tells that the item at `index` is on the screen.
  ///
  /// Near the end that loads more. After a failure it does not: the user retries.
  public func shown(_ index: Int) {
    guard append.currentFailure == nil, !append.wasCancelled else { return }
    if index >= items.count - prefetchDistance { loadMore() }
  }

  private func take() {
    guard let page = append.latestValue else { return }
    append.forget()
    content.update { list in
      list.items += page.items
      list.next = page.next
    }
  }
}
