/// One load of a resource: runs the loader, and carries what it sends to the main actor, in order
/// and in batches.
///
/// If a load sends faster than the main actor receives, successive progress reports are merged, and
/// the oldest values are dropped while 256 or more events wait.
// Unchecked, as its superclass: its state is constant, or behind a lock.
final class LoadRun: LoadContext.Origin, @unchecked Sendable {
  private let ticket: LoadActivity.Ticket
  private let loader: HeldLoader
  private weak let receiver: (any LoadReceiver)?
  private let waiting = Lock(Queue<ResourceEvent>())

  private static let capacity = 256

  init(
    _ loader: HeldLoader, _ ticket: LoadActivity.Ticket, receiver: any LoadReceiver,
    clock: AnyClock, cause: LoadActivity.Cause, previousStart: AnyClock.Instant? = nil,
    scheduler: LoadScheduler
  ) {
    self.ticket = ticket
    self.loader = loader
    self.receiver = receiver
    super.init(clock: clock, cause: cause, previousStart: previousStart, scheduler: scheduler)
  }

  /// Runs the loader; returns the event that the load ends with.
  nonisolated(nonsending) func run() async -> ResourceEvent {
    let context = LoadContext(self) { [self] in signal($0) }
    do {
      if cause == .refresh { try await context.pass(all: scheduler.refreshGates) }
      return .finished(ticket, try await loader.run(context, self))
    } catch {
      return .failed(ticket, error)
    }
  }

  /// Sends a signal.
  func signal(_ signal: LoadSignal) {
    send(.signal(ticket, signal))
  }

  /// Sends a value that the load has yielded.
  func send(_ value: HeldValue) {
    send(.value(ticket, value))
  }

  private func send(_ event: ResourceEvent) {
    if waiting.withLock({ $0.put(event, capacity: Self.capacity) }) {
      scheduler.deliver { self.deliver() }
    }
  }

  /// Delivers the end of the load, after everything that it has sent.
  @MainActor func close(_ event: ResourceEvent) {
    deliver()
    receiver?.apply(event)
  }

  @MainActor private func deliver() {
    let events = waiting.withLock { waiting in
      let events = waiting
      waiting = Queue()
      return events
    }
    for event in events { receiver?.apply(event) }
  }
}

/// Receives the events of a load: a ``Resource`` of any value.
@MainActor
protocol LoadReceiver: AnyObject, Sendable {
  func apply(_ event: ResourceEvent)
}

extension Resource: LoadReceiver {}

extension Queue<ResourceEvent> {
  /// Adds an event; returns true if no other event waited, so that a delivery has to be scheduled.
  fileprivate mutating func put(_ event: ResourceEvent, capacity: Int) -> Bool {
    let isFirst = isEmpty
    if !merge(event) {
      if count >= capacity { dropOldestValue() }
      if !merge(event) { append(event) }
    }
    return isFirst
  }

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
