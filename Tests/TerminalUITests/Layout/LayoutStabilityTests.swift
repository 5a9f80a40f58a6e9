import Loading
import LoadingTesting
import TerminalUITesting
import Testing

@testable import TerminalUI

/// Tests that nothing around a loaded value moves while it loads, fails and loads again.
@MainActor
@Suite struct LayoutStabilityTests {
  let runtime = ManualRuntime()
  let loads = ManualLoads<String>()

  /// Keeps only the text around the content: "ABOVE", "BELOW", "BESIDE" and a border.
  private func frameAround(_ stage: Stage) -> [String] {
    stage.text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
      // The content inside the border is blanked.
      let inside = line.hasPrefix("│") ? 1..<27 : 0..<0
      return String(
        line.enumerated().map { x, character in
          let isAround = "│╭╮╰╯─".contains(character) || ("A"..."Z").contains(character)
          return isAround && !inside.contains(x) ? character : " "
        })
    }
  }

  private func page(
    _ resource: Resource<String>, _ style: LoadingViewStyle?, lines: String
  ) -> Stage {
    let stage = Stage(40, 12, runtime: runtime) {
      VStack(alignment: .leading) {
        Text("ABOVE")
        HStack(alignment: .top) {
          AsyncContentView(resource) { text in
            Text(text).frame(width: 26, alignment: .leading)
          }
          .placeholder(lines)
          .loadingViewStyle(initial: style, afterValue: style, afterError: style)
          .border()
          Text("BESIDE")
        }
        Text("BELOW")
      }
    }
    stage.host.environment.describeError = { _ in
      ErrorDescription(what: "it is asleep.", advice: "wake it up.")
    }
    stage.settle()
    return stage
  }

  @Test(
    arguments: ["one line", "one\ntwo", "one\ntwo\nthree\nfour"],
    ["", "hidden", "material", "over"])
  func `what stands around it stays through every state`(lines: String, style: String) {
    let resource = runtime.resource(loads.loader)
    let stage = page(resource, style.isEmpty ? nil : LoadingStyleTests.style(style), lines: lines)
    let expected = frameAround(stage)
    #expect(expected[0].hasPrefix("ABOVE"))
    func expectSame(_ state: String) {
      #expect(frameAround(stage) == expected, "\(state):\n\(stage.text)")
    }
    expectSame("before the gate")
    stage.advance(by: .milliseconds(200))
    expectSame("placeholder")
    loads[0].fail(Broken())
    stage.settle()
    #expect(stage.text.contains("asle"))
    expectSame("error")
    stage.press("r")
    stage.advance(by: .milliseconds(200))
    expectSame("retry")
    stage.press(.escape)
    expectSame("cancelled retry")
    stage.press("r")
    loads[2].succeed(lines)
    stage.advance(by: .seconds(1))
    expectSame("content")
    resource.load()
    stage.advance(by: .milliseconds(200))
    expectSame("reload")
    loads[3].succeed(lines)
    stage.advance(by: .seconds(1))
    expectSame("content again")
  }

  @Test func `a first load that was cancelled keeps the room of its placeholder`() {
    let resource = runtime.resource(loads.loader)
    let stage = page(resource, nil, lines: "one\ntwo")
    let expected = frameAround(stage)
    stage.advance(by: .milliseconds(200))
    stage.press(.escape)
    #expect(stage.text.contains("r to load"))
    #expect(frameAround(stage) == expected)
    loads.end()
  }

  @Test func `the words of a placeholder stand where those of the content will`() {
    let resource = runtime.resource(loads.loader)
    let stage = page(resource, nil, lines: "two words\nand three more")
    stage.advance(by: .milliseconds(200))
    let blocks = stage.text
    loads[0].succeed("two words\nand three more")
    stage.settle()
    #expect(
      blocks
        == stage.text.replacing("two words", with: "▇▇▇ ▇▇▇▇▇")
        .replacing("and three more", with: "▇▇▇ ▇▇▇▇▇ ▇▇▇▇"))
  }

  @Test func `rows stay in place above the strip of a failed reload`() {
    struct Row: Identifiable { let id: Int }
    let resource = runtime.resource(loads.loader, initialState: .loaded("x"))
    let stage = Stage(20, 6, runtime: runtime) {
      AsyncContentView(resource) { _ in List((0..<9).map(Row.init)) { Text("row \($0.id)") } }
    }
    stage.press("j", "j")
    let rows = stage.rows.split(separator: "\n")
    resource.set(.failed(Broken()))
    stage.settle()
    #expect(stage.rows.split(separator: "\n").prefix(5) == rows.prefix(5))
    #expect(stage.text.contains("r to retry"))
  }

  /// A page with a value in the middle whose reload has failed.
  private func failedPage(
    _ width: Int, _ height: Int = 6, @ViewBuilder _ content: @escaping () -> some View
  ) -> Stage {
    let resource = runtime.resource(loads.loader, initialState: .loaded(""))
    let stage = Stage(width, height, runtime: runtime) {
      VStack(alignment: .leading) {
        Text("ABOVE")
        AsyncContentView(resource) { _ in content() }
        Text("BELOW")
      }
    }
    stage.host.environment.describeError = { _ in ErrorDescription(what: "It is asleep.") }
    resource.set(.failed(Broken()))
    stage.settle()
    return stage
  }

  @Test func `the strip of a failed reload has a row below a content of its own height`() {
    let wide = failedPage(30) {
      Text("one\ntwo\nthree").frame(width: 26, alignment: .leading)
    }
    #expect(wide.text == "ABOVE\none\ntwo\nthree\n✗ It is asleep. r to retry\nBELOW")
    let narrow = failedPage(30) { Text("one\ntwo\nthree") }
    #expect(narrow.text == "ABOVE\none\ntwo\nthree\n✗ r\nBELOW")
    narrow.press("r")
    #expect(narrow.text == "ABOVE\none\ntwo\nthree\nBELOW\n")
    loads.end()
  }

  @Test func `without room for that row the strip has the last one of the content`() {
    let narrow = failedPage(30, 5) { Text("one\ntwo\nthree") }
    #expect(narrow.text == "ABOVE\none\ntwo\n✗ r\nBELOW")
    narrow.press("r")
    #expect(narrow.text == "ABOVE\none\ntwo\nthree\nBELOW")
    loads.end()
  }

  @Test func `the strip of a failed reload stands beside a content of one row`() {
    let points = failedPage(36) { Text("3 points") }
    #expect(points.text == "ABOVE\n3 points ✗ It is asleep.  r to retry\nBELOW\n\n\n")
    let line = failedPage(32) {
      HStack {
        Text("Points")
        Spacer()
        Text("3")
      }
    }
    #expect(line.text == "ABOVE\nPoints        3 ✗ It… r to retry\nBELOW\n\n\n")
  }
}
