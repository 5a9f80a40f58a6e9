import Loading
import LoadingTesting
import Observation
import TerminalUITesting
import Testing

@testable import TerminalUI

/// Tests that messages take rows of their own, and cover nothing.
@MainActor
@Suite struct ToastTests {
  private struct Item: Identifiable { let id: Int }

  private func stage(_ toasts: ToastQueue, _ theme: Theme = .dark) -> Stage {
    Stage(40, 4) { Text("content").toasts(toasts).environment(\.theme, theme) }
  }

  @Test(arguments: PaneTests.themes)
  func `a message has an edge, and a ground where the theme has one`(theme: Theme) {
    let toasts = ToastQueue()
    let stage = stage(toasts, theme)
    toasts.show("Not saved.")
    stage.settle()
    #expect(stage.text == "content\n\n\n▌ Not saved.          Ctrl-X to dismiss")
    #expect(stage.frame.cells[0, 3].style.foreground == theme.accent)
    for x in 0..<40 { #expect(stage.frame.cells[x, 3].style.background == theme.plate) }
  }

  @Test func `if there is no room for both keys, the one to retry is whole`() {
    let toasts = ToastQueue()
    let stage = Stage(20, 6) { Text("content").toasts(toasts) }
    toasts.show("Not saved.", retry: {})
    stage.settle()
    #expect(stage.text.contains("Ctrl-R to retry"))
    #expect(!stage.text.contains("…"))
    toasts.dismiss()
    toasts.show("Saved.")
    stage.settle()
    #expect(stage.text.contains("Ctrl-X to dismiss"))
  }

  @Test func `only a message about a failure has the mark of one`() {
    let toasts = ToastQueue()
    let stage = stage(toasts)
    toasts.show("Not saved.", retry: {})
    toasts.show("Saved.")
    stage.settle()
    #expect(stage.text.contains("▌✗ Not saved. And 1 more."))
    #expect(stage.style(of: "▌")?.foreground == Theme.dark.failure)
    toasts.dismiss()
    stage.settle()
    #expect(stage.text.contains("▌ Saved."))
    #expect(stage.style(of: "▌")?.foreground == Theme.dark.accent)
  }

  @MainActor
  @Observable
  final class Screen {
    var isShown = true
    var things = "Socks"
  }

  @Test(.timeLimit(.minutes(10)))
  func `a failed change is described as the environment does when it fails`() async {
    let (inbox, toasts, screen) = (FailedMutation.Inbox(), ToastQueue(), Screen())
    let runtime = ManualRuntime()
    let saves = ManualCalls<Int, Void>()
    let resource = runtime.resource(initialState: .loaded(1), mutationFailures: inbox)
    let stage = Stage(60, 3, runtime: runtime) {
      let things = screen.things
      Text("content").toasts(toasts, following: inbox)
        .environment(\.describeError) { _ in ErrorDescription(what: "\(things) are not saved.") }
    }
    func fail(_ number: Int) {
      resource.mutate(apply: { $0 += 1 }, commit: { try await saves.call($0) })
      stage.settle()
      saves[number].fail(Broken())
      stage.settle()
    }
    fail(0)
    await stage.settle { toasts.count == 1 }
    #expect(stage.text.contains("✗ Socks are not saved."))
    screen.things = "Shoes"
    stage.settle()
    fail(1)
    await stage.settle { toasts.count == 2 }
    toasts.dismiss()
    stage.settle()
    #expect(stage.text.contains("✗ Shoes are not saved."))
  }

  @Test(.timeLimit(.minutes(10)))
  func `a change that failed while its view was away is told when the view is back`() async {
    let (inbox, toasts, screen) = (FailedMutation.Inbox(), ToastQueue(), Screen())
    let runtime = ManualRuntime()
    let saves = ManualCalls<Int, Void>()
    let resource = runtime.resource(initialState: .loaded(1), mutationFailures: inbox)
    let stage = Stage(60, 3, runtime: runtime) {
      Group {
        if screen.isShown {
          Text("content").toasts(toasts, following: inbox)
        } else {
          Text("other")
        }
      }
      .environment(\.describeError) { _ in ErrorDescription(what: "Socks are not saved.") }
    }
    func fail(_ number: Int) {
      resource.mutate(apply: { $0 += 1 }, commit: { try await saves.call($0) })
      stage.settle()
      saves[number].fail(Broken())
      stage.settle()
    }
    fail(0)
    await stage.settle { toasts.count == 1 }
    #expect(stage.text.contains("✗ Socks are not saved."))
    screen.isShown = false
    stage.settle()
    fail(1)
    #expect(stage.text == "other\n\n")
    screen.isShown = true
    await stage.settle { toasts.count == 2 }
    #expect(stage.text.contains("✗ Socks are not saved. And 1 more."))
  }

  @Test func `a message that can only be dismissed goes away by itself`() {
    let toasts = ToastQueue()
    let stage = stage(toasts)
    toasts.show("First.")
    toasts.show("Second.")
    stage.settle()
    stage.advance(by: .seconds(9))
    #expect(stage.text.contains("First."))
    stage.advance(by: .seconds(1))
    // Each message has its full time from when it becomes visible.
    #expect(stage.text.contains("Second."))
    stage.advance(by: .seconds(9))
    #expect(stage.text.contains("Second."))
    stage.advance(by: .seconds(1))
    #expect(stage.text == "content\n\n\n")
    #expect(toasts.count == 0)
    #expect(stage.frame.nextChange == nil)
  }

  @Test func `a message stays while a retry would be lost with it`() {
    let toasts = ToastQueue()
    let stage = stage(toasts)
    toasts.show("Not saved.", retry: {})
    stage.settle()
    #expect(stage.frame.nextChange == nil)
    stage.advance(by: .seconds(3600))
    #expect(stage.text.contains("Not saved."))
  }

  @Test func `a message covers neither the last row of a list nor the footer`() {
    let toasts = ToastQueue()
    let stage = Stage(46, 5) {
      VStack(alignment: .leading) {
        List((1..<9).map(Item.init)) { Text("row \($0.id)") }.toasts(toasts)
        KeyFooter()
      }
      .onKeyPress("q", label: "quit") {}
    }
    stage.press("G")
    toasts.show("It was not saved.", retry: {})
    stage.settle()
    #expect(
      stage.rows == """
        row 7
        row 8
        ▌✗ It was not saved.
        ▌         Ctrl-R to retry   Ctrl-X to dismiss
        Ctrl-R retry change  Ctrl-X dismiss  q quit
        """)
  }

  @Test func `a message does not cover a sheet, whose keys are the only ones in force`() {
    let toasts = ToastQueue()
    toasts.show("It was not saved.", retry: {})
    let stage = Stage(30, 6) {
      Text("behind").toasts(toasts)
        .sheet(isPresented: .constant(true), title: "Form") {
          VStack { ForEach(0..<3) { Text("field \($0)") } }
        }
    }
    #expect(stage.text.contains("field 0"))
    #expect(stage.text.contains("field 2"))
    #expect(!stage.text.contains("to retry"))
  }

  @Test func `a message stands below a box that is open, and is not faint`() {
    let toasts = ToastQueue()
    toasts.show("It was not saved.", retry: {})
    let stage = Stage(40, 14) {
      VStack {
        Text("behind").toasts(toasts)
          .sheet(isPresented: .constant(true), title: "Box") {
            VStack { ForEach((1...20).map(Item.init)) { Text("row \($0.id)") } }
          }
        KeyFooter()
      }
      .environment(\.theme, .dark)
    }
    let row = stage.lines.firstIndex { $0.hasPrefix("▌✗ It was not saved.") } ?? 0
    #expect(row > 9)
    #expect(stage.lines[row - 1].contains("╰"))
    #expect(stage.style(of: "It was")?.foreground == .default)
  }
}
