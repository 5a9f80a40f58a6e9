/// A load of a page at an end of a list.
struct PageLoad {
  /// Whether the newest page that it has yielded is one from a cache.
  var isCached = false
  /// The elements of the changes of the list that were being stored while it ran: its page may have
  /// been read before a change of them, or after it.
  var commits: [PendingMutation.ID: [MutationKey]]
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

extension Page {
  /// Returns whether one of its items may be among these elements of a change.
  ///
  /// A change whose element is not known to be an item may change any item.
  func mayHave(_ elements: [MutationKey]) -> Bool {
    guard let item = Item.self as? any Identifiable.Type else { return true }
    return mayHave(elements, as: item)
  }

  private func mayHave<Known: Identifiable>(_ elements: [MutationKey], as _: Known.Type) -> Bool {
    let ids = Set(elements.compactMap { $0.base as? Known.ID })
    return ids.isEmpty || items.contains { ($0 as? Known).map { ids.contains($0.id) } ?? true }
  }
}

extension Mutation {
  /// What it changes: its item, and the elements on the way to it.
  var elements: [MutationKey] {
    (field?.base as? [MutationKey] ?? []) + (item.map { [$0] } ?? [])
  }
}
