/// A confirmed value and the patches over it, in the order in which they were made.
///
/// The value on the screen is always the confirmed one with the patches replayed over it; it is
/// never restored from a copy. So removing a patch does not remove newer changes, and a newly
/// loaded value never hides a change that is still being stored.
///
/// A new patch is applied to the value on the screen, so that each change costs one application.
/// Only removing or replacing a patch costs a replay of the others.
struct PatchLog {
  typealias Patch = Mutation<HeldValue>.Patch

  private enum Status {
    /// Not confirmed, and not on the screen before it is.
    case hidden
    case shown
    /// Confirmed, but not yet a part of `base`, because a patch before it is not confirmed.
    case confirmed
  }

  private struct Record {
    let id: PendingMutation.ID
    /// Applied before `patch`.
    var earlier: [Patch]
    var patch: Patch
    var status: Status

    func apply(to value: inout HeldValue) {
      for patch in earlier { patch(&value) }
      patch(&value)
    }
  }

  private(set) var base: HeldValue?
  /// Counts the changes of ``value``, so that a change is noticed without comparing values.
  private(set) var version = 0
  /// Counts how often the confirmed value was replaced or removed as a whole.
  private(set) var arrivals = 0

  private var records = Queue<Record>()
  private var confirmedCount = 0
  /// The value with the patches replayed; nil if they have to be replayed again.
  private var replayed: HeldValue?

  // MARK: Reading

  /// The value on the screen.
  ///
  /// Costs a replay when something changed since ``refresh()``.
  var value: HeldValue? { replayed ?? replay(through: nil, []) }

  /// Computes the value on the screen, so that reading it is cheap.
  mutating func refresh() {
    if replayed == nil { replayed = value }
  }

  /// Returns the value with the shown patches up to the last of `ids`, and with those of `ids` even
  /// if they are hidden.
  func value(through ids: [PendingMutation.ID]) -> HeldValue? {
    if let last = records.last, last.id == ids.last, last.status == .shown, let replayed {
      return replayed
    }
    return replay(through: ids.last, ids)
  }

  private func replay(through last: PendingMutation.ID?, _ ids: [PendingMutation.ID]) -> HeldValue?
  {
    guard var value = base else { return nil }
    var shown = ids[...]
    for record in records {
      if shown.first == record.id {
        shown.removeFirst()
        record.apply(to: &value)
      } else if record.status != .hidden {
        record.apply(to: &value)
      }
      if record.id == last { break }
    }
    return value
  }

  /// Returns the patches with these ids and the earlier patches that they include, oldest first.
  func patches(of ids: [PendingMutation.ID]) -> [(id: PendingMutation.ID, patch: Patch)] {
    ids.flatMap { id in
      let patches = index(of: id).map { records[$0].earlier + [records[$0].patch] } ?? []
      return patches.map { (id, $0) }
    }
  }

  private func index(of id: PendingMutation.ID) -> Int? {
    records.index(of: id) { $0.id }
  }

  // MARK: The confirmed value

  /// Replaces the confirmed value by a value that contains every confirmed patch; a duplicate
  /// changes nothing.
  mutating func accept(
    _ value: HeldValue, isSame: (@Sendable (HeldValue, HeldValue) -> Bool)? = nil
  ) {
    arrivals += 1
    // With patches, the value on the screen is not the confirmed value.
    if records.isEmpty, let base, isSame?(base, value) == true { return }
    base = value
    if confirmedCount > 0 {
      confirmedCount = 0
      records.removeAll { $0.status == .confirmed }
    }
    invalidate()
    if records.isEmpty { replayed = value }
  }

  /// Changes the confirmed value, if there is one, under the patches.
  mutating func update(_ change: Patch) {
    guard base != nil else { return }
    changeBase(change)
    invalidate()
  }

  /// Removes the value and all patches but these, which are applied to the next value.
  mutating func clear(keeping ids: Set<PendingMutation.ID>) {
    base = nil
    records.removeAll { !ids.contains($0.id) }
    confirmedCount = 0
    arrivals += 1
    invalidate()
  }

  // MARK: Patches

  /// Adds a patch after all others; its id must be the greatest.
  mutating func append(
    _ id: PendingMutation.ID, _ patch: @escaping Patch, after earlier: [Patch], isShown: Bool
  ) {
    let record = Record(
      id: id, earlier: earlier, patch: patch, status: isShown ? .shown : .hidden)
    records.append(record)
    guard isShown else { return }
    version += 1
    if var value = replayed {
      replayed = nil  // Released first, so that the patch changes it in place.
      record.apply(to: &value)
      replayed = value
    }
  }

  /// Adds patches before the patch of `id`.
  mutating func prepend(_ patches: [Patch], to id: PendingMutation.ID) {
    guard let index = index(of: id) else { return }
    records[index].earlier = patches + records[index].earlier
    if records[index].status != .hidden { invalidate() }
  }

  /// Shows or hides patches that are not confirmed.
  mutating func show(_ ids: [PendingMutation.ID], _ isShown: Bool) {
    for index in ids.compactMap(index(of:)) { records[index].status = isShown ? .shown : .hidden }
    invalidate()
  }

  /// Confirms patches; `answer` replaces them.
  mutating func confirm(_ ids: [PendingMutation.ID], answer: Patch?) {
    if let answer, let last = ids.last {
      remove(ids.dropLast())
      if let index = index(of: last) {
        records[index].earlier = []
        records[index].patch = answer
      }
      invalidate()
    }
    for index in ids.compactMap(index(of:)) {
      if records[index].status == .hidden { invalidate() }
      records[index].status = .confirmed
      confirmedCount += 1
    }
    fold()
  }

  /// Removes patches that are not confirmed.
  mutating func remove(_ ids: some Collection<PendingMutation.ID>) {
    let indices = ids.compactMap(index(of:))
    if indices.contains(where: { records[$0].status == .shown }) { invalidate() }
    if indices.count == 1 {
      records.remove(at: indices[0])
    } else if !indices.isEmpty {
      let ids = Set(ids)
      records.removeAll { ids.contains($0.id) }
    }
    fold()
  }

  private mutating func invalidate() {
    replayed = nil
    version += 1
  }

  private mutating func changeBase(_ change: Patch) {
    guard var value = base else { return }
    base = nil  // Released first, so that the change is made in place.
    change(&value)
    base = value
  }

  /// Applies the confirmed patches before the first unconfirmed one to the confirmed value.
  private mutating func fold() {
    while let first = records.first, first.status == .confirmed {
      confirmedCount -= 1
      changeBase(records.removeFirst().apply(to:))
    }
    if records.isEmpty { replayed = base }
  }
}

extension Queue {
  /// Returns the index of the element with this id, in a queue whose ids increase.
  func index(of id: PendingMutation.ID, by key: (Element) -> PendingMutation.ID) -> Int? {
    var (low, high) = (startIndex, endIndex)
    while low < high {
      let middle = (low + high) / 2
      if key(self[middle]) < id { low = middle + 1 } else { high = middle }
    }
    return low < endIndex && key(self[low]) == id ? low : nil
  }
}
