import Loading

/// What a view runs when it appears or disappears, when a value changes, or while it is shown.
///
/// There is one entry for each node, whatever frames the node is drawn in.
@MainActor
final class LifecycleEntry {
  enum Kind {
    case appearance(appear: @MainActor () -> Void, disappear: @MainActor () -> Void)
    case task(id: AnyHashable, action: @MainActor () async -> Void)
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
    Modified(self, role: .content) { context, node in
      LifecycleNode(
        context, node, .appearance(appear: { action(context.now) }, disappear: {}))
    }
  }

  /// Runs an action when this view leaves the screen.
  public func onDisappear(perform action: @escaping @MainActor () -> Void) -> some View {
    lifecycle(.appearance(appear: {}, disappear: action))
  }

  /// Runs a task from when this view appears on the screen; it is cancelled when the view leaves.
  public func task(_ action: @escaping @MainActor () async -> Void) -> some View {
    task(id: 0, action)
  }

  /// Runs a task while this view is on the screen; a new id cancels it and starts it again.
  public func task(
    id: some Hashable, _ action: @escaping @MainActor () async -> Void
  ) -> some View {
    lifecycle(.task(id: AnyHashable(id), action: action))
  }

  /// Runs an action when a value differs from that in the previous frame.
  public func onChange<Value: Equatable>(
    of value: Value, initial: Bool = false,
    _ action: @escaping @MainActor (_ old: Value, _ new: Value) -> Void
  ) -> some View {
    lifecycle(
      .change(
        value: value, isEqual: { $0 as? Value == value }, initial: initial,
        action: { old in action(old as? Value ?? value, value) }))
  }

  /// Runs an action when a value differs from that in the previous frame.
  public func onChange<Value: Equatable>(
    of value: Value, initial: Bool = false, _ action: @escaping @MainActor () -> Void
  ) -> some View {
    onChange(of: value, initial: initial) { _, _ in action() }
  }

  private func lifecycle(_ kind: LifecycleEntry.Kind) -> some View {
    Modified(self, role: .content) { LifecycleNode($0, $1, kind) }
  }
}

private final class LifecycleNode: WrapperNode {
  private let entry: LifecycleEntry

  init(_ context: ViewContext, _ content: Node, _ kind: LifecycleEntry.Kind) {
    entry = LifecycleEntry(path: context.path, kind: kind)
    super.init(context, content)
  }

  override func draw(in region: Region) {
    if !environment.isInert, region.hasAppeared {
      frame.declare(.lifecycle(entry))
    }
    super.draw(in: region)
  }
}

/// Tracks which views have appeared, across presented frames.
@MainActor
final class LifecycleRecord {
  private var appeared: [ViewPath: @MainActor () -> Void] = [:]
  private var tasks: [ViewPath: (id: AnyHashable, task: Task<Void, Never>)] = [:]
  private var values: [ViewPath: Any] = [:]
  private var applied: [LifecycleEntry] = []

  /// Starts what is new in a presented frame, and ends what is no longer in it.
  func apply(_ entries: [LifecycleEntry]) {
    guard !entries.elementsEqual(applied, by: ===) else { return }
    applied = entries
    let present = Set(entries.map(\.path))
    for (path, entry) in tasks where !present.contains(path) {
      entry.task.cancel()
      tasks[path] = nil
    }
    for (path, disappear) in appeared where !present.contains(path) {
      appeared[path] = nil
      disappear()
    }
    for path in values.keys where !present.contains(path) { values[path] = nil }
    for entry in entries { apply(entry) }
  }

  private func apply(_ entry: LifecycleEntry) {
    switch entry.kind {
    case .appearance(let appear, let disappear):
      let isNew = appeared.updateValue(disappear, forKey: entry.path) == nil
      if isNew { appear() }
    case .task(let id, let action):
      guard tasks[entry.path]?.id != id else { return }
      tasks[entry.path]?.task.cancel()
      // What the task awaits runs on the workers, not on the runtime's thread pool.
      let task = Task {
        await withTaskExecutorPreference(WorkerPool.shared) { await action() }
      }
      tasks[entry.path] = (id, task)
    case .change(let value, let isEqual, let initial, let action):
      let old = values.updateValue(value, forKey: entry.path)
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
