import Loading
import LoadingTesting
import TerminalUITesting
import Testing

@testable import TerminalUI

@MainActor
@Suite struct ResetTests {
  @Test func `what is reset on the screen can be loaded again from there`() {
    let runtime = ManualRuntime()
    let resource = runtime.resource(Loader.constant("Hello"))
    let stage = Stage(9, 1, runtime: runtime) { AsyncContentView(resource) { Text($0) } }
    #expect(stage.text == "Hello")
    resource.reset()
    stage.settle()
    #expect(stage.text == "r to load")
    stage.press("r")
    #expect(stage.text == "Hello")
  }
}
