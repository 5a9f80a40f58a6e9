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
      if !waiting.merge(event) {
        if waiting.count >= Self.capacity { waiting.dropOldestValue() }
        if !waiting.merge(event) { waiting.append(event) }
      }
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

extension Queue<ResourceEvent> {
  /// Merges the last event with the next one; returns whether one of them says as much as both.
  fileprivate mutating func merge(_ next: ResourceEvent) -> Bool {
    guard let merged = last?.merged(with: next) else { return false }
    self[endIndex - 1] = merged
    return true
  }

  /// Drops the oldest value, and merges the signals around it.
  ///
  /// Otherwise the signals of a load that sends one with each value would pile up.
  fileprivate mutating func dropOldestValue() {
    guard let oldest = firstIndex(where: \.isValue) else { return }
    let isFirst = oldest == startIndex
    remove(at: oldest)
    guard !isFirst, oldest < endIndex, let merged = self[oldest - 1].merged(with: self[oldest])
    else { return }
    self[oldest] = merged
    remove(at: oldest - 1)
  }
}

extension ResourceEvent {
  fileprivate var isValue: Bool {
    if case .value = self { true } else { false }
  }

  /// Returns an event that says as much as this one and the next; nil if there is none.
  fileprivate func merged(with next: ResourceEvent) -> ResourceEvent? {
    switch (self, next) {
    case (.signal(let ticket, .progress(let earlier)), .signal(_, .progress(let later))):
      // Not simply the later one: a progress never goes backwards, and its fraction may be lower.
      .signal(ticket, .progress(earlier.advanced(to: later)))
    case (.signal(_, .phase(let earlier)), .signal(_, .phase(let later))) where earlier == later:
      next
    default:
      nil
    }
  }
}
