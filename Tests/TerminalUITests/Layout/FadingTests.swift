import Loading
import LoadingTesting
import Terminal
import TerminalUITesting
import Testing

@testable import TerminalUI

/// Tests of the dimming of what is behind a sheet, as far as the colours of the theme allow.
@MainActor
@Suite struct FadingTests {
  private func sheet(_ theme: Theme) -> Stage {
    Stage(24, 9) {
      VStack(alignment: .leading) {
        Text("plain")
        Text("red").foregroundStyle(Color(red: 0xFF, green: 0, blue: 0))
        Text("palette").foregroundStyle(.red)
      }
      .sheet(isPresented: .constant(true)) { Text("in front") }
      .environment(\.theme, theme)
    }
  }

  @Test func `a sheet blends what is behind it with the background`() {
    let stage = sheet(.dark)
    let half = Theme.dark.text.blended(over: Theme.dark.ground, opacity: 0.45)
    #expect(stage.style(of: "plain") == Style(foreground: half ?? .default))
    #expect(
      stage.style(of: "red")
        == Style(foreground: Color(red: 0x7F, green: 0x0E, blue: 0x12)))
    // Only the terminal knows which red that is.
    #expect(stage.style(of: "palette") == Style(foreground: .red, attributes: .dim))
    #expect(stage.style(of: "in front") == .plain)
  }

  @Test func `a failure behind a sheet is as bright as before`() {
    let (runtime, loads) = (ManualRuntime(), ManualLoads<String>())
    defer { loads.end() }
    let resource = runtime.resource(loads.loader, initialState: .failed(Broken()))
    let stage = Stage(40, 9, runtime: runtime) {
      VStack(alignment: .leading) {
        Text("plain")
        AsyncContentView(resource) { Text($0) }
      }
      .sheet(isPresented: .constant(true)) { Text("in front") }
      .environment(\.theme, .dark)
    }
    #expect(stage.style(of: "✗") == Style(foreground: Theme.dark.failure, attributes: .bold))
    #expect(stage.style(of: "plain") != .plain)
  }

  @Test func `a sheet dims what is behind it where colours cannot be blended`() {
    for theme in [Theme.standard, .highContrast] {
      let stage = sheet(theme)
      #expect(stage.style(of: "plain") == Style(attributes: .dim))
      #expect(stage.style(of: "in front") == .plain)
    }
  }

  @Test func `without colours nothing is faint`() {
    #expect(sheet(.mono).style(of: "plain") == .plain)
  }

  @Test func `what is behind a sheet is as it was when the sheet has gone`() {
    let model = Model()
    model.flag = false
    let stage = Stage(24, 7) {
      Text("plain").sheet(isPresented: Binding(model, \.flag)) { Text("in front") }
        .environment(\.theme, .dark)
    }
    let before = stage.frame.cells
    model.flag = true
    stage.settle()
    #expect(stage.style(of: "plain") != .plain)
    stage.press(.escape)
    #expect(stage.frame.cells == before)
  }

  @Test(arguments: [(0.3, 180), (0.5, 135), (1, 20)])
  func `the opacity of a style is a number`(opacity: Double, blue: UInt8) {
    let (runtime, loads) = (ManualRuntime(), ManualLoads<String>())
    defer { loads.end() }
    let resource = runtime.resource(loads.loader, initialState: .loaded("value"))
    let stage = Stage(20, 1, runtime: runtime) {
      AsyncContentView(resource) { value in
        Text(value).foregroundStyle(Color(red: 0x14, green: 0x14, blue: 0x14))
      }
      .loadingViewStyle(afterValue: .horizontal(.trailing, opacity: opacity))
      .environment(\.theme, .light)
    }
    resource.load()
    stage.advance(by: .milliseconds(300))
    guard case .rgb(_, _, let part) = stage.style(of: "value")?.foreground.kind else {
      Issue.record("not a blended colour")
      return
    }
    #expect(part == blue)
  }
}
