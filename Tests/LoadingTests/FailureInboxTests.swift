import LoadingTesting
import Testing

@testable import Loading

@MainActor
@Suite(.leavesNothingBehind) struct FailureInboxTests {
  let runtime = ManualRuntime()

  @Test(.timeLimit(.minutes(10)))
  func `a failure after its reader has gone is for the next reader`() async throws {
    let (inbox, commits) = (FailedMutation.Inbox(), ManualCalls<[Int], Void>())
    let resource = runtime.resource(initialState: .loaded([0]), mutationFailures: inbox)
    let reading = Task.immediate { for await _ in inbox.failures {} }
    reading.cancel()
    await reading.value
    for number in 0..<2 {
      resource.mutate(apply: { $0.append(number) }, commit: { try await commits.call($0) })
      runtime.run()
      commits[number].fail(Broken("\(number)"))
      runtime.run()
    }
    for number in 0..<2 {
      // Of two streams, one after the other, each gives what the other has not given.
      var failures = inbox.failures.makeAsyncIterator()
      let failure = try #require(await failures.next())
      #expect(failure.error as? Broken == Broken("\(number)"))
    }
    #expect(inbox.unreadCount == 0)
  }

  @Test(.timeLimit(.minutes(10)))
  func `an inbox keeps the newest failures, and its stream ends with it`() async {
    var inbox: FailedMutation.Inbox? = FailedMutation.Inbox()
    let failures = inbox?.failures
    for number in 0..<300 {
      inbox?.deliver(
        FailedMutation(
          id: PendingMutation.ID(number: UInt64(number)), item: nil, error: Broken(), at: .ms(0),
          retry: nil, dismiss: {}, isCurrent: { true }))
    }
    inbox = nil
    var numbers: [UInt64] = []
    if let failures { for await failure in failures { numbers.append(failure.id.number) } }
    #expect(numbers == Array(44..<300))
  }
}
