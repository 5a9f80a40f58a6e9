import LoadingTesting
import Synchronization
import Testing

@testable import Loading

/// An error with a description that the test chooses.
struct Broken: Error, Equatable, CustomStringConvertible {
  let description: String

  init(_ description: String = "broken") {
    self.description = description
  }
}

extension AnyClock.Instant {
  static func ms(_ milliseconds: Int) -> AnyClock.Instant {
    AnyClock.Instant(offset: .milliseconds(milliseconds))
  }
}

/// Fails a test that leaves anything alive: tasks, sleepers, continuations, jobs or resources of
/// its manual runtimes.
struct LeavesNothingBehind: SuiteTrait, TestTrait, TestScoping {
  var isRecursive: Bool { true }

  func provideScope(
    for test: Test, testCase: Test.Case?,
    performing function: @concurrent @Sendable () async throws -> Void
  ) async throws {
    let runtimes = Mutex<[ManualRuntime]>([])
    try await ManualRuntime.$onInit.withValue({ runtime in
      runtimes.withLock { $0.append(runtime) }
    }) {
      try await function()
    }
    for runtime in runtimes.withLock({ $0 }) {
      await MainActor.run {
        runtime.run()
        if let leftovers = runtime.leftovers { Issue.record("left behind: \(leftovers)") }
      }
    }
  }
}

extension Trait where Self == LeavesNothingBehind {
  static var leavesNothingBehind: LeavesNothingBehind { LeavesNothingBehind() }
}

/// Expects that a stream has exactly these states and then ends.
func expectStates<Value: Equatable & Sendable>(
  _ states: AsyncStream<LoadingState<Value>>?, _ expected: [LoadingState<Value>],
  sourceLocation: SourceLocation = #_sourceLocation
) async {
  guard let states else {
    Issue.record("there are no states", sourceLocation: sourceLocation)
    return
  }
  let difference = await difference(of: states, from: expected)
  #expect(difference == nil, sourceLocation: sourceLocation)
}

extension LoadCache {
  /// Registers a load by a loader without tags.
  func begin(_ key: Key, at now: AnyClock.Instant) -> Turn { begin(key, tags: [], at: now) }

  /// Inserts the value of a load while no commit of a tag runs.
  @discardableResult
  func store(
    _ value: Value, for key: Key, of run: CachedRun<Value>, at moment: AnyClock.Instant,
    on clock: AnyClock = .continuous
  ) -> Bool {
    store(value, for: key, of: run, at: moment, on: clock, unless: { _ in false })
  }
}
