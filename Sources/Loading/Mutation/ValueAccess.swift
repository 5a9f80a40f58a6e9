/// Access to a loaded value that reads it live and changes it by mutations: what a binding is
/// built on.
///
/// There is no setter for the whole value, which would overwrite changes that are still being
/// stored. Members and elements have accesses of their own, which compose the change.
///
/// ```swift
/// if let sock = resource.access(commit: { try await api.save($0.value) }) {
///   print(sock.sogginess.value)  // read, live
///   sock.sogginess.modify { $0 += 1 }  // optimistic, taken back if its commit fails
/// }
/// ```
///
/// When the value is gone it reads as the last one, and changes do nothing.
@MainActor
@dynamicMemberLookup
public struct ValueAccess<Value: Sendable> {
  let read: @MainActor () -> Value
  let write:
    @MainActor (MutationPlace, @escaping @Sendable (inout Value) -> Void) -> PendingMutation.ID?

  /// The value now, or the last one when it is gone.
  public var value: Value { read() }

  /// Changes the value by a mutation; nil, and nothing happens, when the value is gone.
  ///
  /// Changes of one place that wait to be committed are committed together, as one.
  ///
  /// - Parameters:
  ///   - path: which part of the value is changed, where that is not the whole of it.
  ///   - overwrites: whether the change does not depend on what was there, as that of a text field:
  ///     it then replaces changes of the same place that wait or have failed, instead of being added
  ///     to them.
  ///   - change: the change.
  @discardableResult
  public func modify(
    at path: [MutationKey] = [], overwrites: Bool = false,
    _ change: @escaping @Sendable (inout Value) -> Void
  ) -> PendingMutation.ID? {
    write(MutationPlace(path: path, overwrites: overwrites), change)
  }

  /// Access to a member.
  public subscript<Member: Sendable>(
    dynamicMember member: WritableKeyPath<Value, Member> & Sendable
  ) -> ValueAccess<Member> {
    ValueAccess<Member>(
      read: { read()[keyPath: member] },
      write: { place, change in
        var place = place
        place.path.insert(MutationKey(member), at: 0)
        return write(place) { change(&$0[keyPath: member]) }
      })
  }
}

extension ValueAccess
where Value: MutableCollection, Value.Element: Identifiable & Sendable, Value.Element.ID: Sendable {
  /// Access to the element with this id, wherever it moves; nil when there is none.
  public subscript(id id: Value.Element.ID) -> ValueAccess<Value.Element>? {
    guard let element = value.first(where: { $0.id == id }) else { return nil }
    let last = LastValue(element)
    return ValueAccess<Value.Element>(
      read: { last.updated(with: read().first { $0.id == id }) },
      write: { place, change in
        guard read().contains(where: { $0.id == id }) else { return nil }
        var place = place
        place.item = place.item ?? MutationKey(id)
        place.path.insert(MutationKey(id), at: 0)
        return write(place) { $0.modify(id: id, change) }
      })
  }
}

extension MutableCollection where Element: Identifiable {
  /// Changes the element with this id, if there is one.
  public mutating func modify(id: Element.ID, _ change: (inout Element) -> Void) {
    guard let index = firstIndex(where: { $0.id == id }) else { return }
    change(&self[index])
  }
}

extension Resource {
  /// Access to the loaded value; nil when there is none.
  ///
  /// - Parameters:
  ///   - item: what the value is, for ``modifyingIDs``; a change that goes through an element is one
  ///     of that element.
  ///   - undoWindow: how long each change may be undone before it is committed; also the quiet
  ///     time in which changes of one place are gathered.
  ///   - spacing: the least time between the beginnings of two commits of one place.
  ///   - commit: makes a change last.
  public func access(
    item: (any Hashable & Sendable)? = nil, undoWindow: Duration? = nil, spacing: Duration? = nil,
    commit: @escaping @Sendable (ValueAccess<Value>.Change) async throws -> Void
  ) -> ValueAccess<Value>? {
    guard let value = latestValue else { return nil }
    let last = LastValue(value)
    return ValueAccess(
      read: { last.updated(with: self.latestValue) },
      write: { place, change in
        var mutation = Mutation<Value>(
          item: place.item?.base ?? item, field: place.path, undoWindow: undoWindow,
          spacing: spacing, apply: change
        ) { value in
          try await commit(ValueAccess.Change(value: value, path: place.path))
        }
        mutation.mergesWithWaiting = !place.overwrites
        return self.mutate(mutation)
      })
  }
}

extension Resource where Value: Identifiable, Value.ID: Sendable {
  /// Access to the loaded value, whose changes are those of the item with its id; nil when there is
  /// none.
  ///
  /// - Parameters:
  ///   - undoWindow: how long each change may be undone before it is committed.
  ///   - spacing: the least time between the beginnings of two commits of one place.
  ///   - commit: makes a change last.
  public func access(
    undoWindow: Duration? = nil, spacing: Duration? = nil,
    commit: @escaping @Sendable (ValueAccess<Value>.Change) async throws -> Void
  ) -> ValueAccess<Value>? {
    access(item: latestValue?.id, undoWindow: undoWindow, spacing: spacing, commit: commit)
  }
}

extension Resource
where Value: MutableCollection, Value.Element: Identifiable & Sendable, Value.Element.ID: Sendable {
  /// Access to the element with this id; nil when there is none.
  ///
  /// - Parameters:
  ///   - id: the id of the element.
  ///   - undoWindow: how long each change may be undone before it is committed.
  ///   - spacing: the least time between the beginnings of two commits of one place.
  ///   - commit: makes a change of the element last.
  public func access(
    id: Value.Element.ID, undoWindow: Duration? = nil, spacing: Duration? = nil,
    commit: @escaping @Sendable (ValueAccess<Value.Element>.Change) async throws -> Void
  ) -> ValueAccess<Value.Element>? {
    let whole = access(undoWindow: undoWindow, spacing: spacing) { change in
      guard let element = change.value.first(where: { $0.id == id }) else { return }
      try await commit(ValueAccess.Change(value: element, path: Array(change.path.dropFirst())))
    }
    return whole?[id: id]
  }
}

/// Where in a value a change is made.
struct MutationPlace: Sendable {
  var item: MutationKey?
  var path: [MutationKey] = []
  var overwrites = false
}

/// Keeps the last value, which is read when the resource has none any more.
@MainActor
private final class LastValue<Value> {
  private var value: Value

  init(_ value: Value) {
    self.value = value
  }

  func updated(with newer: Value?) -> Value {
    if let newer { value = newer }
    return value
  }
}

extension ValueAccess {
  /// A change through a ``ValueAccess`` or a binding, as its commit gets it.
  ///
  /// ```swift
  /// let sock = resource.access { change in
  ///   if change.isWithin(\.sogginess) {
  ///     try await api.setSogginess(change.value.sogginess)
  ///   } else {
  ///     try await api.save(change.value)
  ///   }
  /// }
  /// ```
  public struct Change: Sendable {
    /// The value as the change leaves it.
    public let value: Value
    /// The path from the value to the part that was changed: key paths of members and ids of elements,
    /// the outermost first; empty for the value as a whole.
    public let path: [MutationKey]

    /// A change of the part of `value` that `path` leads to.
    public init(value: Value, path: [MutationKey] = []) {
      self.value = value
      self.path = path
    }

    /// Whether it changed this member, or a part of it, and nothing else of the value.
    public func isWithin<Member>(_ member: KeyPath<Value, Member> & Sendable) -> Bool {
      var reached: AnyKeyPath?
      for step in path {
        guard let next = step.base as? AnyKeyPath else { return false }
        reached = reached.map { $0.appending(path: next) } ?? next
        if reached == member { return true }
      }
      return false
    }
  }
}
