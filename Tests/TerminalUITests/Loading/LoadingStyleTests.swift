import Loading
import LoadingTesting
import Synchronization
import TerminalUITesting
import Testing

@testable import TerminalUI

/// Tests of the styles of the loading moments: their appearance, and that their content does not
/// start again.
@MainActor
@Suite struct LoadingStyleTests {
  let loads = ManualLoads<String>()
  let runtime = ManualRuntime()

  nonisolated static let names = [
    "hidden", "material", "leading", "trailing", "top", "bottom", "over", "custom", "instead",
  ]

  static func style(_ name: String) -> LoadingViewStyle {
    switch name {
    case "hidden": .hidden
    case "material": .material
    case "leading": .horizontal(.leading)
    case "trailing": .horizontal(.trailing, opacity: 0.5, alignment: .top, spacing: 2)
    case "top": .vertical(.top, alignment: .leading)
    case "bottom": .vertical(.bottom, alignment: .trailing, spacing: 1)
    case "over": .overContent(.bottomLeading)
    case "custom":
      .custom { content, _ in
        AnyView(
          HStack(spacing: 0) {
            Text("<")
            content
            Text(">")
          })
      }
    default: .custom { _, _ in AnyView(Text("instead")) }
    }
  }

  @Test(arguments: names)
  func `nothing inside starts again when loads come, end and fail`(name: String) {
    var log: [String] = []
    let resource = runtime.resource(loads.loader, initialState: .loaded("a"))
    let stage = Stage(30, 4, runtime: runtime) {
      AsyncContentView(resource) { value in
        Counter(name: value).onAppear { log.append("appear") }
      }
      .loadingViewStyle(afterValue: Self.style(name), afterError: Self.style(name))
    }
    stage.press("+", "+")
    resource.load()
    stage.advance(by: .milliseconds(300))
    loads[0].fail(Broken())
    stage.advance(by: .seconds(1))
    #expect(stage.text.contains("a2"))
    resource.load()
    stage.advance(by: .milliseconds(300))
    loads[1].succeed("b")
    stage.advance(by: .seconds(1))
    #expect(stage.text.contains("b2"))
    // Only the view that the style replaces has left the screen.
    #expect(log.count == (name == "instead" ? 3 : 1))
  }

  @Test(arguments: names.filter { $0 != "custom" && $0 != "instead" })
  func `a step of the progress makes no part of the content again`(name: String) {
    var made = 0
    let resource = runtime.resource(loads.loader, initialState: .loaded("a"))
    let stage = Stage(40, 4, runtime: runtime) {
      AsyncContentView(resource) { value in
        made += 1
        return Text(value).frame(maxWidth: .infinity, maxHeight: .infinity)
      }
      .loadingViewStyle(afterValue: Self.style(name))
    }
    resource.load()
    stage.advance(by: .milliseconds(300))
    let before = made
    for percent in [20, 60] {
      loads[0].context.report(fraction: Double(percent) / 100)
      stage.settle()
      #expect(stage.text.contains("\(percent) %") == (name != "hidden"))
    }
    #expect(made == before)
    loads[0].succeed("b")
    stage.advance(by: .seconds(1))
    #expect(stage.text.contains("b"))
  }

  @Test func `the content is made again for another value, and not for a reload`() {
    var made = 0
    let resource = runtime.resource(loads.loader, initialState: .loaded("a"))
    let stage = Stage(20, 2, runtime: runtime) {
      AsyncContentView(resource) { value in
        made += 1
        return Text(value)
      }
    }
    let first = made
    resource.load()
    stage.advance(by: .seconds(1))
    loads[0].fail(LoadingError.timeout(limit: .seconds(5)))
    stage.advance(by: .seconds(1))
    #expect(made == first)
    resource.load()
    stage.advance(by: .seconds(1))
    // The same text, but nobody can know that it is shown in the same way.
    loads[1].succeed("a")
    stage.advance(by: .seconds(1))
    #expect(made == first + 1)
  }

  /// A value whose text changes without anybody being told.
  private final class Board: Sendable {
    let text = Mutex("old")
  }

  @Test func `a value that was changed inside is shown when it is loaded again`() {
    let board = Board()
    let resource = runtime.resource(Loader<Board>.constant(board), initialState: .loaded(board))
    let stage = Stage(20, 1, runtime: runtime) {
      AsyncContentView(resource) { Text($0.text.withLock(\.self)) }
    }
    board.text.withLock { $0 = "new" }
    resource.load()
    stage.advance(by: .seconds(1))
    #expect(stage.text == "new")
  }

  @Test func `a model that the content reads is followed wherever a style lays it out`() {
    let model = Model()
    let resource = runtime.resource(loads.loader, initialState: .loaded("a"))
    let stage = Stage(60, 3, runtime: runtime) {
      AsyncContentView(resource) { Text($0 + (model.flag ? "!" : "?")) }
        .loadingViewStyle(
          afterValue: .custom { content, _ in
            AnyView(
              GeometryReader { size in
                if size.width >= 40 { HStack { content } } else { VStack { content } }
              })
          })
    }
    resource.load()
    stage.advance(by: .milliseconds(300))
    #expect(stage.text.contains("a!"))
    stage.resize(30, 3)
    model.flag = false
    stage.settle()
    #expect(stage.text.contains("a?"))
    loads.end()
  }

  private func reloading(_ name: String, _ width: Int = 8, _ height: Int = 3) -> Stage {
    let runtime = ManualRuntime()
    let resource = runtime.resource(loads.loader, initialState: .loaded("ab\ncd"))
    let stage = Stage(width, height, runtime: runtime) {
      AsyncContentView(resource) { Text($0) }.loadingViewStyle(afterValue: Self.style(name))
    }
    resource.load()
    stage.advance(by: .milliseconds(200))
    return stage
  }

  @Test func `a reload beside, above, below, over and instead of its content`() {
    #expect(reloading("hidden").text == "ab\ncd\n")
    #expect(reloading("leading").text == "⠹ ab\n  cd\n")
    #expect(reloading("trailing").text == "ab  ⠹\ncd\n")
    #expect(reloading("top").text == "⠹\nab\ncd")
    #expect(reloading("bottom", 8, 4).text == "ab\ncd\n\n ⠹")
    #expect(reloading("over").text == "ab\n⠹d\n")
    #expect(reloading("custom").text == "<ab>\n cd\n")
    #expect(reloading("instead").text == "instead\n\n")
    loads.end()
  }

  @Test func `material dims the content under the spinner`() {
    let stage = reloading("material")
    #expect(stage.text == "⠹b\ncd\n")
    #expect(stage.frame.cells[1, 1].style.attributes == .dim)
    #expect(stage.frame.cells[0, 0].style.attributes == [])
    loads.end()
  }

  @Test func `an error stays on the screen while it is retried, with an indicator`() {
    let resource = runtime.resource(loads.loader, initialState: .failed(Broken()))
    let stage = Stage(30, 3, runtime: runtime) { AsyncContentView(resource) { Text($0) } }
    stage.host.environment.describeError = { _ in ErrorDescription(what: "Asleep.") }
    stage.settle()
    let panel = "          ✗ Asleep.\n\n          r to retry"
    #expect(stage.text == panel)
    stage.press("r")
    #expect(stage.text == "          ✗ Asleep.\n\n          Retrying…")
    stage.advance(by: .milliseconds(200))
    #expect(stage.text == "          ✗ Asleep.          ⠹\n\n          Retrying…")
    stage.press(.escape)
    #expect(stage.text == panel)
    stage.press("r")
    loads[1].succeed("here")
    stage.settle()
    #expect(stage.text == "here\n\n")
  }

  @Test(arguments: ["material", "leading", "trailing", "top", "bottom", "over", "custom"])
  func `a first load has the style that was chosen for it`(name: String) {
    let resource = runtime.resource(loads.loader)
    let stage = Stage(9, 4, runtime: runtime) {
      AsyncContentView(resource) { Text($0) }.placeholder("ab\ncd")
        .loadingViewStyle(initial: Self.style(name))
    }
    stage.advance(by: .milliseconds(200))
    let expected = [
      "material": "⠹▇\n▇▇\n\n", "leading": "⠹ ▇▇\n  ▇▇\n\n", "trailing": "▇▇  ⠹\n▇▇\n\n",
      "top": "⠹\n▇▇\n▇▇\n", "bottom": "▇▇\n▇▇\n\n ⠹", "over": "▇▇\n⠹▇\n\n",
      "custom": "<▇▇>\n ▇▇\n\n",
    ]
    #expect(stage.text == expected[name])
    loads.end()
  }

  @Test func `a first load without a placeholder has a place for its spinner too`() {
    let resource = runtime.resource(loads.loader)
    let stage = Stage(12, 3, runtime: runtime) {
      AsyncContentView(resource) { Text($0) }
        .loadingViewStyle(initial: .vertical(.bottom, alignment: .leading))
    }
    stage.advance(by: .milliseconds(200))
    #expect(stage.text == "\n\n⠹ Loading")
    loads.end()
  }

  @Test func `a value that replaces is drawn in the order of value, error, nothing`() {
    let resource = runtime.resource(loads.loader, errorPolicy: .replace)
    let stage = Stage(30, 3, runtime: runtime) {
      AsyncContentView(resource) { Text($0) }.failure { failure, _ in
        Text("failed \(failure.failureCount)")
      }
      .loading { _ in Text("first") }
    }
    stage.advance(by: .milliseconds(200))
    #expect(stage.text == "first\n\n")
    loads[0].succeed("one")
    stage.settle()
    resource.load()
    stage.advance(by: .milliseconds(200))
    #expect(stage.text == "on⠼\n\n")
    loads[1].fail(Broken())
    stage.settle()
    #expect(stage.text == "failed 1\n\n")
    stage.press("r")
    stage.advance(by: .milliseconds(200))
    #expect(stage.text == "failed ⠦\n\n")
    stage.press(.escape)
    #expect(stage.text == "failed 1\n\n")
    resource.reset()
    stage.settle()
    #expect(!stage.text.contains("one"))
    loads.end()
  }

  /// A counter that reads its environment, too.
  private struct Named: View {
    let name: String
    @Environment(\.isPlain) private var isPlain
    @State private var count = 0

    var body: some View {
      Text("\(name)\(count)\(isPlain ? "!" : "")").focusable()
        .onKeyPress("+", label: "count") { count += 1 }
    }
  }

  @Test func `a copy of the content in a style of one's own is inert`() {
    let resource = runtime.resource(loads.loader, initialState: .loaded("a"))
    let stage = Stage(20, 2, runtime: runtime) {
      AsyncContentView(resource) { Named(name: $0) }
        .loadingViewStyle(
          afterValue: .custom { content, _ in
            AnyView(
              VStack(alignment: .leading) {
                content
                content.dim()
              })
          })
    }
    resource.load()
    stage.advance(by: .milliseconds(200))
    stage.press("+")
    #expect(stage.text == "a1\na1")
    #expect(stage.frame.focusables.count == 1)
    loads.end()
  }
}
