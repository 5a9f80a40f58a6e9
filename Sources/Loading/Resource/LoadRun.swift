/// One load of a resource: runs the loader, and carries what it sends to the main actor, in order
/// and in batches.
///
/// If a load sends faster than the main actor receives, successive progress reports are merged, and
/// the oldest values are dropped while 256 or more events wait.
struct LoadRun: Sendable {
  private struct Contents {
    let ticket: LoadActivity.Ticket
    let loader: HeldLoader
    let origin: LoadContext.Origin
    var waiting = Queue<ResourceEvent>()
    weak var receiver: (any LoadReceiver)?

    /// Adds an event; returns true if no other event waited, so that a delivery has to be
    /// scheduled.
    mutating func put(_ event: ResourceEvent) -> Bool {
      let isFirst = waiting.isEmpty
      if !waiting.merge(event) {
        if waiting.count >= LoadRun.capacity { waiting.dropOldestValue() }
        if !waiting.merge(event) { waiting.append(event) }
      }
      return isFirst
    }
  }

  // One allocation, and a closure that captures only this reference needs no other one.
  private let contents: Lock<Contents>

  private static var capacity: Int { 256 }

  init(
    _ loader: HeldLoader, _ ticket: LoadActivity.Ticket, _ origin: LoadContext.Origin,
    receiver: any LoadReceiver
  ) {
    contents = Lock(
      Contents(ticket: ticket, loader: loader, origin: origin, receiver: receiver))
  }

  /// Runs the loader; returns the event that the load ends with.
  nonisolated(nonsending) func run() async -> ResourceEvent {
    let (ticket, loader, origin) = contents.withLock { ($0.ticket, $0.loader, $0.origin) }
    let context = LoadContext(origin) { send($0) }
    do {
      if origin.cause == .refresh { try await context.pass(all: origin.scheduler.refreshGates) }
      return .finished(ticket, try await loader.run(context, self))
    } catch {
      return .failed(ticket, error)
    }
  }

  /// Sends a signal.
  func send(_ signal: LoadSignal) {
    send { .signal($0, signal) }
  }

  /// Sends a value that the load has yielded.
  func send(_ value: HeldValue) {
    send { .value($0, value) }
  }

  private func send(_ event: (LoadActivity.Ticket) -> ResourceEvent) {
    let scheduler = contents.withLock { $0.put(event($0.ticket)) ? $0.origin.scheduler : nil }
    scheduler?.deliver { deliver() }
  }

  /// Delivers the end of the load, after all signals; returns its scheduler.
  @MainActor @discardableResult
  func close(_ event: ResourceEvent) -> LoadScheduler {
    let (receiver, scheduler) = deliver()
    receiver?.apply(event)
    return scheduler
  }

  /// Delivers what waits; returns the receiver and the scheduler.
  @MainActor @discardableResult
  private func deliver() -> ((any LoadReceiver)?, LoadScheduler) {
    let (waiting, receiver, origin) = contents.withLock { contents in
      let waiting = contents.waiting
      contents.waiting = Queue()
      return (waiting, contents.receiver, contents.origin)
    }
    for event in waiting { receiver?.apply(event) }
    return (receiver, origin.scheduler)
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
