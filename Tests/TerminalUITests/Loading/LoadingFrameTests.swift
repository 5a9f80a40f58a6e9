import Loading
import LoadingTesting
import TerminalUITesting
import Testing

@testable import TerminalUI

/// Tests of the appearance of every state of a loaded value.
///
/// The expected frames are written by hand.
@MainActor
@Suite struct LoadingFrameTests {
  struct Row: Identifiable, Sendable {
    let id: Int
    let title: String
  }

  static let rows = [Row(id: 1, title: "One sock"), Row(id: 2, title: "Another")]
  static let sample = [Row(id: -1, title: "some title"), Row(id: -2, title: "a title")]

  let loads = ManualLoads<[Row]>()
  let runtime = ManualRuntime()

  @Test func `a failure takes the place of a placeholder of several views once`() {
    let resource = runtime.resource(loads.loader)
    let stage = Stage(30, 6, runtime: runtime) {
      AsyncContentView(resource) { rows in ForEach(rows) { Text($0.title) } }
        .placeholder(Self.sample)
    }
    resource.load()
    stage.settle()
    loads[0].fail(Broken())
    stage.settle()
    #expect(stage.text.split(separator: "✗").count == 2, "\(stage.rows)")
  }

  private func stage(
    _ resource: Resource<[Row]>, height: Int = 5, afterValue: LoadingViewStyle? = nil,
    placeholder: Bool = true
  ) -> Stage {
    let stage = Stage(30, height, runtime: runtime) {
      let view = AsyncContentView(resource) { rows in
        List(rows) { Text($0.title) }
      }
      .empty(when: \.isEmpty) { Text("No socks.") }
      if placeholder {
        view.placeholder(Self.sample).loadingViewStyle(afterValue: afterValue)
      } else {
        view
      }
    }
    stage.host.environment.describeError = { error in
      ErrorDescription(
        what: (error as? Broken)?.what ?? "Something went wrong.", advice: "Wake it up.",
        detail: "Code 7")
    }
    stage.settle()
    return stage
  }

  @Test func `a first load draws nothing for 200 ms and then the redacted content`() {
    let stage = stage(runtime.resource(loads.loader))
    #expect(loads.count == 1)
    #expect(stage.text == "\n\n\n\n")
    stage.advance(by: .milliseconds(199))
    #expect(stage.text == "\n\n\n\n")
    stage.advance(by: .milliseconds(1))
    #expect(stage.text == "▇▇▇▇ ▇▇▇▇▇\n▇ ▇▇▇▇▇\n\n\n")
    loads[0].succeed(Self.rows)
    stage.settle()
    #expect(stage.text == "One sock\nAnother\n\n\n")
  }

  @Test func `without a placeholder a first load is a spinner called Loading`() {
    let stage = stage(runtime.resource(loads.loader), height: 3, placeholder: false)
    stage.advance(by: .milliseconds(200))
    #expect(stage.text == "\n          ⠹ Loading\n")
    stage.advance(by: .milliseconds(100))
    #expect(stage.text == "\n          ⠸ Loading\n")
  }

  @Test func `progress is a message, a bar and a percentage`() {
    let stage = stage(runtime.resource(loads.loader), height: 3, placeholder: false)
    loads[0].context.report(message: "1 of 4", fraction: 0.25)
    stage.advance(by: .milliseconds(200))
    #expect(stage.text == "\n⠹ 1 of 4 ████░░░░░░░░░░░░ 25 %\n")
  }

  @Test func `a failure with nothing to show is a panel with a way to retry`() {
    let stage = stage(runtime.resource(loads.loader), height: 5)
    loads[0].fail(Broken())
    stage.settle()
    #expect(
      stage.text == """
          ✗ The server is asleep.
          Wake it up.

          r to retry   d for details

        """)
    #expect(stage.footer == ["details", "retry"])
    stage.press("r")
    #expect(loads.count == 2)
    loads[1].fail(Broken())
    stage.settle()
    #expect(stage.text.contains("Failed 2 times."))
    stage.press("r")
    loads[2].succeed(Self.rows)
    stage.settle()
    #expect(stage.text == "One sock\nAnother\n\n\n")
  }

  @Test func `details are shown on demand`() {
    let stage = stage(runtime.resource(loads.loader), height: 6)
    loads[0].fail(Broken())
    stage.settle()
    #expect(!stage.text.contains("Code 7"))
    stage.press("d")
    #expect(stage.text.contains("Code 7"))
  }

  @Test func `without a loader there is no retry to offer`() {
    let stage = stage(runtime.resource(initialState: .failed(Broken())))
    #expect(stage.text == "\n   ✗ The server is asleep.\n   Wake it up.\n\n")
    #expect(stage.footer == ["details"])
  }

  @Test func `a reload keeps the content and turns a small indicator from 200 ms on`() {
    let resource = runtime.resource(loads.loader, initialState: .loaded(Self.rows))
    let stage = stage(resource)
    resource.load()
    stage.advance(by: .milliseconds(199))
    #expect(stage.text == "One sock\nAnother\n\n\n")
    stage.advance(by: .milliseconds(1))
    #expect(stage.text == "One sock                     ⠹\nAnother\n\n\n")
    loads[0].succeed([Self.rows[1]])
    stage.settle()
    #expect(stage.text == "Another                      ⠹\n\n\n\n")
    stage.advance(by: .milliseconds(399))
    #expect(stage.text == "Another                      ⠴\n\n\n\n")
    stage.advance(by: .milliseconds(1))
    #expect(stage.text == "Another\n\n\n\n")
  }

  @Test func `a reload that ends within 200 ms shows no indicator`() {
    let resource = runtime.resource(loads.loader, initialState: .loaded(Self.rows))
    let stage = stage(resource)
    resource.load()
    stage.advance(by: .milliseconds(150))
    loads[0].succeed(Self.rows)
    stage.advance(by: .milliseconds(100))
    #expect(stage.text == "One sock\nAnother\n\n\n")
    #expect(stage.frame.nextChange == nil)
  }

  @Test func `a failed reload keeps the content, with a strip below`() {
    let resource = runtime.resource(loads.loader, initialState: .loaded(Self.rows))
    let stage = stage(resource)
    resource.load()
    stage.settle()
    loads[0].fail(Broken(what: "No network."))
    stage.settle()
    #expect(stage.text == "One sock\nAnother\n\n\n✗ No network.       r to retry")
    stage.press("r")
    #expect(stage.text == "One sock\nAnother\n\n\n")
    loads[1].succeed(Self.rows)
    stage.settle()
    #expect(stage.text == "One sock\nAnother\n\n\n")
  }

  @Test func `Esc cancels a first load that shows, and a prompt is left`() {
    let stage = stage(runtime.resource(loads.loader), height: 3)
    #expect(!stage.footer.contains("cancel"))
    stage.advance(by: .milliseconds(200))
    #expect(stage.footer == ["cancel"])
    stage.press(.escape)
    #expect(loads[0].isCancelled)
    #expect(stage.text == "\n          r to load\n")
    loads[0].succeed(Self.rows)
    stage.advance(by: .seconds(1))
    #expect(stage.text == "\n          r to load\n")
    stage.press("r")
    loads[1].succeed(Self.rows)
    stage.settle()
    #expect(stage.text == "One sock\nAnother\n")
  }

  @Test func `Esc cancels a reload that shows and puts back what was there`() {
    let resource = runtime.resource(loads.loader, initialState: .loaded(Self.rows))
    let stage = stage(resource, height: 2)
    resource.load()
    stage.advance(by: .milliseconds(200))
    stage.press(.escape)
    loads[0].succeed([])
    stage.advance(by: .seconds(1))
    #expect(stage.rows == "One sock\nAnother")
  }

  @Test func `a load that is held back says why, stands still, and can be tried all the same`() {
    let gate = LoadGate("offline")
    gate.close()
    let stage = stage(
      runtime.resource(loads.loader.gated(by: gate)), height: 3, placeholder: false)
    stage.advance(by: .milliseconds(200))
    #expect(stage.text == "\n       Paused (offline)\n")
    #expect(stage.frame.nextChange == nil)
    #expect(stage.footer == ["retry", "cancel"])
    stage.press("r")
    loads[0].succeed(Self.rows)
    stage.settle()
    #expect(stage.text == "One sock\nAnother\n")
  }

  @Test func `a placeholder and content say too that a load is held back`() {
    let gate = LoadGate("offline")
    gate.close()
    let resource = runtime.resource(loads.loader.gated(by: gate))
    let stage = stage(resource, height: 3)
    stage.advance(by: .milliseconds(200))
    #expect(stage.text == "▇▇▇▇ ▇▇▇▇▇\n▇ ▇▇▇▇▇Paused (offline)\n")
    gate.open()
    stage.settle()
    loads[0].succeed(Self.rows)
    stage.settle()
    gate.close()
    resource.load(.join, cause: .refresh)
    stage.advance(by: .milliseconds(200))
    #expect(stage.text == "One sock      Paused (offline)\nAnother\n")
    resource.cancel()
  }

  @Test func `an empty value has a message of its own`() {
    let stage = stage(runtime.resource(initialState: .loaded([])), height: 1)
    #expect(stage.text == "No socks.")
  }

  @Test func `the selected row stays when a reload brings rows above it`() {
    let resource = runtime.resource(loads.loader, initialState: .loaded(Self.rows))
    let stage = stage(resource, height: 2)
    stage.press("j")
    resource.load()
    stage.settle()
    loads[0].succeed([Row(id: 3, title: "New"), Row(id: 4, title: "Newer")] + Self.rows)
    stage.settle()
    #expect(stage.rows == "One sock\nAnother")
    stage.press("k", "k")
    #expect(stage.rows == "Newer\nOne sock")
  }
}
