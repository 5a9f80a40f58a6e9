/// Reads a loaded value live and changes it by mutations.
///
/// Bindings are built on it. There is no setter for the whole value: it would overwrite changes
/// that are still being stored. Subscripts access members and elements; changing these changes the
/// whole value.
///
/// ```swift
/// if let sock = resource.access(commit: { try await api.save($0.value) }) {
///   print(sock.sogginess.value)  // read, live
///   sock.sogginess.modify { $0 += 1 }  // optimistic, rolled back if its commit fails
/// }
/// ```
///
/// If the resource has no value any more, the last value is read, and changes do nothing.
@MainActor
@dynamicMemberLookup
public struct ValueAccess<Value: Sendable> {
  let read: @MainActor () -> Value
  let write:
    @MainActor (MutationPlace, @escaping @Sendable (inout Value) -> Void) -> PendingMutation.ID?

  /// The current value, or the last one if it is gone.
  public var value: Value { read() }

  /// Changes the value by a mutation.
  ///
  /// Changes of the same part that wait to be committed are committed together.
  ///
  /// - Parameters:
  ///   - overwrites: whether the change does not depend on the earlier value, as in a text field.
  ///     It then replaces changes of the same part that wait or have failed, instead of being added
  ///     to them.
  ///   - change: the change.
  /// - Returns: the number of the mutation; nil if the value is gone, and nothing was changed.
  @discardableResult
  public func modify(
    overwrites: Bool = false, _ change: @escaping @Sendable (inout Value) -> Void
  ) -> PendingMutation.ID? {
    modify(MutationPlace(overwrites: overwrites), change)
  }

  /// Changes a part of the value by a mutation.
  @discardableResult
  package func modify(
    _ place: MutationPlace, _ change: @escaping @Sendable (inout Value) -> Void
  ) -> PendingMutation.ID? {
    write(place, change)
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
  /// Access to the element with this id, at whatever index it is; nil if there is none.
  public subscript(id id: Value.Element.ID) -> ValueAccess<Value.Element>? {
    element(id, find: { $0.first { $0.id == id } }, modify: { $0.modify(id: id, $1) })
  }
}

extension ValueAccess {
  /// Access to the element with this id, which `find` finds in the value; nil if there is none.
  func element<Element: Sendable>(
    _ id: some Hashable & Sendable, find: @escaping @Sendable (Value) -> Element?,
    modify: @escaping @Sendable (inout Value, (inout Element) -> Void) -> Void
  ) -> ValueAccess<Element>? {
    guard let element = find(value) else { return nil }
    let last = LastValue(element)
    return ValueAccess<Element>(
      read: { last.updated(with: find(read())) },
      write: { place, change in
        guard find(read()) != nil else { return nil }
        var place = place
        place.item = place.item ?? MutationKey(id)
        place.path.insert(MutationKey(id), at: 0)
        return write(place) { modify(&$0, change) }
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
  /// Returns access to the loaded value; nil if there is none.
  ///
  /// - Parameters:
  ///   - item: the item of the mutations, for ``modifyingIDs``; changes of an element have the
  ///     element as their item.
  ///   - undoWindow: how long each change can be undone before it is committed. A further change of
  ///     the same part within this time is committed with it, and starts the time again.
  ///   - throttle: the minimum time between the starts of two commits of the same part.
  ///   - commit: stores a change.
  public func access(
    item: (any Hashable & Sendable)? = nil, undoWindow: Duration? = nil, throttle: Duration? = nil,
    commit: @escaping @Sendable (ValueAccess<Value>.Change) async throws -> Void
  ) -> ValueAccess<Value>? {
    guard let value = latestValue else { return nil }
    let last = LastValue(value)
    return ValueAccess(
      read: { last.updated(with: self.latestValue) },
      write: { place, change in
        var mutation = Mutation<Value>(
          item: place.item?.base ?? item, field: place.path, undoWindow: undoWindow,
          throttle: throttle, apply: change
        ) { value in
          try await commit(ValueAccess.Change(value: value, path: place.path))
        }
        mutation.mergesWithWaiting = !place.overwrites
        return self.mutate(mutation)
      })
  }
}

extension Resource where Value: Identifiable, Value.ID: Sendable {
  /// Returns access to the loaded value, with the value's id as the item of its mutations; nil if
  /// there is no value.
  ///
  /// - Parameters:
  ///   - undoWindow: how long each change can be undone before it is committed.
  ///   - throttle: the minimum time between the starts of two commits of the same part.
  ///   - commit: stores a change.
  public func access(
    undoWindow: Duration? = nil, throttle: Duration? = nil,
    commit: @escaping @Sendable (ValueAccess<Value>.Change) async throws -> Void
  ) -> ValueAccess<Value>? {
    access(item: latestValue?.id, undoWindow: undoWindow, throttle: throttle, commit: commit)
  }
}

extension Resource
where Value: MutableCollection, Value.Element: Identifiable & Sendable, Value.Element.ID: Sendable {
  /// Returns access to the element with this id; nil if there is none.
  ///
  /// - Parameters:
  ///   - id: the id of the element.
  ///   - undoWindow: how long each change can be undone before it is committed.
  ///   - throttle: the minimum time between the starts of two commits of the same part.
  ///   - commit: stores a change of the element. If the element is gone by then, it is not called,
  ///     and the change fails with ``LoadingError/elementGone``.
  public func access(
    id: Value.Element.ID, undoWindow: Duration? = nil, throttle: Duration? = nil,
    commit: @escaping @Sendable (ValueAccess<Value.Element>.Change) async throws -> Void
  ) -> ValueAccess<Value.Element>? {
    access(
      id, undoWindow, throttle, find: { $0.first { $0.id == id } },
      modify: { $0.modify(id: id, $1) }, commit: commit)
  }
}

extension Resource {
  /// Access to the element with this id, which `find` finds in the value; nil if there is none.
  fileprivate func access<Element: Sendable>(
    _ id: some Hashable & Sendable, _ undoWindow: Duration?, _ throttle: Duration?,
    find: @escaping @Sendable (Value) -> Element?,
    modify: @escaping @Sendable (inout Value, (inout Element) -> Void) -> Void,
    commit: @escaping @Sendable (ValueAccess<Element>.Change) async throws -> Void
  ) -> ValueAccess<Element>? {
    let whole = access(undoWindow: undoWindow, throttle: throttle) { change in
      // Another load may have brought a value without it.
      guard let element = find(change.value) else { throw LoadingError.elementGone }
      try await commit(
        ValueAccess<Element>.Change(value: element, path: Array(change.path.dropFirst())))
    }
    return whole?.element(id, find: find, modify: modify)
  }
}

extension PagedResource where Item: Identifiable, Item.ID: Sendable {
  /// Returns access to the loaded item with this id, on whichever page it is; nil if there is none.
  ///
  /// ```swift
  /// if let post = posts.access(id: id, commit: { try await api.save($0.value) }) {
  ///   post.isStarred.modify { $0.toggle() }
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - id: the id of the item.
  ///   - undoWindow: how long each change can be undone before it is committed.
  ///   - throttle: the minimum time between the starts of two commits of the same part.
  ///   - commit: stores a change of the item. If the item is gone by then, it is not called, and
  ///     the change fails with ``LoadingError/elementGone``.
  public func access(
    id: Item.ID, undoWindow: Duration? = nil, throttle: Duration? = nil,
    commit: @escaping @Sendable (ValueAccess<Item>.Change) async throws -> Void
  ) -> ValueAccess<Item>? {
    content.access(
      id, undoWindow, throttle, find: { $0.item(id: id) },
      modify: { $0.modify(id: id, $1) }, commit: commit)
  }
}

/// The part of a value that a change is made to.
package struct MutationPlace: Sendable {
  /// The element of a collection, which is then among the ``Resource/modifyingIDs``.
  package var item: MutationKey?
  /// Changes of different members of a value are committed separately, and fail separately.
  package var path: [MutationKey] = []
  /// Whether the change overwrites its member, and so supersedes waiting changes; others are merged.
  package var overwrites = false

  package init(item: MutationKey? = nil, path: [MutationKey] = [], overwrites: Bool = false) {
    self.item = item
    self.path = path
    self.overwrites = overwrites
  }
}

/// Keeps the last value, for when the resource has none any more.
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
  /// A change through a ``ValueAccess`` or a binding, as its commit receives it.
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
    /// The value after the change.
    public let value: Value
    /// The path from the value to the part that was changed: key paths of members and ids of
    /// elements, the outermost first; empty if the whole value was changed.
    public let path: [MutationKey]

    /// Creates a change of the part of `value` at `path`.
    public init(value: Value, path: [MutationKey] = []) {
      self.value = value
      self.path = path
    }

    /// Returns whether only this member, or a part of it, was changed.
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
