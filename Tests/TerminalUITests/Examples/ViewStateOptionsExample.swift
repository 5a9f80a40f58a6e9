import Loading
import LoadingTesting
import TerminalUITesting
import Testing

@testable import TerminalUI

/// A style of its own for each loading moment.
private struct WeatherView: View {
  let weather: Resource<String>

  var body: some View {
    AsyncContentView(weather) {
      Text($0)
    }
    .failure { _, _ in Text("No weather.") }
    .loadingViewStyle(
      initial: .vertical(.bottom, alignment: .leading),
      afterValue: .horizontal(.leading, opacity: 0.5),
      afterError: .custom { content, _ in
        AnyView(
          HStack {
            content
            Text("Asking again…").dim()
          })
      })
  }
}

@MainActor
@Suite struct ViewStateOptionsExample {
  @Test func `each moment has its style`() {
    let (runtime, loads) = (ManualRuntime(), ManualLoads<String>())
    let weather = runtime.resource(loads.loader, errorPolicy: .replace)
    let stage = Stage(30, 2, runtime: runtime) { WeatherView(weather: weather) }
    stage.advance(by: .milliseconds(200))
    #expect(stage.text == "\n⠹ Loading")
    loads[0].succeed("Rain")
    stage.advance(by: .seconds(1))
    weather.load()
    stage.advance(by: .milliseconds(200))
    #expect(stage.text == "⠼ Rain\n")
    #expect(stage.frame.cells[2, 0].style.attributes == .dim)
    loads[1].fail(Broken())
    stage.advance(by: .seconds(1))
    #expect(stage.text == "No weather.\n")
    stage.press("r")
    stage.advance(by: .milliseconds(200))
    #expect(stage.text == "No weather. Asking again…\n")
    loads.end()
  }
}
