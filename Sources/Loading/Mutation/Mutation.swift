/// One change to a loaded value: what it does on the screen, and how it is stored.
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
/// The patch is replayed over every newer value, so it must do nothing when what it changes is gone.
public struct Mutation<Value: Sendable>: Sendable {
  /// A change of the value in place.
  public typealias Patch = @Sendable (inout Value) -> Void

  typealias Commit = @Sendable (Value?) -> Loader<Patch?>

  /// When the patch is applied.
  public enum Timing: Hashable, Sendable {
    /// At once; taken back if the commit fails.
    case optimistic
    /// When the commit has succeeded.
    case confirmed
  }

  /// The element it changes, for ``Resource/modifyingIDs``.
  public let item: MutationKey?
  /// Mutations of one scope are committed one after the other, of different scopes in parallel.
  ///
  /// A scope that was named is one and the same in all resources of a ``LoadScheduler``. Without a name
  /// it is the item, or else the whole value, of this resource alone.
  public let scope: MutationKey
  /// What it sets: one that waits is replaced by a newer one of the same scope and field.
  public let field: MutationKey?
  /// When the patch is applied.
  public let timing: Timing
  /// How long it can be undone before it is committed; nil for not at all.
  public let undoWindow: Duration?
  /// The least time between the beginnings of two commits of its field; nil for none.
  ///
  /// A first change is committed at once. Those that follow within this time are gathered, each
  /// replacing the one before, and the newest is committed when the time is over: a slider that is
  /// held down makes few commits, and one press of a key is not kept waiting.
  public let spacing: Duration?

  let patch: Patch
  /// The patches of failed mutations that it carries on, oldest first; they come before its own.
  private(set) var earlier: [Patch] = []
  /// Whether it is begun only when there is a value.
  var needsValue = true
  /// Whether its scope is also that of mutations of other resources.
  private(set) var sharesScope = false
  /// Given the value as the change leaves it, nil only when it needs none: what stores it.
  private(set) var commit: Commit
  /// What is loaded again elsewhere when it is stored.
  var invalidatedTags: Set<MutationKey> = []
  /// What a journal has of it, which a retry goes on with.
  private(set) var record = CommitRecord()
  /// Whether it carries the patch of a mutation on that it supersedes.
  var mergesWithWaiting = false

  /// A change whose commit answers nothing: the patch stays as it is.
  ///
  /// - Parameters:
  ///   - item: the element it changes.
  ///   - scope: what it is ordered by, also across resources; by default its item, or else the whole
  ///     value, of its own resource.
  ///   - field: what it sets, so that only the newest of several waiting ones is committed.
  ///   - timing: when the patch is applied.
  ///   - undoWindow: how long it may be undone before it is committed.
  ///   - spacing: the least time between the beginnings of two commits of `field`.
  ///   - apply: the change.
  ///   - commit: makes it last; it is given the value as this change leaves it. It ends when the
  ///     change is stored durably, and throws when it is not.
  public init(
    item: (any Hashable & Sendable)? = nil, scope: (any Hashable & Sendable)? = nil,
    field: (any Hashable & Sendable)? = nil, timing: Timing = .optimistic,
    undoWindow: Duration? = nil, spacing: Duration? = nil, apply: @escaping Patch,
    commit: @escaping @Sendable (Value) async throws -> Void
  ) {
    self.init(
      item: item, scope: scope, field: field, timing: timing, undoWindow: undoWindow,
      spacing: spacing, patch: apply
    ) { value in
      try await commit(value)
      return nil
    }
  }

  /// A change whose commit has an answer, which replaces the patch.
  public init<Answer: Sendable>(
    item: (any Hashable & Sendable)? = nil, scope: (any Hashable & Sendable)? = nil,
    field: (any Hashable & Sendable)? = nil, timing: Timing = .optimistic,
    undoWindow: Duration? = nil, spacing: Duration? = nil, apply: @escaping Patch,
    commit: @escaping @Sendable (Value) async throws -> Answer,
    confirm: @escaping @Sendable (inout Value, Answer) -> Void
  ) {
    self.init(
      item: item, scope: scope, field: field, timing: timing, undoWindow: undoWindow,
      spacing: spacing, patch: apply
    ) { value in
      let answer = try await commit(value)
      return { confirm(&$0, answer) }
    }
  }

  /// A change that needs no loaded value, because it creates what is to be loaded, or an element of
  /// it: it is begun and committed also where nothing was loaded, or the load has failed.
  ///
  /// Where there is no value the patch waits for one: it is applied to the first that comes while the
  /// commit runs. A load that the commit overlaps is run again after it. What the commit has stored is
  /// not shown by itself where there was no value: load then.
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
    undoWindow: Duration? = nil, spacing: Duration? = nil, apply: @escaping Patch,
    commit: @escaping @Sendable () async throws -> Void
  ) {
    self.init(
      item: item, scope: scope, field: field, timing: timing, undoWindow: undoWindow,
      spacing: spacing, patch: apply,
      anyCommit: { _ in
        Loader { _ in
          try await commit()
          return nil
        }
      })
    needsValue = false
  }

  init(
    item: (any Hashable & Sendable)?, scope: (any Hashable & Sendable)?,
    field: (any Hashable & Sendable)?, timing: Timing, undoWindow: Duration?,
    spacing: Duration? = nil, patch: @escaping Patch,
    commit: @escaping @Sendable (Value) async throws -> Patch?
  ) {
    self.init(
      item: item, scope: scope, field: field, timing: timing, undoWindow: undoWindow,
      spacing: spacing, patch: patch,
      anyCommit: { value in
        Loader { _ in
          guard let value else { throw LoadingError.valueReset }
          return try await commit(value)
        }
      })
  }

  init(
    item: (any Hashable & Sendable)?, scope: (any Hashable & Sendable)?,
    field: (any Hashable & Sendable)?, timing: Timing, undoWindow: Duration?,
    spacing: Duration?, patch: @escaping Patch, anyCommit commit: @escaping Commit
  ) {
    let item = item.map(MutationKey.init)
    self.init(
      item: item, scope: scope.map(MutationKey.init) ?? item ?? MutationKey(WholeValue()),
      field: field.map(MutationKey.init), timing: timing, undoWindow: undoWindow,
      spacing: spacing, patch: patch, anyCommit: commit)
    sharesScope = scope != nil
  }

  private init(
    item: MutationKey?, scope: MutationKey, field: MutationKey?, timing: Timing,
    undoWindow: Duration?, spacing: Duration?, patch: @escaping Patch,
    anyCommit commit: @escaping Commit
  ) {
    self.item = item
    self.scope = scope
    self.field = field
    self.timing = timing
    self.undoWindow = undoWindow
    self.spacing = spacing
    self.patch = patch
    self.commit = commit
  }

  /// The same change, whose commit has operators of a ``Loader``: a time limit, more attempts, a limit
  /// that it shares with others.
  ///
  /// The mutation is being committed until the last attempt has ended. An attempt that took too long may
  /// have been carried out all the same, so a commit that is tried again must do no harm twice.
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
  /// - Parameter compose: given the loader that commits, the one to commit by. Its value is what the
  ///   answer of the commit does to the value on the screen.
  public func committing(
    by compose: @escaping @Sendable (_ commit: Loader<Patch?>) -> Loader<Patch?>
  ) -> Mutation {
    var mutation = self
    mutation.commit = { [commit] value in compose(commit(value)) }
    return mutation
  }

  /// The same change with its value's type erased.
  var held: Mutation<HeldValue> {
    var held = Mutation<HeldValue>(
      item: item, scope: scope, field: field,
      timing: timing == .optimistic ? .optimistic : .confirmed, undoWindow: undoWindow,
      spacing: spacing, patch: { [patch] value in value.modify(patch) },
      anyCommit: { [commit] value in
        commit(value?.value(as: Value.self)).map { answer -> Mutation<HeldValue>.Patch? in
          guard let answer else { return nil }
          return { value in value.modify(answer) }
        }
      })
    held.needsValue = needsValue
    held.record = record
    held.invalidatedTags = invalidatedTags
    held.sharesScope = sharesScope
    held.mergesWithWaiting = mergesWithWaiting
    return held
  }

  /// All of its patches, oldest first.
  var patches: [Patch] { earlier + [patch] }

  /// All of its patches, oldest first; those that came before its own leave it.
  mutating func takePatches() -> [Patch] {
    var patches = earlier
    earlier = []
    patches.append(patch)
    return patches
  }

  /// Makes these the patches that come before its own.
  mutating func carry(_ patches: [Patch]) {
    earlier = patches
  }
}

/// The scope of a mutation that names none.
private struct WholeValue: Hashable, Sendable {}
