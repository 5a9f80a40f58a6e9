import Loading
import LoadingTesting
import Observation
import TerminalUITesting
import Testing

@testable import TerminalUI

/// A view model that knows nothing of views.
@MainActor
@Observable
private final class ArticleModel: LoadableObject {
  private(set) var state = LoadingState<String>.idle
  private let fetch: (@escaping @MainActor (Result<String, any Error>) -> Void) -> Void

  init(fetch: @escaping (@escaping @MainActor (Result<String, any Error>) -> Void) -> Void) {
    self.fetch = fetch
  }

  func load() {
    state = .loading
    fetch { result in
      switch result {
      case .success(let title): self.state = .loaded(title)
      case .failure(let error): self.state = .failed(error)
      }
    }
  }
}

private struct ArticleScreen: View {
  let model: ArticleModel

  var body: some View {
    AsyncContentView(model) { title in
      Text(title).bold()
    }
    .environment(\.describeError) { _ in ErrorDescription(what: "The server is asleep.") }
  }
}

@MainActor
@Suite struct ViewModelExample {
  @Test func `a view model of one's own is shown by its state`() {
    var answers: [@MainActor (Result<String, any Error>) -> Void] = []
    let model = ArticleModel { answers.append($0) }
    let stage = Stage(30, 3) { ArticleScreen(model: model) }
    #expect(stage.text == "\n          ⠋ Loading\n")
    answers[0](.failure(Broken()))
    stage.settle()
    #expect(stage.text == "   ✗ The server is asleep.\n\n   r to retry")
    stage.press("r")
    answers[1](.success("Socks, a history"))
    stage.settle()
    #expect(stage.text == "Socks, a history\n\n")
  }
}
