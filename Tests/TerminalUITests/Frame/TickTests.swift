import Loading
import LoadingTesting
import Observation
import PseudoTerminal
import TerminalUITesting
import Testing

@testable import TerminalUI

/// Tests that everything that moves by itself changes at the same times.
@MainActor
@Suite struct TickTests {
  let runtime = ManualRuntime()

  @Observable
  @MainActor
  final class Words { var text = "one" }

  struct Shown: View {
    let words: Words
    var body: some View { Text(words.text) }
  }

  private func at(_ milliseconds: Int) -> AnyClock.Instant {
    AnyClock.Instant(offset: .milliseconds(milliseconds))
  }

  @Test func `a still picture changes never`() {
    #expect(Frame(Text("x"), size: Size(width: 3, height: 1), at: at(130)).nextChange == nil)
  }

  @Test
  func `spinners turn at the next tick whenever they were drawn, and missed ticks are skipped`() {
    let (host, size) = (ViewHost(Spinner()), Size(width: 3, height: 1))
    #expect(host.frame(size: size, at: at(130)).nextChange == at(200))
    let later = host.frame(size: size, at: at(970))
    #expect(later.nextChange == at(1000))
    #expect(later.text == Frame(Spinner(), size: size, at: at(900)).text)
  }

  @Test func `a load that starts between two ticks shows at a tick`() {
    runtime.advance(by: .milliseconds(130))
    let loads = ManualLoads<String>()
    let stage = Stage(10, 1, runtime: runtime) {
      AsyncContentView(loader: loads.loader) { Text($0) }
    }
    #expect(stage.frame.nextChange == at(400))
    loads.end()
  }

  @Test func `what is drawn between the end of a wait and its tick still changes at the tick`() {
    runtime.advance(by: .milliseconds(130))
    let (loads, words) = (ManualLoads<String>(), Words())
    let stage = Stage(12, 4, runtime: runtime) {
      VStack(alignment: .leading) {
        Shown(words: words)
        AsyncContentView(loader: loads.loader) { Text($0) }
      }
    }
    #expect(stage.frame.nextChange == at(400))
    stage.advance(by: .milliseconds(220))
    words.text = "one\ntwo"
    stage.settle()
    #expect(stage.text.contains("two"))
    #expect(stage.frame.nextChange == at(400))
    stage.advance(by: .milliseconds(50))
    #expect(stage.text.contains("Loading"))
    loads.end()
  }

  @Test func `a view of the time names its next change also if it looks the same`() {
    struct Same: View { var body: some View { Text("same") } }
    let stage = Stage(10, 1, runtime: runtime) {
      TimelineView(changesAfter: { $0.advanced(by: .seconds(1)) }) { _ in Same() }
    }
    #expect(stage.frame.nextChange == at(1000))
    stage.advance(by: .seconds(1))
    #expect(stage.frame.nextChange == at(2000))
    let empty = Stage(10, 1, runtime: runtime) {
      TimelineView(changesAfter: { $0.advanced(by: .seconds(1)) }) { _ in EmptyView() }
    }
    #expect(empty.frame.nextChange == at(2000))
    empty.advance(by: .seconds(1))
    #expect(empty.frame.nextChange == at(3000))
  }

  @Test func `a view loads again by itself when its time has come`() {
    let loads = ManualLoads<String>()
    let stage = Stage(10, 1, runtime: runtime) {
      AsyncContentView(
        loader: loads.loader, refreshing: Refreshing(interval: .seconds(60))
      ) { Text($0) }
    }
    loads[0].succeed("one")
    runtime.advance(by: .seconds(59))
    stage.settle()
    #expect(loads.count == 1)
    #expect(stage.text.hasPrefix("one"))
    runtime.advance(by: .seconds(1))
    #expect(loads.count == 2)
    #expect(loads[1].context.cause == .refresh)
    loads.end()
  }

  @Test func `what is not on the screen wakes nobody`() {
    let stage = Stage(10, 2) {
      ScrollView {
        VStack {
          ForEach(0..<5) { Text("\($0)") }
          Spinner()
        }
      }
    }
    #expect(stage.frame.nextChange == nil)
    stage.press("G")
    #expect(stage.frame.nextChange != nil)
  }

  @Test func `with reduced motion nothing moves`() {
    var environment = EnvironmentValues()
    environment.reduceMotion = true
    let host = ViewHost(ProgressView("Saving"))
    host.environment = environment
    let frame = host.frame(size: Size(width: 20, height: 1))
    #expect(frame.text == "Saving…")
    #expect(frame.nextChange == nil)
  }

  @Test func `a tick draws cell by cell what a full redraw draws`() {
    for seed in 0..<300 as Range<UInt64> {
      var generator = SeededGenerator(seed: seed)
      let tree = RandomTree(depth: 4, using: &generator)
      let size = Size(
        width: .random(in: 1...40, using: &generator),
        height: .random(in: 1...12, using: &generator))
      let host = ViewHost(tree)
      let first = host.frame(size: size, at: at(0))
      let later = at(.random(in: 1...3000, using: &generator))
      let frame = host.frame(size: size, at: later)
      #expect(first.time == at(0))
      #expect(frame.cells == Frame(tree, size: size, at: later).cells, "seed \(seed)")
    }
  }
}
