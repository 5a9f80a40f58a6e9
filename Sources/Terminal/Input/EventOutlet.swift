import Synchronization

/// Delivers the events of a screen, either to an async sequence or directly to a receiver.
///
/// The first use decides which of the two it is. Events that arrive before that are kept for it.
final class EventOutlet: Sendable {
  typealias Receiver = @MainActor ([InputEvent]) -> Void

  private enum Way {
    case open(waiting: [InputEvent])
    case sequence
    case receiver(Receiver)
  }

  private let sequence: AsyncStream<InputEvent>
  private let continuation: AsyncStream<InputEvent>.Continuation
  private let way = Mutex(Way.open(waiting: []))

  init() { (sequence, continuation) = AsyncStream.makeStream() }

  /// The sequence of all events, unless a receiver was set first.
  var events: AsyncStream<InputEvent> {
    way.withLock { way in
      guard case .open(let waiting) = way else { return }
      for event in waiting { continuation.yield(event) }
      way = .sequence
    }
    return sequence
  }

  /// Sends events to `receive`; all events must then be sent on the main thread.
  @MainActor
  func setReceiver(_ receive: @escaping Receiver) {
    let waiting = way.withLock { way -> [InputEvent] in
      guard case .open(let waiting) = way else { return [] }
      way = .receiver(receive)
      return waiting
    }
    if !waiting.isEmpty { receive(waiting) }
  }

  func send(_ events: [InputEvent]) {
    guard !events.isEmpty else { return }
    let receiver = way.withLock { way -> Receiver? in
      switch way {
      case .open(let waiting): way = .open(waiting: waiting + events)
      case .sequence: for event in events { continuation.yield(event) }
      case .receiver(let receive): return receive
      }
      return nil
    }
    if let receiver { MainActor.assumeIsolated { receiver(events) } }
  }

  func send(_ event: InputEvent) { send([event]) }

  /// Ends the sequence, after the last event.
  func finish() {
    way.withLock { way in
      if case .open(let waiting) = way {
        for event in waiting { continuation.yield(event) }
      }
      // Releases the receiver, if any, which retains the object that handles the events.
      way = .sequence
    }
    continuation.finish()
  }
}
