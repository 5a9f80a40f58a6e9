import LoadingTesting
import Testing

@testable import Loading

/// Loaders that are run without a resource.
@MainActor
@Suite(.leavesNothingBehind) struct LoaderRunTests {
  let runtime = ManualRuntime()
  let loads = ManualLoads<Int>()

  /// Runs `loader` in a task of the runtime.
  private func value(
    of loader: Loader<Int>, cause: LoadActivity.Cause = .appeared
  ) -> Task<Int, any Error> {
    // Read here, because the task could read them only on the main actor.
    let (clock, scheduler) = (runtime.clock.any, runtime.scheduler)
    return Task.detached(executorPreference: runtime.executor) {
      try await loader.value(cause: cause, clock: clock, scheduler: scheduler)
    }
  }

  /// Reads the events of `loader` and describes each of them.
  private func events(of loader: Loader<Int>) -> (told: Lock<[String]>, task: Task<Void, Never>) {
    let told = Lock<[String]>([])
    let events = loader.events(clock: runtime.clock.any, scheduler: runtime.scheduler)
    let task = Task.detached(executorPreference: runtime.executor) {
      do {
        for try await event in events {
          let words =
            switch event {
            case .progress(let progress): "\(progress.percent ?? 0) %"
            case .value(let value): "value \(value)"
            case .attempt(let number, let limit): "attempt \(number) of \(limit ?? 0)"
            case .attemptFailed(let error, let next): "\(error), next at \(next.offset)"
            }
          told.withLock { $0.append(words) }
        }
        told.withLock { $0.append(Task.isCancelled ? "cancelled" : "end") }
      } catch {
        told.withLock { $0.append("thrown: \(error)") }
      }
    }
    return (told, task)
  }

  @Test func `a value is loaded with operators and without a resource`() async throws {
    let loader = loads.loader.timeout(.seconds(1)).retrying(limit: 3, backoff: .none)
    let task = value(of: loader.limited(by: LoadLimit(1)).map { $0 * 10 })
    runtime.advance(by: .seconds(1))
    #expect(loads.count == 2)
    loads[0].fail(Broken())
    loads[1].succeed(4)
    runtime.run()
    #expect(try await task.value == 40)
    #expect(try await Loader.constant(7).value() == 7)
  }

  @Test func `the error of the load is thrown`() async {
    let task = value(of: loads.loader)
    runtime.run()
    loads[0].fail(Broken("no answer"))
    runtime.run()
    await #expect(throws: Broken("no answer")) { try await task.value }
  }

  @Test func `cancelling the task cancels the load`() async {
    let task = value(of: loads.loader.retrying(limit: 3))
    runtime.run()
    task.cancel()
    #expect(loads[0].isCancelled)
    loads[0].fail(CancellationError())
    runtime.run()
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(loads.count == 1)
  }

  @Test func `a load that brings a value although it was cancelled has none`() async {
    let task = value(of: loads.loader)
    runtime.run()
    task.cancel()
    loads[0].succeed(1)
    runtime.run()
    await #expect(throws: CancellationError.self) { try await task.value }
  }

  @Test func `an attempt that fails after it was cancelled is not followed by another one`() async {
    let judged = Lock(0)
    let loader = loads.loader.retrying(
      limit: 2, backoff: .none,
      if: { _ in
        judged.withLock { $0 += 1 }
        return true
      })
    let task = value(of: loader)
    runtime.run()
    task.cancel()
    loads[0].fail(Broken())
    runtime.run()
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(judged.withLock { $0 } == 0)
    #expect(loads.count == 1)
  }

  @Test func `a subscription ends after its first value, which is returned`() async throws {
    let (stream, continuation) = AsyncStream.makeStream(of: Int.self)
    let hasEnded = Lock(false)
    continuation.onTermination = { _ in hasEnded.withLock { $0 = true } }
    let streams = Lock<AsyncStream<Int>?>(stream)
    let task = value(
      of: Loader(sequence: {
        streams.withLock { streams in
          defer { streams = nil }
          return streams ?? AsyncStream { $0.finish() }
        }
      }))
    // Nothing else keeps the stream alive.
    _ = consume stream
    runtime.run()
    continuation.yield(1)
    runtime.run()
    #expect(try await task.value == 1)
    #expect(hasEnded.withLock { $0 })
  }

  @Test func `a loader that only yields returns its last value`() async throws {
    let loader = Loader<Int>(of: Loader.constant(1)) { _, output in
      output.yield(1)
      output.yield(2)
      return nil
    }
    #expect(try await loader.value() == 2)
    let nothing = Loader<Int>(sequence: { AsyncStream { $0.finish() } })
    await #expect(throws: LoadingError.noValue) { try await nothing.value() }
  }

  @Test func `a fresh cached value needs no load, unless the user loads`() async throws {
    let cache = LoadCache<Int, Int>(staleAfter: .seconds(10), lifetime: .seconds(20))
    let loader = loads.loader.cached(in: cache, key: 1)
    let first = value(of: loader)
    runtime.run()
    loads[0].succeed(5)
    runtime.run()
    #expect(try await first.value == 5)
    let second = value(of: loader)
    runtime.run()
    #expect(try await second.value == 5)
    #expect(loads.count == 1)
    let third = value(of: loader, cause: .user)
    runtime.run()
    #expect(loads.count == 2)
    loads.end()
    runtime.run()
    _ = await third.result
  }

  @Test func `events are progress, values and attempts, in order`() async {
    let backoff = Backoff(base: .seconds(2), random: { 1 })
    let (told, task) = events(of: loads.loader.retrying(limit: 2, backoff: backoff))
    runtime.run()
    loads[0].context.report(fraction: 0.5)
    loads[0].fail(Broken("no answer"))
    runtime.run()
    runtime.advance(by: .seconds(2))
    loads[1].output.yield(1)
    loads[1].succeed(2)
    runtime.run()
    await task.value
    let expected = [
      "attempt 1 of 2", "50 %", "no answer, next at 2.0 seconds", "attempt 2 of 2", "value 1",
      "value 2", "end",
    ]
    #expect(told.withLock { $0 } == expected)
  }

  @Test func `the events of a load that fails end with its error`() async {
    let (told, task) = events(of: loads.loader)
    runtime.run()
    loads[0].fail(Broken("no answer"))
    runtime.run()
    await task.value
    #expect(told.withLock { $0 } == ["thrown: no answer"])
  }

  @Test func `cancelling the task of the events cancels the load`() async {
    let (told, task) = events(of: loads.loader)
    runtime.run()
    task.cancel()
    #expect(loads[0].isCancelled)
    loads[0].fail(CancellationError())
    runtime.run()
    await task.value
    #expect(told.withLock { $0 } == ["cancelled"])
  }

  @Test func `leaving the loop cancels the load`() async throws {
    let loader = Loader<Int> { context, output in
      output.yield(1)
      try await context.sleep(for: .seconds(1 << 32))
      return 2
    }
    let events = loader.events(clock: runtime.clock.any, scheduler: runtime.scheduler)
    let task = Task.detached(executorPreference: runtime.executor) {
      for try await event in events {
        if case .value = event { break }
      }
    }
    runtime.run()
    try await task.value
    runtime.run()
    #expect(runtime.executor.taskCount == 0)
  }

  @Test func `nothing is loaded before the iteration, and each iteration loads`() async throws {
    let count = Lock(0)
    let loader = Loader { _ in
      count.withLock { count in
        count += 1
        return count
      }
    }
    let events = loader.events()
    #expect(count.withLock { $0 } == 0)
    for number in 1...2 {
      var values: [Int] = []
      for try await event in events {
        if case .value(let value) = event { values.append(value) }
      }
      #expect(values == [number])
    }
  }

  // MARK: Custom operators

  @Test func `a custom operator replaces a running load if its part is debounced`() {
    let loader = Loader<Int>(of: loads.loader.debounced(for: .seconds(1))) { [loads] in
      try await loads.loader.debounced(for: .seconds(1)).run($0, $1)
    }
    let resource = runtime.resource(loader)
    resource.load()
    runtime.advance(by: .milliseconds(500))
    resource.load()
    runtime.advance(by: .milliseconds(900))
    #expect(loads.count == 0)
    runtime.advance(by: .milliseconds(100))
    #expect(loads.count == 1)
    loads[0].succeed(1)
    runtime.run()
    #expect(resource.state == .loaded(1))
  }

  @Test func `a custom operator gives its permit back while it sleeps`() {
    let limit = LoadLimit(1)
    let waiting = Loader<Int>(of: loads.loader) { [loads] context, output in
      try await context.sleep(for: .seconds(1))
      return try await loads.loader.run(context, output)
    }
    let first = runtime.resource(waiting.limited(by: limit))
    let second = runtime.resource(loads.loader.limited(by: limit))
    first.load()
    second.load()
    runtime.run()
    #expect(loads.count == 1)
    loads[0].succeed(1)
    runtime.advance(by: .seconds(1))
    #expect(loads.count == 2)
    loads[1].succeed(2)
    runtime.run()
    #expect(first.state == .loaded(2))
    #expect(second.state == .loaded(1))
  }
}
