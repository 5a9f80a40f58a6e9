import Foundation
import Loading
import LoadingTesting
import TerminalUITesting
import Testing

@testable import TerminalUI

/// Tests of the panel that shows an error, with much and little room.
///
/// The expected frames are written by hand.
@MainActor
@Suite struct ErrorPanelTests {
  let runtime = ManualRuntime()
  let loads = ManualLoads<String>()

  private func stage(
    _ width: Int, _ height: Int, _ resource: Resource<String>? = nil, detail: String? = "Code 7"
  ) -> Stage {
    let resource =
      resource ?? runtime.resource(loads.loader, initialState: .failed(Broken()))
    let stage = Stage(width, height, runtime: runtime) {
      AsyncContentView(resource) { Text($0) }
    }
    stage.host.environment.describeError = { _ in
      ErrorDescription(
        what: "The server of the archive is asleep.",
        advice: "Wake it up, or come back in the morning.", detail: detail)
    }
    stage.settle()
    return stage
  }

  @Test func `an error that has words for the user is described by these, any other as text`() {
    struct DiskFull: LocalizedError {
      let errorDescription: String? = "The disk is full."
      let failureReason: String? = "errno 28"
      let recoverySuggestion: String? = "Free some space."
    }
    struct Wordless: LocalizedError, CustomStringConvertible {
      let description = "wordless"
    }
    let describe = EnvironmentValues().describeError
    #expect(
      describe(DiskFull())
        == ErrorDescription(
          what: "The disk is full.", advice: "Free some space.", detail: "errno 28"))
    #expect(describe(Wordless()) == ErrorDescription(what: "wordless"))
    #expect(describe(Broken()).what.contains("The server is asleep."))
  }

  @Test func `at 80 by 24 there is room for everything`() {
    let lines = stage(80, 24).text.split(separator: "\n", omittingEmptySubsequences: false)
    #expect(
      lines[9...14] == [
        "",
        "                    ✗ The server of the archive is asleep.",
        "                    Wake it up, or come back in the morning.",
        "",
        "                    r to retry   d for details",
        "",
      ])
    #expect(lines.filter { !$0.isEmpty }.count == 3)
  }

  private struct Lasting: RetryAdvice { var isRetryable: Bool { false } }

  @Test func `a failure that a retry cannot mend offers none, beside a value and in its place`() {
    for value in [String?.none, "The value"] {
      let resource = runtime.resource(
        loads.loader, initialState: value.map(LoadingState.loaded) ?? .idle)
      let stage = Stage(60, 10, runtime: runtime) { AsyncContentView(resource) { Text($0) } }
      resource.load()
      runtime.run()
      loads[loads.count - 1].fail(Lasting())
      stage.settle()
      #expect(stage.text.contains("✗ Lasting"))
      #expect(!stage.text.contains("to retry"))
      #expect(!stage.footer.contains("retry"))
    }
  }

  @Test func `in a narrow strip the reason goes before the time until which a retry waits`() {
    for (width, strip) in [
      (60, "✗ The server is busy.                       not before 14:20"),
      (40, "✗ The server is busy.   not before 14:20"), (39, "✗ The server is busy."),
      (20, "✗ The server is bu…"),
    ] {
      let resource = runtime.resource(loads.loader, initialState: .loaded("The value"))
      let stage = Stage(width, 5, runtime: runtime) {
        AsyncContentView(resource) { Text($0).frame(maxHeight: .infinity) }
      }
      stage.host.environment.describeError = { _ in
        ErrorDescription(
          what: "The server is busy.", pause: .init(.seconds(90), "not before 14:20"))
      }
      resource.load()
      runtime.run()
      loads[loads.count - 1].fail(Broken())
      stage.settle()
      #expect(stage.text.split(separator: "\n").last.map(String.init) == strip)
    }
  }

  @Test func `a reason that is wider than the content takes several rows, if enough are left`() {
    let resource = runtime.resource(loads.loader, initialState: .loaded("The value"))
    let stage = Stage(26, 10, runtime: runtime) {
      AsyncContentView(resource) { Text($0).frame(maxHeight: .infinity).focusable() }
    }
    stage.host.environment.describeError = { _ in
      ErrorDescription(what: "The server closed the connection without an answer.")
    }
    resource.load()
    runtime.run()
    loads[loads.count - 1].fail(Broken())
    stage.settle()
    #expect(
      stage.lines.suffix(4) == [
        "✗ The server closed the", "connection without an", "answer.", "                r to retry",
      ])
    #expect(stage.lines.prefix(6).contains { $0.contains("The value") })
  }

  @Test func `a narrow strip leaves out the key to what failed, and not the reason`() {
    let resource = runtime.resource(loads.loader, initialState: .loaded("The value"))
    let action = KeyAction("show-failed", keys: "!", label: "show")
    let stage = Stage(40, 10, runtime: runtime) {
      AsyncContentView(resource) { Text($0).frame(maxHeight: .infinity).focusable() }
        .onKeyPress(action: action) {}
    }
    stage.host.environment.describeError = { _ in
      ErrorDescription(
        what: "2 of 5 feeds failed.", lead: ErrorDescription.Lead(action, "to see them"))
    }
    resource.load()
    runtime.run()
    loads[loads.count - 1].fail(Broken())
    stage.settle()
    #expect(stage.lines.last == "✗ 2 of 5 feeds failed.        r to retry")
  }

  @Test func `while a server wants to be left alone no retry is offered, and it says until when`() {
    for value in [String?.none, "The value"] {
      let resource = runtime.resource(
        loads.loader, initialState: value.map(LoadingState.loaded) ?? .idle)
      var reloads = 0
      let stage = Stage(60, 10, runtime: runtime) {
        AsyncContentView(resource) { Text($0) }.onKeyPress(action: .reload) { reloads += 1 }
      }
      let end = runtime.clock.now.advanced(by: .seconds(90))
      stage.host.environment.describeError = { [runtime] _ in
        ErrorDescription(
          what: "The server is busy.", advice: "Wait until 14:20.",
          pause: .init(runtime.clock.now.duration(to: end), "not before 14:20"))
      }
      resource.load()
      runtime.run()
      loads[loads.count - 1].fail(Broken())
      stage.settle()
      let asked = loads.count
      #expect(!stage.text.contains("to retry"))
      #expect(stage.text.contains(value == nil ? "Wait until 14:20." : "busy."))
      #expect(stage.text.contains("not before 14:20") == (value != nil))
      // The action that the key has outside the panel is named there.
      stage.press("r")
      #expect(reloads == 1)
      #expect(loads.count == asked)
      stage.advance(by: .seconds(90))
      #expect(stage.text.contains("r to retry"))
      #expect(!stage.text.contains("not before"))
      stage.press("r")
      #expect(reloads == 1)
      #expect(loads.count == asked + 1)
    }
  }

  @Test func `a key that leads to what failed stands before the retry`() {
    let resource = runtime.resource(loads.loader, initialState: .failed(Broken()))
    let action = KeyAction("show-failed", keys: "!", label: "show")
    let stage = Stage(60, 10, runtime: runtime) {
      AsyncContentView(resource) { Text($0) }.onKeyPress(action: action) {}
    }
    stage.host.environment.describeError = { _ in
      ErrorDescription(
        what: "2 of 4 pages failed.", lead: ErrorDescription.Lead(action, "to see them"))
    }
    stage.settle()
    #expect(stage.text.contains("r to retry   ! to see them"))
    stage.size = Size(width: 60, height: 1)
    stage.settle()
    #expect(stage.text == " ✗ 2 of 4 pages failed.           ! to see them  r to retry")
  }

  @Test(arguments: [
    (60, "r to retry   ! to see them   d for details"), (40, "r to retry   ! to see them"),
    (20, "r to retry"),
  ])
  func `as many keys are named as fit`(width: Int, hints: String) {
    let resource = runtime.resource(loads.loader, initialState: .failed(Broken()))
    let action = KeyAction("show-failed", keys: "!", label: "show")
    let stage = Stage(width, 10, runtime: runtime) {
      AsyncContentView(resource) { Text($0) }.onKeyPress(action: action) {}
    }
    stage.host.environment.describeError = { _ in
      ErrorDescription(
        what: "Failed.", detail: "Why.", lead: ErrorDescription.Lead(action, "to see them"))
    }
    stage.settle()
    let lines = stage.text.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
    #expect(lines.contains(hints), "\(lines)")
  }

  @Test func `at 40 by 10 lines are wrapped`() {
    #expect(
      stage(40, 10).text == """


         ✗ The server of the archive is asleep.
         Wake it up, or come back in the
         morning.

         r to retry   d for details



        """)
  }

  @Test func `at 20 by 5 the reason and how to retry have the room, and the advice goes`() {
    #expect(
      stage(20, 5).text == """
         ✗ The server of
         the archive is
         asleep.
         Wake it up, or co…
         r to retry
        """)
    #expect(
      stage(20, 4).text == """
          ✗ The server of
          the archive is
          asleep.
          r to retry
        """)
  }

  @Test func `with fewer rows the reason is cut, and how to retry stays`() {
    #expect(stage(20, 3).text == "  ✗ The server of\n  the archive is…\n  r to retry")
    #expect(stage(20, 2).text == " ✗ The server of t…\n r to retry")
    #expect(stage(40, 1).text == " ✗ The server of the archiv… r to retry")
    #expect(stage(20, 1).text == " ✗ The…  r to retry")
    #expect(stage(12, 1).text == " r to retry")
  }

  @Test func `detail that was asked for comes before the advice`() {
    let stage = stage(20, 5)
    stage.press("d")
    #expect(
      stage.text == """
          ✗ The server of
          the archive is
          asleep.
          Code 7
          r to retry
        """)
    #expect(stage.footer == ["hide details", "retry"])
    stage.press("d")
    #expect(!stage.text.contains("Code 7"))
  }

  @Test func `a failure that cannot be retried offers nothing`() {
    let resource = runtime.resource(initialState: LoadingState<String>.failed(Broken()))
    let stage = stage(40, 4, resource, detail: nil)
    #expect(!stage.text.contains("retry"))
    #expect(stage.footer.isEmpty)
    #expect(!stage.host.press("r", in: stage.frame))
  }

  @Test func `while the detail is shown, the hint says that its key hides it`() {
    let stage = stage(60, 8, runtime.resource(loads.loader, initialState: .failed(Broken())))
    let hidden = stage.text
    stage.press("d")
    #expect(stage.text.contains("r to retry   d to hide details"))
    #expect(stage.footer == ["hide details", "retry"])
    stage.press("d")
    #expect(stage.text == hidden)
  }

  @Test func `while a retry runs it says so where the key stood, and nothing moves`() {
    let resource = runtime.resource(loads.loader, initialState: .failed(Broken()))
    let stage = stage(40, 8, resource)
    let failed = stage.text
    #expect(failed.contains("r to retry   d for details"))
    #expect(stage.footer == ["details", "retry"])
    stage.press("r")
    #expect(stage.text == failed.replacing("r to retry   d", with: "Retrying…    d"))
    #expect(stage.footer == ["details"])
    stage.press("r")
    #expect(loads.count == 1)
    loads[0].fail(Broken())
    stage.settle()
    #expect(stage.text.contains("r to retry   d for details"))
    loads.end()
  }

  @Test func `while a retry runs its key does not reach the views around it`() {
    var outer = 0
    let resource = runtime.resource(loads.loader, initialState: .failed(Broken()))
    let stage = Stage(40, 8, runtime: runtime) {
      VStack {
        AsyncContentView(resource) { Text($0) }
        KeyFooter()
      }
      .onKeyPress(action: .reload, label: "reload all") { outer += 1 }
    }
    #expect(stage.lines.last?.contains("retry") == true)
    stage.press("r")
    #expect(stage.lines.last?.contains("r ") == false)
    stage.press("r")
    #expect(outer == 0)
    loads.end()
  }

  @Test func `a strip below a value says that the next attempt runs`() {
    let backoff = Backoff(base: .seconds(2), random: { 1 })
    let resource = runtime.resource(
      loads.loader.retrying(limit: 3, backoff: backoff), initialState: .loaded("The value"))
    let stage = Stage(40, 3, runtime: runtime) {
      AsyncContentView(resource) { Text($0).frame(maxHeight: .infinity).focusable() }
    }
    stage.host.environment.describeError = { _ in ErrorDescription(what: "No network.") }
    resource.load()
    runtime.run()
    loads[0].fail(Broken())
    stage.settle()
    #expect(stage.lines.last == "✗ No network.                 r to retry")
    stage.advance(by: .seconds(2))
    #expect(stage.lines.last?.contains("Retrying…") == true)
    #expect(!stage.text.contains("to retry"))
    loads.end()
  }

  @Test func `the time until the next automatic attempt is counted down`() {
    let backoff = Backoff(base: .seconds(2), random: { 1 })
    let loader = loads.loader.retrying(limit: 3, backoff: backoff)
    let resource = runtime.resource(loader, initialState: .failed(Broken()))
    resource.load()
    let stage = stage(50, 10, resource)
    loads[0].fail(Broken())
    stage.settle()
    #expect(stage.text.contains("Attempt 1 of 3 failed. Next try in 2 s."))
    stage.advance(by: .seconds(1))
    #expect(stage.text.contains("Attempt 1 of 3 failed. Next try in 1 s."))
    stage.advance(by: .milliseconds(500))
    #expect(stage.text.contains("Attempt 1 of 3 failed. Next try in 1 s."))
    stage.advance(by: .milliseconds(500))
    #expect(!stage.text.contains("Next try"))
    #expect(loads.count == 2)
    loads[1].fail(Broken())
    stage.settle()
    #expect(stage.text.contains("Attempt 2 of 3 failed. Next try in 4 s."))
    loads.end()
  }

  @Test func `where it is read out, the time until the next attempt is not counted down`() {
    let backoff = Backoff(base: .seconds(20), random: { 1 })
    let loader = loads.loader.retrying(limit: 3, backoff: backoff)
    let resource = runtime.resource(loader, initialState: .failed(Broken()))
    resource.load()
    let stage = stage(60, 10, resource)
    stage.host.environment.isPlain = true
    loads[0].fail(Broken())
    stage.settle()
    let text = stage.text
    #expect(text.contains("Attempt 1 of 3 failed. Retries by itself."))
    stage.advance(by: .seconds(5))
    #expect(stage.text == text)
    loads.end()
  }

  @Test func `where it is read out its name and its reason can be set`() {
    let resource = runtime.resource(loads.loader, initialState: .failed(Broken()))
    func plain(_ view: some View) -> String {
      let host = ViewHost(view)
      host.environment.isPlain = true
      return host.frame(size: Size(width: 40, height: 6)).text
    }
    let content = AsyncContentView(resource) { Text($0) }
    #expect(plain(content).contains("Failed: Broken("))
    #expect(plain(content.accessibilityLabel("Articles")).contains("Articles failed: Broken("))
    #expect(
      plain(content.accessibilityValue("It is asleep.")).contains("Failed: It is asleep."))
  }

  @Test func `a single row of a list stays readable beside the mark of a failure`() {
    for (width, row) in [
      (20, "First          ▐ ✗ r"),
      (60, "First                       ▐ ✗ The server is as… r to retry"),
    ] {
      let resource = runtime.resource(loads.loader, initialState: .loaded("First"))
      let stage = Stage(width, 1, runtime: runtime) {
        AsyncContentView(resource) { List([$0, "Second"], id: \.self) { Text($0) } }
      }
      stage.host.environment.describeError = { _ in
        ErrorDescription(what: "The server is asleep.")
      }
      resource.load()
      runtime.run()
      loads[loads.count - 1].fail(Broken())
      stage.settle()
      #expect(stage.text == row)
    }
  }

  @Test func `a strip without room for its reason shows the mark of a failure`() {
    let resource = runtime.resource(loads.loader, initialState: .loaded("content"))
    let stage = Stage(20, 1, runtime: runtime) { AsyncContentView(resource) { Text($0) } }
    resource.load()
    runtime.run()
    loads[0].fail(Broken())
    stage.settle()
    #expect(stage.text == "content ✗ r to retry")
  }
}
