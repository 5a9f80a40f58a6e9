/// Carries what one load tells to the main actor, in order and in batches.
///
/// A load that tells more than the main actor takes costs bounded memory: of progress only the
/// newest waits, of values the newest 256.
final class LoadMailbox<Value: Sendable>: Sendable {
  private let waiting = Lock(Queue<ResourceEvent<Value>>())
  private let ticket: LoadTicket
  private let scheduler: LoadScheduler
  private let receive: @MainActor @Sendable ([ResourceEvent<Value>]) -> Void

  private static var capacity: Int { 256 }

  init(
    ticket: LoadTicket, scheduler: LoadScheduler,
    receive: @escaping @MainActor @Sendable ([ResourceEvent<Value>]) -> Void
  ) {
    self.ticket = ticket
    self.scheduler = scheduler
    self.receive = receive
  }

  func send(_ signal: LoadSignal<Value>) {
    post(.signal(ticket, signal))
  }

  func post(_ event: ResourceEvent<Value>) {
    let isFirst = waiting.withLock { waiting in
      let isFirst = waiting.isEmpty
      var event = event
      if case .signal(_, .progress(let next)) = event,
        case .signal(_, .progress(let last))? = waiting.last
      {
        waiting.remove(at: waiting.endIndex - 1)
        // Not simply the newer: it might be the lower one.
        event = .signal(ticket, .progress(last.advanced(to: next)))
      } else if waiting.count >= Self.capacity, let oldest = waiting.firstIndex(where: \.isValue) {
        waiting.remove(at: oldest)
      }
      waiting.append(event)
      return isFirst
    }
    guard isFirst else { return }
    scheduler.deliver { self.empty() }
  }

  @MainActor private func empty() {
    receive(take())
  }

  private func take() -> [ResourceEvent<Value>] {
    waiting.withLock { waiting in
      defer { waiting = Queue() }
      return Array(waiting)
    }
  }
}

extension ResourceEvent {
  fileprivate var isValue: Bool {
    if case .signal(_, .value) = self { true } else { false }
  }
}
