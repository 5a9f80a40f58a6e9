import Loading

/// An action that a view runs when it appears or disappears or when a value changes, or a task that
/// it runs while it is shown.
///
/// There is one entry for each node, whatever frames the node is drawn in.
@MainActor
final class LifecycleEntry {
  enum Kind {
    case appearance(appear: @MainActor () -> Void, disappear: @MainActor () -> Void)
    case task(id: ItemID, action: @MainActor () async -> Void)
    case change(value: Any, isEqual: (Any) -> Bool, initial: Bool, action: (Any) -> Void)
  }

  let path: ViewPath
  let kind: Kind

  init(path: ViewPath, kind: Kind) {
    self.path = path
    self.kind = kind
  }
}

extension View {
  /// Runs an action when this view appears on the screen.
  public func onAppear(perform action: @escaping @MainActor () -> Void) -> some View {
    lifecycle(.appearance(appear: action, disappear: {}))
  }

  /// Runs an action with the time of the frame in which this view appears on the screen.
  func onAppear(at action: @escaping @MainActor (AnyClock.Instant) -> Void) -> some View {
    lifecycle { context in
      .appearance(appear: { action(context.now) }, disappear: {})
    }
  }

  /// Runs an action when this view leaves the screen.
  public func onDisappear(perform action: @escaping @MainActor () -> Void) -> some View {
    lifecycle(.appearance(appear: {}, disappear: action))
  }

  /// Runs a task from when this view appears on the screen; it is cancelled when the view leaves.
  ///
  /// The task runs on the main actor. On the `Stage` of a test, it runs while the test awaits
  /// `settle(until:)`.
  public func task(_ action: @escaping @MainActor () async -> Void) -> some View {
    task(id: 0, action)
  }

  /// Runs a task while this view is on the screen; a new id cancels it and starts it again.
  ///
  /// The task runs on the main actor. On the `Stage` of a test, it runs while the test awaits
  /// `settle(until:)`.
  public func task(
    id: some Hashable, _ action: @escaping @MainActor () async -> Void
  ) -> some View {
    lifecycle(.task(id: ItemID(id), action: action))
  }

  /// Runs an action when a value differs from that in the last presented frame.
  ///
  /// If `initial` is true, the action runs when the view appears, too.
  public func onChange<Value: Equatable>(
    of value: Value, initial: Bool = false,
    _ action: @escaping @MainActor (_ old: Value, _ new: Value) -> Void
  ) -> some View {
    lifecycle(
      .change(
        value: value, isEqual: { $0 as? Value == value }, initial: initial,
        action: { old in action(old as? Value ?? value, value) }))
  }

  /// Runs an action when a value differs from that in the last presented frame.
  ///
  /// If `initial` is true, the action runs when the view appears, too.
  public func onChange<Value: Equatable>(
    of value: Value, initial: Bool = false, _ action: @escaping @MainActor () -> Void
  ) -> some View {
    onChange(of: value, initial: initial) { _, _ in action() }
  }

  private func lifecycle(_ kind: LifecycleEntry.Kind) -> Modified<Self> { lifecycle { _ in kind } }

  private func lifecycle(
    _ kind: @escaping @MainActor (ViewContext) -> LifecycleEntry.Kind
  ) -> Modified<Self> {
    Modified(self, role: .content) { context, node in
      let entry = LifecycleEntry(path: context.path, kind: kind(context))
      return DrawnNode(context, node) { context, content, region in
        if !context.environment.isInert, region.hasAppeared {
          context.frame.declare(.lifecycle(entry))
        }
        content.draw(in: region)
      }
    }
  }
}

/// Tracks which views have appeared, across presented frames.
@MainActor
final class LifecycleRecord {
  /// The state of an entry between frames.
  private struct Record {
    var disappear: (@MainActor () -> Void)?
    var task: (id: ItemID, task: Task<Void, Never>)?
    var value: Any?
  }

  private var records: [ViewPath: Record] = [:]
  private var applied: [LifecycleEntry] = []

  /// Starts the entries that are new in a presented frame, and ends those that it no longer has.
  func apply(_ entries: [LifecycleEntry]) {
    let before = applied
    applied = entries
    // Most entries are those of the last frame, in the same order.
    var (start, oldEnd, end) = (0, before.count, entries.count)
    while start < min(oldEnd, end), before[start] === entries[start] { start += 1 }
    while min(oldEnd, end) > start, before[oldEnd - 1] === entries[end - 1] {
      (oldEnd, end) = (oldEnd - 1, end - 1)
    }
    if start < oldEnd {
      let present = Set(entries.map(\.path))
      for entry in before[start..<oldEnd] where !present.contains(entry.path) {
        let record = records.removeValue(forKey: entry.path)
        record?.task?.task.cancel()
        record?.disappear?()
      }
    }
    for entry in entries[start..<end] { apply(entry, to: &records[entry.path, default: Record()]) }
  }

  private func apply(_ entry: LifecycleEntry, to record: inout Record) {
    switch entry.kind {
    case .appearance(let appear, let disappear):
      let isNew = record.disappear == nil
      record.disappear = disappear
      if isNew { appear() }
    case .task(let id, let action):
      guard record.task?.id != id else { return }
      record.task?.task.cancel()
      // What the task awaits runs on the workers, not on the runtime's thread pool.
      let task = Task {
        await withTaskExecutorPreference(WorkerPool.shared) { await action() }
      }
      record.task = (id, task)
    case .change(let value, let isEqual, let initial, let action):
      let old = record.value
      record.value = value
      if let old {
        if !isEqual(old) { action(old) }
      } else if initial {
        action(value)
      }
    }
  }

  /// Cancels every task and runs every disappearance action, when the program ends.
  func end() { apply([]) }
}
