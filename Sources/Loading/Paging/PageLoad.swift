/// A load of a page at an end of a list.
struct PageLoad {
  /// When it was started.
  var start: AnyClock.Instant?
  /// Whether it loads a page again, because a change had ended while that was loaded.
  var isRepeated = false
  /// Whether the newest page that it has yielded is one from a cache.
  var isCached = false
  /// The changes of the list that were being stored or in a journal while it ran: its page may have
  /// been read before a change of its items, or after it.
  var commits: [PendingMutation.ID: ChangedItems] = [:]

  /// Notes the changes of a list that are being stored or are in a journal.
  @MainActor
  mutating func noteCommits<Item, Cursor>(of content: Resource<[Page<Item, Cursor>]>) {
    let log = content.truth.log
    guard log.committingCount + log.keptCount > 0 else { return }
    let new = log.pending.filter {
      ($0.phase == .committing || $0.phase == .kept) && commits[$0.id] == nil
    }
    guard !new.isEmpty else { return }
    let listed = content.confirmedValue?.ids()
    for id in new.map(\.id) {
      commits[id] = ChangedItems(log.mutation(id)?.elements ?? [], of: listed)
    }
  }
}

extension Resource {
  /// Returns whether the page of a load that has ended is to be added to the list: it has ended well,
  /// or has found the page in a cache and could not load it again.
  ///
  /// A page that was yielded otherwise may be a part of one.
  func hasWholePage(of load: PageLoad?) -> Bool {
    guard truth.hasContent else { return false }
    return truth.failure == nil && truth.stop == nil || load?.isCached == true
  }
}

/// The items that a change of a list may change.
enum ChangedItems {
  case all
  case some(Set<AnyHashable>)

  /// Creates the items of a change of these elements, of a list of items with these ids.
  ///
  /// A change whose elements are no items of the list may change any item, or add one with an id
  /// that only the server knows.
  init(_ elements: [MutationKey], of listed: Set<AnyHashable>?) {
    let ids = Set(elements.map { AnyHashable($0.base) })
    self = listed.map { $0.isDisjoint(with: ids) } ?? true ? .all : .some(ids)
  }

  /// Returns whether it may change one of the items with these ids, or of items without ids.
  func mayHave(oneOf ids: Set<AnyHashable>?) -> Bool {
    guard case .some(let changed) = self, let ids else { return true }
    return !changed.isDisjoint(with: ids)
  }
}

extension Page {
  /// The ids of its items; nil if they have none.
  var ids: Set<AnyHashable>? {
    guard let item = Item.self as? any Identifiable.Type else { return nil }
    return ids(as: item)
  }

  private func ids<Known: Identifiable>(as _: Known.Type) -> Set<AnyHashable> {
    Set(items.compactMap { ($0 as? Known).map { AnyHashable($0.id) } })
  }
}

extension Array {
  /// The ids of the items of all pages; nil if they have none.
  func ids<Item, Cursor>() -> Set<AnyHashable>? where Element == Page<Item, Cursor> {
    var all: Set<AnyHashable> = []
    for page in self {
      guard let ids = page.ids else { return nil }
      all.formUnion(ids)
    }
    return all
  }
}

extension Mutation {
  /// What it changes: its item, and the elements on the way to it.
  var elements: [MutationKey] {
    (field?.base as? [MutationKey] ?? []) + (item.map { [$0] } ?? [])
  }
}
