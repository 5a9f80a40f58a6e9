/// A change to a loaded value: a patch, which changes the value on the screen, and a commit, which
/// stores the change.
///
/// ```swift
/// drawer.mutate(
///   Mutation(item: sock.id) { socks in
///     socks.removeAll { $0.id == sock.id }
///   } commit: { _ in
///     try await api.remove(sock.id)
///   })
/// ```
///
/// The patch is replayed over every newer value, so it must do nothing if what it changes is gone.
public struct Mutation<Value: Sendable>: Sendable {
  /// Changes the value in place.
  public typealias Patch = @Sendable (inout Value) -> Void

  typealias Commit = @Sendable (Value?) -> Loader<Patch?>

  /// When the patch is applied.
  public enum Timing: Hashable, Sendable {
    /// At once; it is rolled back if the commit fails.
    case optimistic
    /// After the commit has succeeded.
    case confirmed
  }

  /// The element that it changes, for ``Resource/modifyingIDs``.
  public let item: MutationKey?
  /// The scope: mutations of one scope are committed one after the other, of different scopes in
  /// parallel.
  ///
  /// A scope with a name is shared by all resources of a ``LoadScheduler``. Without a name, the
  /// scope is the item, or else the whole value, and belongs to this resource alone.
  public let scope: MutationKey
  /// What it sets; nil for no field.
  ///
  /// A mutation supersedes a waiting one of the same scope and field.
  public let field: MutationKey?
  /// When the patch is applied.
  public let timing: Timing
  /// How long it can be undone before it is committed; nil if it cannot be undone.
  ///
  /// It ends when another input is loaded.
  public let undoWindow: Duration?
  /// The minimum time between the starts of two commits of its field; nil for none, as without a
  /// field.
  ///
  /// The first change is committed at once. Of the changes that follow within this time, only the
  /// newest is committed, when the time is over or another input is loaded: a slider that is dragged
  /// makes few commits, and a single key press does not wait.
  public let throttle: Duration?

  let patch: Patch
  /// The patches of failed mutations that it includes, oldest first; they are applied before its
  /// own.
  private(set) var earlier: [Patch] = []
  /// Whether it is ignored if there is no value.
  var needsValue = true
  /// Whether its scope is shared with mutations of other resources.
  private(set) var sharesScope = false
  /// Returns the loader that stores the change, given the value after the change; the value is nil
  /// only if `needsValue` is false.
  private(set) var commit: Commit
  /// The tags that are invalidated when it is stored.
  var invalidatedTags: Set<MutationKey> = []
  /// Its row in a journal, which a retry uses again; each time that the mutation is begun has its own.
  let record = CommitRecord()
  /// Whether it includes the patch of a mutation that it supersedes.
  var mergesWithWaiting = false

  /// Creates a mutation whose commit returns nothing: the patch stays when the change is stored.
  ///
  /// - Parameters:
  ///   - item: the element that it changes.
  ///   - scope: mutations of one scope are committed in order, also across resources; by default
  ///     the scope is the item, or else the whole value, of its own resource.
  ///   - field: what it sets: of several waiting mutations of a field, only the newest is
  ///     committed.
  ///   - timing: when the patch is applied.
  ///   - undoWindow: how long it can be undone before it is committed.
  ///   - throttle: the minimum time between the starts of two commits of `field`.
  ///   - apply: the patch.
  ///   - commit: stores the change, given the value after the change. It returns when the change is
  ///     stored durably, or throws.
  public init(
    item: (any Hashable & Sendable)? = nil, scope: (any Hashable & Sendable)? = nil,
    field: (any Hashable & Sendable)? = nil, timing: Timing = .optimistic,
    undoWindow: Duration? = nil, throttle: Duration? = nil, apply: @escaping Patch,
    commit: @escaping @Sendable (Value) async throws -> Void
  ) {
    self.init(
      item: item, scope: scope, field: field, timing: timing, undoWindow: undoWindow,
      throttle: throttle, patch: apply,
      anyCommit: Self.committing { value in
        try await commit(value)
        return nil
      })
  }

  /// Creates a mutation whose commit has an answer: `confirm` applies the answer in place of the
  /// patch.
  public init<Answer: Sendable>(
    item: (any Hashable & Sendable)? = nil, scope: (any Hashable & Sendable)? = nil,
    field: (any Hashable & Sendable)? = nil, timing: Timing = .optimistic,
    undoWindow: Duration? = nil, throttle: Duration? = nil, apply: @escaping Patch,
    commit: @escaping @Sendable (Value) async throws -> Answer,
    confirm: @escaping @Sendable (inout Value, Answer) -> Void
  ) {
    self.init(
      item: item, scope: scope, field: field, timing: timing, undoWindow: undoWindow,
      throttle: throttle, patch: apply,
      anyCommit: Self.committing { value in
        let answer = try await commit(value)
        return { confirm(&$0, answer) }
      })
  }

  /// Creates a mutation that needs no loaded value, because it creates the value or an element of
  /// it.
  ///
  /// It is committed even if nothing was loaded or the load has failed. Without a value, the patch
  /// is applied to the first value that is loaded while the commit runs. A load that overlaps the
  /// commit runs again after it. If no load runs, the stored change does not show by itself: start
  /// a load.
  ///
  /// ```swift
  /// comments.mutate(
  ///   Mutation(item: comment.id) { comments in
  ///     comments.append(comment)
  ///   } commit: {
  ///     try await api.add(comment)
  ///   })
  /// ```
  public init(
    item: (any Hashable & Sendable)? = nil, scope: (any Hashable & Sendable)? = nil,
    field: (any Hashable & Sendable)? = nil, timing: Timing = .optimistic,
    undoWindow: Duration? = nil, throttle: Duration? = nil, apply: @escaping Patch,
    commit: @escaping @Sendable () async throws -> Void
  ) {
    self.init(
      item: item, scope: scope, field: field, timing: timing, undoWindow: undoWindow,
      throttle: throttle, patch: apply,
      anyCommit: { _ in
        Loader { _ in
          try await commit()
          return nil
        }
      })
    needsValue = false
  }

  /// Returns a commit that fails if the value is gone.
  private static func committing(
    by commit: @escaping @Sendable (Value) async throws -> Patch?
  ) -> Commit {
    { value in
      Loader { _ in
        guard let value else { throw LoadingError.valueReset }
        return try await commit(value)
      }
    }
  }

  init(
    item: (any Hashable & Sendable)?, scope: (any Hashable & Sendable)?,
    field: (any Hashable & Sendable)?, timing: Timing, undoWindow: Duration?,
    throttle: Duration?, patch: @escaping Patch, anyCommit commit: @escaping Commit
  ) {
    let item = item.map(MutationKey.init)
    self.item = item
    self.scope = scope.map(MutationKey.init) ?? item ?? MutationKey(WholeValue())
    sharesScope = scope != nil
    self.field = field.map(MutationKey.init)
    self.timing = timing
    self.undoWindow = undoWindow
    self.throttle = throttle
    self.patch = patch
    self.commit = commit
  }

  /// Returns the same change, whose commit has operators of a ``Loader``, such as a timeout or more
  /// attempts.
  ///
  /// The mutation is in the phase ``PendingMutation/Phase/committing`` until the last attempt has
  /// ended. An attempt that timed out may have stored the change, so a commit that is retried must
  /// be idempotent.
  ///
  /// ```swift
  /// let wash = Mutation<[Sock]>(item: sock.id) { socks in
  ///   socks.modify(id: sock.id) { $0.isClean = true }
  /// } commit: { _ in
  ///   try await api.wash(sock.id)
  /// }
  /// drawer.mutate(wash.committing { $0.timeout(.seconds(5)).retrying(limit: 3) })
  /// ```
  ///
  /// - Parameter compose: applies operators to the loader that commits. The loader's value is the
  ///   patch of the commit's answer, nil if there is no answer.
  public func committing(
    by compose: @escaping @Sendable (_ commit: Loader<Patch?>) -> Loader<Patch?>
  ) -> Mutation {
    var mutation = self
    mutation.commit = { [commit] value in compose(commit(value)) }
    return mutation
  }

  /// The same change with the type of its value erased.
  var held: Mutation<HeldValue> {
    var held = Mutation<HeldValue>(
      item: item?.base, scope: sharesScope ? scope.base : nil, field: field?.base,
      timing: timing == .optimistic ? .optimistic : .confirmed, undoWindow: undoWindow,
      throttle: throttle, patch: { [patch] value in value.modify(patch) },
      anyCommit: { [commit] value in
        commit(value?.value(as: Value.self)).map { answer -> Mutation<HeldValue>.Patch? in
          guard let answer else { return nil }
          return { value in value.modify(answer) }
        }
      })
    held.needsValue = needsValue
    held.invalidatedTags = invalidatedTags
    held.mergesWithWaiting = mergesWithWaiting
    return held
  }

  /// All patches, oldest first.
  var patches: [Patch] { earlier + [patch] }

  /// Sets the patches of earlier mutations, which are applied before its own.
  mutating func carry(_ patches: [Patch]) {
    earlier = patches
  }
}

/// The scope of a mutation without a scope and an item.
private struct WholeValue: Hashable, Sendable {}
