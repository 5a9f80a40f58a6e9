import Testing

@testable import Loading

@MainActor
@Suite struct LoadRunTests {
  /// The deliveries to the main actor, which the test runs.
  private let deliveries = Lock<[@MainActor @Sendable () -> Void]>([])
  private let receiver = Receiver()

  private var run: LoadRun {
    let scheduler = LoadScheduler(
      executor: nil, deliver: { [deliveries] body in deliveries.withLock { $0.append(body) } })
    return LoadRun(
      HeldLoader(Loader.constant(0)), LoadActivity.Ticket(number: 1),
      receiver: receiver, clock: .continuous, cause: .user, scheduler: scheduler)
  }

  @MainActor
  private final class Receiver: LoadReceiver {
    private(set) var received: [String] = []

    func apply(_ event: ResourceEvent) {
      switch event {
      case .value(_, let value): received.append("value \(value.value(as: Int.self))")
      case .signal(_, .progress(let progress)): received.append("\(progress.percent ?? 0) %")
      case .finished: received.append("finished")
      default: received.append("other")
      }
    }
  }

  @Test func `signals of a load are delivered before its end, even if their delivery is late`() {
    let run = run
    run.send(HeldValue(1))
    run.close(.finished(LoadActivity.Ticket(number: 1), nil))
    for deliver in deliveries.withLock({ $0 }) { deliver() }
    #expect(receiver.received == ["value 1", "finished"])
  }

  @Test func `waiting progress is merged to the highest, and only the newest values are kept`() {
    let run = run
    for fraction in [0.1, 0.7, 0.3] {
      run.signal(.progress(LoadingProgress(fraction: fraction)))
    }
    for number in 1...300 { run.send(HeldValue(number)) }
    #expect(deliveries.withLock { $0.count } == 1)
    for deliver in deliveries.withLock({ $0 }) { deliver() }
    let expected = ["70 %"] + (46...300).map { "value \($0)" }
    #expect(receiver.received == expected)
  }

  @Test(arguments: [LoadSignal.progress(LoadingProgress(fraction: 0.5)), .phase(.live)])
  func `signals between dropped values do not pile up`(_ signal: LoadSignal) {
    let run = run
    for number in 1...10_000 {
      run.send(HeldValue(number))
      run.signal(signal)
    }
    for deliver in deliveries.withLock({ $0 }) { deliver() }
    #expect(receiver.received.count <= 256)
    #expect(receiver.received.suffix(2).first == "value 10000")
  }
}
