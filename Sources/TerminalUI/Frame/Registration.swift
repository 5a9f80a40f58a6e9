import Observation
import Synchronization

/// What was read of observable models, until it is ended.
///
/// Observation by itself ends nothing before a change: of many views that have come and gone, what they
/// have read would pile up, and a change would call all of them.
final class Registration: Observable, Sendable {
  private let registrar = ObservationRegistrar()
  private let generation = Mutex((number: 0, count: 0))

  /// Calls `body`; `onChange` is called when something that it reads is about to change.
  func track<Answer>(_ body: () -> Answer, onChange: @escaping @Sendable () -> Void) -> Answer {
    let current = generation.withLock { generation in
      generation.count += 1
      return generation.number
    }
    return withObservationTracking {
      registrar.access(self, keyPath: \.isOver)
      return body()
    } onChange: { [weak self] in
      if let self, generation.withLock({ $0.number }) == current { onChange() }
    }
  }

  /// Ends everything that was tracked so far.
  func end() {
    let isOver = generation.withLock { generation in
      defer { generation = (generation.number + 1, 0) }
      return generation.count == 0
    }
    if !isOver { registrar.withMutation(of: self, keyPath: \.isOver) {} }
  }

  /// How often something was tracked since everything was ended.
  var count: Int { generation.withLock { $0.count } }

  // Only a name for what ends: everything that is tracked reads it.
  private var isOver: Bool { false }
}
