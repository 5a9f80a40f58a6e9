import Loading
import LoadingTesting
import TerminalUITesting
import Testing

@testable import TerminalUI

/// The newest value of a sequence that does not end.
private struct ScoreView: View {
  let scores: @Sendable () async throws -> AsyncThrowingStream<Int, any Error>

  var body: some View {
    AsyncContentView(sequence: scores) { score in
      Text("\(score) points")
    }
    .environment(\.describeError) { _ in ErrorDescription(what: "The line is dead.") }
  }
}

@MainActor
@Suite struct StreamExample {
  @Test func `a stream shows its newest value, and keeps it when the stream breaks`() {
    let (scores, continuation) = AsyncThrowingStream<Int, any Error>.makeStream()
    let stage = Stage(36, 3) { ScoreView { scores } }
    stage.advance(by: .milliseconds(200))
    #expect(stage.text == "\n             ⠹ Loading\n")
    continuation.yield(1)
    stage.settle()
    #expect(stage.text == "1 points\n\n")
    continuation.yield(2)
    continuation.yield(3)
    stage.settle()
    #expect(stage.text == "3 points\n\n")
    continuation.finish(throwing: Broken())
    stage.settle()
    #expect(stage.text == "3 points ✗ The line is d… r to retry\n\n")
  }
}
