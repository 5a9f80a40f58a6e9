import Loading
import LoadingTesting
import Observation
import TerminalUITesting
import Testing

@testable import TerminalUI

/// Tests of the sources of asynchronous content.
@MainActor
@Suite struct SourceTests {
  let runtime = ManualRuntime()
  let model = Model()

  @Test func `a function is called once for a place and once more for another id`() {
    let calls = ManualCalls<Int, String>()
    let stage = Stage(20, 1, runtime: runtime) { [model] in
      AsyncContentView(id: model.ids, load: { [id = model.ids[0]] in try await calls.call(id) }) {
        Text(model.text + $0)
      }
    }
    calls[0].succeed("one")
    stage.settle()
    model.text = "again "
    stage.settle()
    #expect(stage.text == "again one")
    model.ids = [9]
    stage.settle()
    #expect(stage.text == "")
    calls[1].succeed("nine")
    stage.settle()
    #expect(stage.text == "again nine")
    #expect(calls.inputs == [1, 9])
  }

  @Test func `of a sequence the newest value shows`() {
    let (values, continuation) = AsyncStream<String>.makeStream()
    let stage = Stage(20, 1, runtime: runtime) {
      AsyncContentView(sequence: { values }) { Text($0) }
    }
    continuation.yield("one")
    stage.settle()
    #expect(stage.text == "one")
    continuation.yield("two")
    stage.settle()
    #expect(stage.text == "two")
    #expect(stage.frame.nextChange == nil)
  }

  @MainActor
  @Observable
  final class Profile: LoadableObject {
    var state = LoadingState<String>.idle
    private(set) var loads = 0

    func load() {
      loads += 1
      state = .loading
    }
  }

  @Test func `a view model of one's own shows by its state`() {
    let profile = Profile()
    let stage = Stage(40, 3) { AsyncContentView(profile) { Text($0) } }
    #expect(profile.loads == 1)
    #expect(stage.text.contains("Loading"))
    profile.state = .failed(Broken())
    stage.settle()
    #expect(stage.text.contains("r to retry"))
    stage.press("r")
    #expect(profile.loads == 2)
    profile.state = .loaded("Ada")
    stage.settle()
    #expect(stage.text == "Ada\n\n")
  }
}
