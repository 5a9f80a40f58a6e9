/// Carries the signals of one load to the main actor, in order and in batches.
///
/// If a load sends faster than the main actor receives, successive progress reports are merged, and
/// the oldest values are dropped while 256 or more events wait.
final class LoadMailbox: Sendable {
  private let waiting = Lock(Queue<ResourceEvent>())
  private let ticket: LoadActivity.Ticket
  private let scheduler: LoadScheduler
  private weak let receiver: (any LoadReceiver)?

  private static var capacity: Int { 256 }

  init(ticket: LoadActivity.Ticket, scheduler: LoadScheduler, receiver: any LoadReceiver) {
    self.ticket = ticket
    self.scheduler = scheduler
    self.receiver = receiver
  }

  /// Sends a signal.
  func send(_ signal: LoadSignal) {
    send(.signal(ticket, signal))
  }

  /// Sends a value that the load has yielded.
  func send(_ value: HeldValue) {
    send(.value(ticket, value))
  }

  private func send(_ event: ResourceEvent) {
    if put(event) { scheduler.deliver { self.empty() } }
  }

  /// Delivers the end of the load, after all signals; the load's task calls it last.
  @MainActor func close(_ event: ResourceEvent) {
    empty()
    receiver?.apply(event)
  }

  /// Adds an event; returns true if no other event waited, so that a delivery has to be scheduled.
  private func put(_ event: ResourceEvent) -> Bool {
    waiting.withLock { waiting in
      let isFirst = waiting.isEmpty
      var event = event
      if case .signal(_, .progress(let next)) = event,
        case .signal(_, .progress(let last))? = waiting.last
      {
        waiting.remove(at: waiting.endIndex - 1)
        // Merged, because a progress never goes backwards and the newer fraction may be lower.
        event = .signal(ticket, .progress(last.advanced(to: next)))
      } else if waiting.count >= Self.capacity, let oldest = waiting.firstIndex(where: \.isValue) {
        waiting.remove(at: oldest)
      }
      waiting.append(event)
      return isFirst
    }
  }

  @MainActor private func empty() {
    let taken = waiting.withLock { waiting in
      defer { waiting = Queue() }
      return waiting
    }
    for event in taken { receiver?.apply(event) }
  }
}

/// Receives the events of a load: a ``Resource`` of any value.
@MainActor
protocol LoadReceiver: AnyObject, Sendable {
  func apply(_ event: ResourceEvent)
}

extension Resource: LoadReceiver {}

extension ResourceEvent {
  fileprivate var isValue: Bool {
    if case .value = self { true } else { false }
  }
}
