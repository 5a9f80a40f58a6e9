import Loading

/// A manual clock and a manual executor: everything that a test needs to decide what happens when.
///
/// ```swift
/// let runtime = ManualRuntime()
/// let resource = Resource(loader, clock: runtime.clock.any, scheduler: runtime.scheduler)
/// resource.load()
/// runtime.advance(by: .seconds(1))
/// #expect(resource.state == .loaded("Hello"))
/// ```
@MainActor
public final class ManualRuntime {
  /// The time.
  public let clock: ManualClock
  /// Where loads run.
  public let executor: ManualExecutor
  /// The scheduler of ``executor``.
  public let scheduler: LoadScheduler

  /// Called with every runtime that is made while it is set, so that a test can look at what they
  /// have left behind.
  @TaskLocal public static var onInit: (@MainActor @Sendable (ManualRuntime) -> Void)?

  private struct Weak {
    weak var object: AnyObject?
  }

  private var resources: [Weak] = []

  /// A runtime whose clock stands at `offset`.
  public init(at offset: Duration = .zero) {
    clock = ManualClock(at: offset)
    executor = ManualExecutor()
    scheduler = executor.scheduler
    Self.onInit?(self)
  }

  /// What is still alive: tasks, sleepers, work that waits to be run, and resources made here; nil
  /// for nothing, as it should be when a test ends.
  public var leftovers: String? {
    let counts = [
      "tasks": executor.taskCount, "sleepers": clock.sleeperCount,
      "jobs": executor.isIdle ? 0 : 1, "resources": resources.count { $0.object != nil },
    ].filter { $0.value != 0 }
    if counts.isEmpty { return nil }
    return counts.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)" }
      .joined(separator: ", ")
  }

  /// A resource on this runtime.
  public func resource<Value>(
    _ loader: Loader<Value>? = nil, initialState: LoadingState<Value> = .idle,
    errorPolicy: ErrorPolicy = .keep, startsOnAppear: Bool = true
  ) -> Resource<Value> {
    let resource = Resource(
      loader, initialState: initialState, errorPolicy: errorPolicy,
      startsOnAppear: startsOnAppear, clock: clock.any, scheduler: scheduler)
    resources.append(Weak(object: resource))
    return resource
  }

  /// Runs everything that can run without time passing.
  public func run() {
    executor.run()
  }

  /// Runs until `condition` holds, for tests in which tasks of the main actor take part, such as an
  /// event loop: they get their turns in between.
  ///
  /// Loads and what they deliver never need it: for them ``run()`` is exact. It also returns when its
  /// task is cancelled, as the time limit of a test does: give one to a test whose condition may never
  /// come true.
  public func run(until condition: () -> Bool) async {
    run()
    while !condition(), !Task.isCancelled {
      await Task.yield()
      run()
    }
  }

  /// Moves the time forward, stopping at every moment at which a sleeper wakes, so that what it starts
  /// starts at that time.
  public func advance(by duration: Duration) {
    run()
    let end = clock.now.advanced(by: duration)
    while let next = clock.nextDeadline, next <= end {
      clock.advance(to: next)
      run()
    }
    clock.advance(to: end)
    run()
  }
}
