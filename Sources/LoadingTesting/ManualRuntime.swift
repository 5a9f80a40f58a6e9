import Loading

/// A manual clock and a manual executor, by which a test decides what happens when.
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
  /// The clock.
  public let clock: ManualClock
  /// The executor of loads and commits.
  public let executor: ManualExecutor
  /// A scheduler of ``executor``.
  public let scheduler: LoadScheduler

  /// Called with every runtime that is created while it is set, so that a test can check their
  /// ``leftovers``.
  @TaskLocal public static var onInit: (@MainActor @Sendable (ManualRuntime) -> Void)?

  private struct Weak {
    weak var object: AnyObject?
  }

  private var resources: [Weak] = []

  /// Creates a runtime whose clock stands at `offset`.
  public init(at offset: Duration = .zero) {
    clock = ManualClock(at: offset)
    executor = ManualExecutor()
    scheduler = executor.scheduler
    Self.onInit?(self)
  }

  /// Describes the tasks, sleeping tasks and queued jobs of this runtime, and the resources that its
  /// `resource` method has made, as far as they are still alive; nil if there are none.
  ///
  /// At the end of a test it should be nil. Resources that were created in another way, for example
  /// by a view model, are not counted, but their tasks are.
  public var leftovers: String? {
    let counts = [
      "tasks": executor.taskCount, "sleepers": clock.sleeperCount,
      "jobs": executor.isIdle ? 0 : 1, "resources": resources.count { $0.object != nil },
    ].filter { $0.value != 0 }
    if counts.isEmpty { return nil }
    return counts.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)" }
      .joined(separator: ", ")
  }

  /// Returns a new resource with the clock and scheduler of this runtime, which counts among its
  /// ``leftovers``.
  public func resource<Value>(
    _ loader: Loader<Value>? = nil, initialState: LoadingState<Value> = .idle,
    initialAge: Duration = .zero, errorPolicy: ErrorPolicy = .keep, startsOnAppear: Bool = true,
    refreshing: Refreshing = .never, name: String? = nil, historyCapacity: Int = 32,
    mutationFailures: FailedMutation.Inbox? = nil
  ) -> Resource<Value> {
    let resource = Resource(
      loader, initialState: initialState, initialAge: initialAge, errorPolicy: errorPolicy,
      startsOnAppear: startsOnAppear, refreshing: refreshing, name: name,
      historyCapacity: historyCapacity, mutationFailures: mutationFailures, clock: clock.any,
      scheduler: scheduler)
    resources.append(Weak(object: resource))
    return resource
  }

  /// Runs everything that can run at the current time.
  ///
  /// Tasks on the main actor, such as the `.task` of a view, do not run in it, but in
  /// ``run(until:)``.
  public func run() {
    executor.run()
  }

  /// Runs until `condition` is true, for tests with tasks on the main actor, such as an event loop,
  /// which run in between.
  ///
  /// Loads and their deliveries do not need this: for them, ``run()`` is enough. It also returns
  /// when its task is cancelled, for example by the time limit of the test: set one if the
  /// condition may never become true.
  public func run(until condition: () -> Bool) async {
    run()
    while !condition(), !Task.isCancelled {
      await Task.yield()
      run()
    }
  }

  /// Advances the clock, and stops at each time at which a sleeping task wakes, so that whatever
  /// the task starts is started at that time.
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
