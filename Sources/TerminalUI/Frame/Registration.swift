import Observation
import Synchronization

/// What was read of observable models, until it is ended.
///
/// Observation by itself ends nothing before a change: of many views that have come and gone, what they
/// have read would pile up, and a change would call all of them.
final class Registration: Observable, Sendable {
  private let registrar = ObservationRegistrar()
  private let generation = Mutex(0)

  /// Calls `body`; `onChange` is called when something that it reads is about to change.
  func track<Answer>(_ body: () -> Answer, onChange: @escaping @Sendable () -> Void) -> Answer {
    let current = generation.withLock(\.self)
    return withObservationTracking {
      registrar.access(self, keyPath: \.isOver)
      return body()
    } onChange: { [weak self] in
      if let self, generation.withLock(\.self) == current { onChange() }
    }
  }

  /// Ends everything that was tracked so far.
  func end() {
    generation.withLock { $0 += 1 }
    registrar.withMutation(of: self, keyPath: \.isOver) {}
  }

  // Only a name for what ends: everything that is tracked reads it.
  private var isOver: Bool { false }
}
