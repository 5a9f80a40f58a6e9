import Loading
import LoadingTesting
import TerminalUITesting
import Testing

@testable import TerminalUI

/// A view that loads its value itself and keeps it in its own state.
private struct ArticleView: View {
  let load: @Sendable () async throws -> String
  @State private var state = LoadingState<String>.idle
  @State private var attempt = 1

  var body: some View {
    VStack {
      switch state {
      case .idle, .loading: ProgressView("Loading")
      case .failed:
        Text("The article did not come.")
        Button("Try again") { attempt += 1 }
      case .loaded(let text): Text(text)
      }
    }
    .task(id: attempt) {
      state = .loading
      do {
        state = .loaded(try await load())
      } catch {
        state = .failed(error)
      }
    }
  }
}

@MainActor
@Suite struct LoadsItselfExample {
  @Test(.timeLimit(.minutes(30))) func `a view loads itself`() async {
    let server = ManualCalls<Void, String>()
    let stage = Stage(26, 2) { ArticleView { try await server.call(()) } }
    await stage.settle { server.count == 1 }
    #expect(stage.text == "⠋ Loading\n")
    server[0].fail(Broken())
    await stage.settle { !stage.text.contains("Loading") }
    #expect(stage.text == "The article did not come.\n      [ Try again ]")
    stage.press(.enter)
    await stage.settle { server.count == 2 }
    #expect(stage.text == "⠋ Loading\n")
    server[1].succeed("Socks, a history")
    await stage.settle { !stage.text.contains("Loading") }
    #expect(stage.text == "Socks, a history\n")
    stage.host.end()
  }
}
