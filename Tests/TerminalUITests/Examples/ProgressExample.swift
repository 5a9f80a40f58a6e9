import Loading
import LoadingTesting
import TerminalUITesting
import Testing

@testable import TerminalUI

/// A load that reports its progress.
private struct DownloadView: View {
  let parts: Int

  var body: some View {
    AsyncContentView(
      loader: Loader<Int> { [parts] context in
        for part in 1...parts {
          context.report(LoadingProgress(message: "part \(part)", completed: part - 1, of: parts))
          try await context.clock.sleep(until: context.clock.now.advanced(by: .seconds(1)))
        }
        return parts
      }
    ) { count in
      Text("All \(count) parts are here.")
    }
  }
}

@MainActor
@Suite struct ProgressExample {
  @Test func `a load shows what it does, a bar and a percentage`() {
    let stage = Stage(34, 1) { DownloadView(parts: 4) }
    #expect(stage.text == "")
    stage.advance(by: .milliseconds(200))
    #expect(stage.text == "⠹ part 1 ░░░░░░░░░░░░░░░░░░░░ 0 %")
    stage.advance(by: .seconds(1))
    #expect(stage.text == "⠹ part 2 █████░░░░░░░░░░░░░░░ 25 %")
    stage.advance(by: .seconds(1))
    #expect(stage.text == "⠹ part 3 ██████████░░░░░░░░░░ 50 %")
    stage.advance(by: .seconds(2))
    #expect(stage.text == "All 4 parts are here.")
  }

  @Test func `without motion it is the same in words`() {
    let stage = Stage(34, 2) { DownloadView(parts: 4) }
    stage.host.environment.isPlain = true
    stage.advance(by: .milliseconds(1200))
    #expect(stage.text == "           part 2 25 %\n")
  }
}
