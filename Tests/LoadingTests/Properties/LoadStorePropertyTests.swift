import LoadingTesting
import Testing

@testable import Loading

/// A sequence of processes that use one slow disk, each of which is killed at a random moment.
///
/// The server's value is the number of commits that it has carried out, so that a test can tell
/// whether an answer is from before a commit.
@MainActor
@Suite(.leavesNothingBehind) struct LoadStorePropertyTests {
  private static let staleAfter = 10

  /// What is on the disk: the value, and when the load of it began.
  private final class Platter: Sendable {
    let content = Lock<(version: Int, date: Duration)?>(nil)
  }

  /// One process's access to the disk: the test decides when each operation is carried out, and
  /// none is after the process was killed.
  private final class Disk: LoadStore {
    let operations = ManualCalls<String, Void>()
    let isDead = Lock(false)
    private let platter: Platter
    private let now: @Sendable () -> Duration

    init(_ platter: Platter, now: @escaping @Sendable () -> Duration) {
      self.platter = platter
      self.now = now
    }

    private func perform<Answer>(
      _ name: String, _ body: (inout (version: Int, date: Duration)?) -> Answer
    ) async throws -> Answer {
      try await operations.call(name)
      if isDead.withLock({ $0 }) { throw Broken("killed") }
      return platter.content.withLock { body(&$0) }
    }

    /// Reads at once, and answers when the test says so: what it has read may have changed by then.
    func value(for key: Int) async throws -> (value: Int, age: Duration)? {
      let (now, kept) = (now(), platter.content.withLock { $0 })
      return try await perform("read") { _ in kept.map { ($0.version, now - $0.date) } }
    }

    func store(_ value: Int, for key: Int, age: Duration, tags: Set<String>) async throws {
      let date = now() - age
      try await perform("write \(value)") { $0 = (value, date) }
    }

    func remove(_ key: Int) async throws { try await perform("remove") { $0 = nil } }
    func removeAll() async throws { try await perform("remove all") { $0 = nil } }
    func removeAll(tagged tags: Set<String>) async throws { try await removeAll() }
  }

  /// The disk, the cache and the resources of one process.
  @MainActor private final class Process {
    let disk: Disk
    let cache: LoadCache<Int, Int>
    let loads = ManualLoads<Int>()
    let commits = ManualCalls<Int, Void>()
    let resources: [Resource<Int>]
    /// Another resource, whose mutations change what the others are about.
    let editor: Resource<Int>
    /// The server's value at the start of each load.
    var versions: [Int] = []
    var (answeredLoads, answeredCommits, performed): (Set<Int>, Set<Int>, Set<Int>) = ([], [], [])

    init(_ platter: Platter, _ runtime: ManualRuntime, usesTags: Bool) {
      let clock = runtime.clock
      // Of its own, as of a process.
      let scheduler = runtime.executor.scheduler
      let disk = Disk(platter) { clock.now.offset }
      self.disk = disk
      let cache = LoadCache<Int, Int>(
        staleAfter: .seconds(staleAfter), lifetime: .seconds(30), store: disk)
      self.cache = cache
      resources = (0..<2).map { [loads] _ in
        let loader = loads.loader.cached(in: cache, key: 1)
        return Resource(
          usesTags ? loader.tagged("server") : loader, clock: clock.any,
          scheduler: scheduler)
      }
      editor = Resource(
        initialState: .loaded(0), clock: clock.any, scheduler: scheduler)
    }

    func end(_ runtime: ManualRuntime) {
      disk.isDead.withLock { $0 = true }
      for resource in resources + [editor] { resource.reset() }
      // One answer may let another task begin.
      while runtime.leftovers != nil {
        runtime.run()
        loads.end()
        commits.end()
        disk.operations.end()
      }
      runtime.run()
    }
  }

  @Test(arguments: Shard.all)
  func
    `whenever a process is killed, the next one takes nothing for new that a commit has overtaken`(
      shard: Shard
    ) async
  {
    for seed in shard.seeds(of: 400) {
      await Task.yield()
      run(seed: seed)
    }
  }

  private func run(seed: UInt64) {
    var random = Seeded(seed)
    let runtime = ManualRuntime()
    let platter = Platter()
    var version = 0
    // The changes are those of the value itself, or of something else with the same tag.
    let usesTags = !seed.isMultiple(of: 2)
    var process = Process(platter, runtime, usesTags: usesTags)
    for step in 0..<60 {
      let resource = process.resources[random.below(2)]
      switch random.below(13) {
      case 0: resource.appear()
      case 1: resource.disappear()
      case 2: resource.load()
      case 3, 4, 5:
        let open = process.versions.indices.filter { !process.answeredLoads.contains($0) }
        guard let load = open.randomElement(using: &random) else { break }
        process.answeredLoads.insert(load)
        if random.chance(15) {
          process.loads[load].fail(Broken())
        } else {
          process.loads[load].succeed(process.versions[load])
        }
      case 6:
        // Also if nothing is loaded yet.
        let change = Mutation<Int>(
          apply: { _ in }, commit: { [commits = process.commits] in try await commits.call(0) })
        if usesTags {
          process.editor.mutate(change.invalidating("server"))
        } else {
          resource.mutate(change)
        }
      case 7:
        let open = (0..<process.commits.count).filter { !process.answeredCommits.contains($0) }
        guard let commit = open.randomElement(using: &random) else { break }
        process.answeredCommits.insert(commit)
        version += 1
        // The server carries it out in any case, but the answer may be lost.
        if random.chance(20) {
          process.commits[commit].fail(Broken())
        } else {
          process.commits[commit].succeed(())
        }
      case 8, 9, 10:
        let open = (0..<process.disk.operations.count).filter { !process.performed.contains($0) }
        guard let operation = open.randomElement(using: &random) else { break }
        let wasShown = process.resources.map { $0.latestValue != nil }
        process.performed.insert(operation)
        process.disk.operations[operation].succeed(())
        runtime.run()
        for (resource, wasShown) in zip(process.resources, wasShown) where !wasShown {
          // The stored value is shown without a load, so it must be up to date.
          if let value = resource.latestValue, !resource.isLoading {
            #expect(value == version, "seed \(seed), step \(step)")
          }
        }
      case 11: runtime.advance(by: .seconds(random.below(8)))
      default:
        guard random.chance(50) else { break }
        // The server may have carried out an unanswered commit.
        if random.chance(50), process.commits.count > process.answeredCommits.count { version += 1 }
        process.end(runtime)
        process = Process(platter, runtime, usesTags: usesTags)
        process.resources[0].appear()
        runtime.run()
        // The read may go on while other things happen.
        if random.chance(50) { break }
        process.disk.operations[0].succeed(())
        process.performed = [0]
        runtime.run()
        // It shows a value without a load, so the value must be up to date.
        if process.loads.count == 0, let value = process.resources[0].state.value {
          #expect(value == version, "seed \(seed), step \(step)")
        }
      }
      runtime.run()
      while process.versions.count < process.loads.count { process.versions.append(version) }
    }
    process.end(runtime)
  }
}
