import Loading
import LoadingTesting
import Testing

@MainActor
@Suite(.leavesNothingBehind) struct RemovingDuplicatesTests {
  let runtime = ManualRuntime()
  let loads = ManualLoads<Int>()

  @Test func `a value that equals the previous one is not a new state, and counts as loaded`() async
  {
    var resource: Resource<Int>? = runtime.resource(loads.loader.removeDuplicates())
    let states = resource?.states()
    for (index, value) in [1, 1, 2].enumerated() {
      resource?.load()
      runtime.advance(by: .seconds(1))
      loads[index].succeed(value)
      runtime.run()
      #expect(resource?.loadedAt == .ms(1000 * (index + 1)))
    }
    resource = nil
    #expect(await all(states) == [.idle, .loading, .loaded(1), .loaded(2)])
  }

  @Test func `an equal value ends the failure before it`() {
    let resource = runtime.resource(loads.loader.removeDuplicates())
    for outcome in 0..<3 {
      resource.load()
      runtime.run()
      if outcome == 1 { loads[outcome].fail(Broken()) } else { loads[outcome].succeed(7) }
      runtime.run()
      #expect((resource.failure != nil) == (outcome == 1))
      #expect(resource.state == .loaded(7))
    }
  }

  @Test func `duplicates are removed inside of operators that keep the type, and of no others`()
    async
  {
    let inner = loads.loader.removeDuplicates { $0 % 10 == $1 % 10 }
    let limit = LoadLimit(1)
    let kept = runtime.resource(inner.retrying(limit: 2).limited(by: limit))
    let other = runtime.resource(inner.map { "\($0)" })
    for value in [1, 11] {
      kept.load()
      runtime.run()
      loads[loads.count - 1].succeed(value)
      runtime.run()
      other.load()
      runtime.run()
      loads[loads.count - 1].succeed(value)
      runtime.run()
    }
    #expect(kept.state == .loaded(1))
    #expect(other.state == .loaded("11"))
  }

  @Test func `a duplicate is not removed while a change is pending`() {
    let resource = runtime.resource(loads.loader.removeDuplicates { $0 % 10 == $1 % 10 })
    resource.load()
    runtime.run()
    loads[0].succeed(1)
    runtime.run()
    let commits = ManualCalls<Int, Void>()
    resource.mutate(
      undoWindow: .seconds(9), apply: { $0 += 10 }, commit: { try await commits.call($0) })
    resource.load()
    runtime.run()
    loads[1].succeed(21)
    runtime.run()
    #expect(resource.state == .loaded(31))
    resource.commitHeldMutations()
    runtime.run()
    commits[0].succeed()
    runtime.run()
    #expect(resource.state == .loaded(31))
  }

  @Test(arguments: 0..<100 as Range<UInt64>)
  func `whatever happens, the states are the same except for repeated ones`(
    seed: UInt64
  ) async {
    var random = Seeded(seed)
    let (plainLoads, quietLoads) = (ManualLoads<Int>(), ManualLoads<Int>())
    var plain: Resource<Int>? = runtime.resource(plainLoads.loader)
    var quiet: Resource<Int>? = runtime.resource(quietLoads.loader.removeDuplicates())
    let (plainStates, quietStates) = (plain?.states(), quiet?.states())
    for _ in 1...30 {
      let step = Int.random(in: 0..<10, using: &random)
      let value = Int.random(in: 1...2, using: &random)
      for (resource, loads) in [(plain, plainLoads), (quiet, quietLoads)] {
        switch step {
        case 0: resource?.set(.loaded(value))
        case 1: resource?.reset()
        case 2: resource?.mutate(apply: { $0 += value }, commit: { _ in })
        case 3, 4:
          resource?.load(.restart)
          runtime.run()
          loads[loads.count - 1].fail(Broken())
        default:
          resource?.load(.restart)
          runtime.run()
          loads[loads.count - 1].succeed(value)
        }
        runtime.run()
      }
      #expect(plain?.state == quiet?.state)
      #expect(plain?.loadedAt == quiet?.loadedAt)
      #expect((plain?.failure == nil) == (quiet?.failure == nil))
    }
    (plain, quiet) = (nil, nil)
    plainLoads.end()
    quietLoads.end()
    runtime.run()
    let (before, after) = (await all(plainStates), await all(quietStates))
    #expect(withoutRepetitions(before) == withoutRepetitions(after))
    #expect(after.count <= before.count)
  }

  private func withoutRepetitions(_ states: [LoadingState<Int>]) -> [LoadingState<Int>] {
    states.enumerated().filter { $0 == 0 || states[$0 - 1] != $1 }.map(\.element)
  }

  private func all<State>(_ states: AsyncStream<State>?) async -> [State] {
    var all: [State] = []
    guard let states else { return [] }
    for await state in states { all.append(state) }
    return all
  }
}
