import LoadingTesting
import Testing

@testable import Loading

@MainActor
@Suite(.leavesNothingBehind) struct BatchedTests {
  let runtime = ManualRuntime()
  let requests = ManualCalls<[Int], [Int: String]>()

  private func batch(limit: Int = 100) -> LoadBatch<Int, String> {
    LoadBatch(within: .milliseconds(5), limit: limit) { [requests] in try await requests.call($0) }
  }

  private func load(_ keys: [Int], in batch: LoadBatch<Int, String>) -> [Resource<String>] {
    keys.map { key in
      let resource = runtime.resource(Loader.batched(key, in: batch))
      resource.load()
      return resource
    }
  }

  @Test func `keys that are requested within a few milliseconds make one request`() {
    let batch = batch()
    var resources = load([3, 1], in: batch)
    runtime.advance(by: .milliseconds(4))
    resources += load([2, 1], in: batch)
    #expect(requests.count == 0)
    runtime.advance(by: .milliseconds(1))
    #expect(requests.inputs == [[3, 1, 2]])
    requests[0].succeed([1: "one", 2: "two", 3: "three"])
    runtime.run()
    #expect(resources.map(\.state.value) == ["three", "one", "two", "one"])
  }

  @Test func `a key that is requested later makes another request`() {
    let batch = batch()
    let first = load([1], in: batch)
    runtime.advance(by: .milliseconds(5))
    let second = load([1], in: batch)
    runtime.advance(by: .milliseconds(5))
    #expect(requests.inputs == [[1], [1]])
    requests[1].succeed([1: "new"])
    requests[0].succeed([1: "old"])
    runtime.run()
    #expect((first + second).map(\.state.value) == ["old", "new"])
  }

  @Test func `no request has more keys than its limit`() {
    let resources = load([1, 2, 3, 4, 5], in: batch(limit: 2))
    runtime.advance(by: .milliseconds(5))
    #expect(requests.inputs == [[1, 2], [3, 4], [5]])
    for call in 0..<3 {
      requests[call].succeed(
        Dictionary(uniqueKeysWithValues: requests[call].input.map { ($0, "\($0)") }))
    }
    runtime.run()
    #expect(resources.map(\.state.value) == ["1", "2", "3", "4", "5"])
  }

  @Test func `a failed request fails for all of its keys, a missing value only for its own key`() {
    let batch = batch()
    let failed = load([1, 2], in: batch)
    runtime.advance(by: .milliseconds(5))
    requests[0].fail(Broken())
    runtime.run()
    #expect(failed.allSatisfy { $0.state.isFailed })
    let partial = load([1, 2], in: batch)
    runtime.advance(by: .milliseconds(5))
    requests[1].succeed([1: "one"])
    runtime.run()
    #expect(partial[0].state == .loaded("one"))
    #expect(partial[1].state.error is LoadingError)
  }

  @Test func `a cancelled load is left out, and a request that no load waits for is cancelled`() {
    let batch = batch()
    var resources = load([1, 2, 3], in: batch)
    runtime.run()
    resources[1].cancel()
    runtime.advance(by: .milliseconds(5))
    #expect(requests.inputs == [[1, 3]])
    resources[0].cancel()
    runtime.run()
    #expect(!requests[0].isCancelled)
    resources[2].cancel()
    runtime.run()
    #expect(requests[0].isCancelled)
    requests.end()
    runtime.run()
    // When all loads of a batch are cancelled before it is sent, no request is made.
    resources = load([7], in: batch)
    runtime.run()
    resources[0].cancel()
    resources = load([8], in: batch)
    runtime.advance(by: .milliseconds(5))
    #expect(requests.inputs == [[1, 3], [8]])
    requests.end()
    runtime.run()
  }

  @Test func `further attempts are gathered into requests, too`() {
    let batch = batch()
    let resources = [1, 2].map { key in
      runtime.resource(Loader.batched(key, in: batch).retrying(limit: 2, backoff: .none))
    }
    for resource in resources { resource.load() }
    runtime.advance(by: .milliseconds(5))
    requests[0].fail(Broken())
    runtime.run()
    runtime.advance(by: .milliseconds(5))
    #expect(requests.inputs.map { $0.sorted() } == [[1, 2], [1, 2]])
    requests[1].succeed([1: "one", 2: "two"])
    runtime.run()
    #expect(resources.map(\.state.value) == ["one", "two"])
  }

  @Test func `nothing is requested if the last load has left when the request is due`() {
    let resources = load([1], in: batch())
    runtime.run()
    resources[0].cancel()
    // The wait has ended before the load that was cancelled leaves.
    runtime.clock.advance(by: .milliseconds(5))
    runtime.run()
    #expect(requests.count == 0)
    requests.end()
    runtime.run()
  }
}
