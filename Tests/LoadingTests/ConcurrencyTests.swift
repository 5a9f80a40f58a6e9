import LoadingTesting
import Synchronization
import Testing

@testable import Loading

/// Loads with the real scheduler on real threads, mainly for the thread sanitizer.
@MainActor
@Suite struct ConcurrencyTests {
  /// Counts how many loads work at once, and remembers the largest number.
  final class Crowd: Sendable {
    private let counts = Mutex((now: 0, most: 0))
    var most: Int { counts.withLock { $0.most } }

    func enter() {
      counts.withLock { counts in
        counts.now += 1
        counts.most = max(counts.most, counts.now)
      }
    }

    func leave() { counts.withLock { $0.now -= 1 } }
  }

  /// Counts the tasks of loads, commits and timers that have not ended.
  private let tasks = TaskCount()

  /// The real scheduler, with its tasks counted.
  private var scheduler: LoadScheduler {
    LoadScheduler(executor: nil, countTasks: { [tasks] in tasks.add($0) })
  }

  private final class TaskCount: Sendable {
    private let count = Mutex(0)

    func add(_ change: Int) { count.withLock { $0 += change } }
    var isZero: Bool { count.withLock { $0 == 0 } }
  }

  /// Waits until all tasks have ended; if one never does, the time limit fails the test.
  private func tasksEnded() async {
    while !tasks.isZero { await Task.yield() }
  }

  @Test(.timeLimit(.minutes(10)))
  func `a hundred loads share four permits`() async {
    let crowd = Crowd()
    let limit = LoadLimit(4)
    let resources = (0..<100).map { number in
      Resource(
        Loader<Int> { context in
          crowd.enter()
          defer { crowd.leave() }
          for step in 0..<5 {
            context.report(fraction: Double(step) / 5)
            await Task.yield()
          }
          return number
        }.limited(by: limit).timeout(.seconds(3600)).retrying(limit: 2), scheduler: scheduler)
    }
    for resource in resources { resource.load() }
    for (number, resource) in resources.enumerated() {
      #expect(await resource.settled() == .loaded(number))
    }
    #expect(crowd.most <= 4)
    #expect(limit.waitingCount == 0)
    await tasksEnded()
  }

  @Test(.timeLimit(.minutes(10)))
  func `a higher limit starts waiting loads, and a lower one lets running loads finish`() async {
    let limit = LoadLimit(2)
    let runtime = ManualRuntime()
    let loads = ManualLoads<Int>()
    let resources = (0..<5).map { _ in
      Resource(
        loads.loader.limited(by: limit), clock: runtime.clock.any, scheduler: runtime.scheduler)
    }
    for resource in resources { resource.load() }
    runtime.run()
    #expect(loads.count == 2 && limit.waitingCount == 3)
    limit.count = 3
    await runtime.run(until: { loads.count == 3 })
    limit.count = 0
    #expect(limit.count == 1)
    loads[0].succeed(0)
    loads[1].succeed(1)
    await runtime.run(until: { resources.count { !$0.isLoading } == 2 })
    #expect(loads.count == 3 && limit.waitingCount == 2)
    loads[2].succeed(2)
    await runtime.run(until: { loads.count == 4 })
    #expect(limit.waitingCount == 1)
    loads[3].succeed(3)
    await runtime.run(until: { loads.count == 5 })
    loads[4].succeed(4)
    await runtime.run(until: { resources.allSatisfy { !$0.isLoading } })
  }

  @Test(.timeLimit(.minutes(10)))
  func `a storm of restarts and cancellations ends with the last load`() async {
    let limit = LoadLimit(2)
    let cache = LoadCache<Int, Int>(staleAfter: .zero, lifetime: .seconds(60))
    var random = Seeded(1)
    let resource = Resource<Int>(scheduler: scheduler)
    for round in 0..<500 {
      let loader = Loader<Int> { _, output in
        output.yield(-round)
        await Task.yield()
        try Task.checkCancellation()
        return round
      }
      resource.load(
        loader.cached(in: cache, key: round % 3).limited(by: limit).timeout(.seconds(60)))
      if random.chance(20) { resource.cancel() }
      if random.chance(20) { await Task.yield() }
    }
    resource.load(.constant(1000))
    #expect(await resource.settled() == .loaded(1000))
    await tasksEnded()
    #expect(limit.tryEnter() && limit.tryEnter())
  }

  @Test(.timeLimit(.minutes(10)))
  func `a load can report and yield from many tasks`() async {
    let resource = Resource(
      Loader<Int> { context, output in
        await withTaskGroup { group in
          for part in 0..<50 {
            group.addTask {
              context.report(LoadingProgress(completed: part, of: 50))
              output.yield(part)
            }
          }
        }
        return 50
      }, scheduler: scheduler)
    resource.load()
    #expect(await resource.settled() == .loaded(50))
    await tasksEnded()
  }

  @Test(.timeLimit(.minutes(10)))
  func `commits of many scopes run in parallel, and each succeeds or fails by itself`() async {
    let resource = Resource<[Int]>(initialState: .loaded([]), scheduler: scheduler)
    for number in 0..<100 {
      resource.mutate(
        Mutation(
          item: number, undoWindow: number % 10 == 0 ? .seconds(3600) : nil,
          apply: { $0.append(number) },
          commit: { _ in
            await Task.yield()
            if number % 3 == 0 { throw Broken() }
          }))
    }
    #expect(resource.latestValue?.count == 100)
    resource.commitHeldMutations()
    await resource.mutationsSettled()
    #expect(resource.latestValue == (0..<100).filter { $0 % 3 != 0 })
    #expect(resource.failedMutations.count == 34)
    await tasksEnded()
  }

  @Test(.timeLimit(.minutes(10)))
  func `zipped parts report from their own tasks`() async {
    func part(_ name: Int) -> Loader<Int> {
      Loader<Int> { context, output in
        for step in 0..<20 {
          output.yield(step)
          context.report(LoadingProgress(completed: step, of: 20))
          await Task.yield()
        }
        return name
      }
    }
    let resource = Resource(
      Loader.zip(part(1), part(2), part(3)).map { $0 + $1 + $2 }, scheduler: scheduler)
    resource.load()
    #expect(await resource.settled() == .loaded(6))
    await tasksEnded()
  }
}
