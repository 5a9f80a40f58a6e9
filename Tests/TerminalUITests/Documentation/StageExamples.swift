import Loading
import LoadingTesting
import TerminalUI
import TerminalUITesting
import Testing

@MainActor
@Test func `a forecast that fails is asked for again with r`() {
  let forecast = ManualLoads<String>()
  let stage = Stage(32, 3) {
    AsyncContentView(loader: forecast.loader) { Text($0) }
  }
  stage.advance(by: .seconds(1))
  #expect(stage.text.contains("Loading"))
  forecast[0].fail(LoadingError.timeout(limit: .seconds(5)))
  stage.settle()
  #expect(stage.footer == ["retry"])
  stage.press("r")
  forecast[1].succeed("Rain in Utrecht")
  stage.settle()
  #expect(stage.text.contains("Rain in Utrecht"))
}

@MainActor
@Test func `a view is pressed and read without a terminal`() {
  let stage = Stage(24, 1) { Counter() }
  stage.press("+", "+")
  #expect(stage.text == "n2")
}
