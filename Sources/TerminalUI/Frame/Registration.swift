import Observation
import Synchronization

/// Tracks reads of observable models until it is ended, which its owner has to do.
///
/// Observation alone ends no tracking before a change: the reads of views that have come and gone
/// would pile up, and a change would call all of their handlers.
final class Registration: Observable, Sendable {
  private let registrar = ObservationRegistrar()
  private let generation = Mutex((number: 0, count: 0))

  /// Calls `body`; `onChange` is called when something that `body` reads is about to change.
  func track<Answer>(_ body: () -> Answer, onChange: @escaping @Sendable () -> Void) -> Answer {
    let current = generation.withLock { generation in
      generation.count += 1
      return generation.number
    }
    return withObservationTracking {
      registrar.access(self, keyPath: \.isOver)
      return body()
    } onChange: {
      if self.generation.withLock({ $0.number }) == current { onChange() }
    }
  }

  /// Ends everything tracked so far.
  func end() {
    let isOver = generation.withLock { generation in
      defer { generation = (generation.number + 1, 0) }
      return generation.count == 0
    }
    if !isOver { registrar.withMutation(of: self, keyPath: \.isOver) {} }
  }

  /// The number of `track` calls since the last `end()`.
  var count: Int { generation.withLock { $0.count } }

  // A dummy property that everything tracked also reads, so that `end()` can trigger the change.
  private var isOver: Bool { false }
}
