import Observation
import Synchronization

/// Tracks reads of observable models until it is ended, which its owner has to do.
///
/// Observation alone ends no tracking before a change: the reads of views that have come and gone
/// would pile up, and a change would call all of their handlers.
@MainActor
final class Registration {
  // The types that have read a model. Most views read none, and tracking that can be ended costs
  // more than making such a view. So the first reads of each type are tracked in a way that cannot
  // be ended: they are only ignored later, and Observation keeps them until the model changes.
  private static var readers: Set<ObjectIdentifier> = []

  private let reader: ObjectIdentifier
  private let onChange: @Sendable () -> Void
  private nonisolated let endCount = Atomic(0)
  private var end: End?
  /// The number of calls of `track` since everything tracked was ended.
  private(set) var count = 0

  /// A model that is read together with the others, so that changing it ends their tracking.
  private final class End: Observable {
    private let registrar = ObservationRegistrar()
    private var hasCome: Bool { false }

    func wait() { registrar.access(self, keyPath: \.hasCome) }
    func come() { registrar.withMutation(of: self, keyPath: \.hasCome) {} }
  }

  /// Creates a registration for an instance of the type `reader`.
  ///
  /// `onChange` is called when something tracked is about to change.
  init(of reader: Any.Type, onChange: @escaping @Sendable () -> Void) {
    self.reader = ObjectIdentifier(reader)
    self.onChange = onChange
  }

  /// Calls `body`, and tracks its reads.
  func track<Answer>(_ body: () -> Answer) -> Answer {
    count += 1
    let ends = endCount.load(ordering: .relaxed)
    if end == nil, Self.readers.contains(reader) { end = End() }
    guard let end else {
      // The handler is made only if `body` has read something.
      return withObservationTracking(body, onChange: firstHandler(after: ends))
    }
    return withObservationTracking {
      end.wait()
      return body()
    } onChange: {
      self.noteChange(after: ends)
    }
  }

  private func firstHandler(after ends: Int) -> @Sendable () -> Void {
    Self.readers.insert(reader)
    // Weak, because it may outlive everything that it would tell.
    return { [weak self] in self?.noteChange(after: ends) }
  }

  private nonisolated func noteChange(after ends: Int) {
    if endCount.load(ordering: .acquiring) == ends { onChange() }
  }

  /// Ends everything tracked so far.
  func endTracking() {
    guard count > 0 else { return }
    count = 0
    endCount.add(1, ordering: .releasing)
    end?.come()
  }
}
