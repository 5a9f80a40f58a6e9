import Loading
import LoadingTesting
import TerminalUITesting
import Testing

@testable import TerminalUI

private struct Article: Sendable, Identifiable, Hashable {
  let id: Int
  let title: String
}

/// A loaded list, and a detail that is loaded for the chosen row.
private struct LibraryView: View {
  let list: Loader<[Article]>
  let text: @Sendable (Article) async throws -> String
  @State private var chosen: Article?

  var body: some View {
    AsyncContentView(loader: list) { articles in
      List(articles, onSubmit: { chosen = $0 }) { Text($0.title) }
    }
    .empty { Text("Nothing to read.") }
    .navigationDestination(item: $chosen) { article in
      VStack(alignment: .leading) {
        Text(article.title).bold()
        AsyncContentView(id: article.id, load: { try await text(article) }) { Text($0) }
      }
    }
  }
}

@MainActor
@Suite struct ListToDetailExample {
  @Test func `Enter on a row loads its detail, and Esc leads back to the row`() {
    let texts = ManualCalls<Article, String>()
    let articles = [Article(id: 1, title: "Heels"), Article(id: 2, title: "Toes")]
    let stage = Stage(20, 3) {
      LibraryView(list: .constant(articles), text: { try await texts.call($0) })
    }
    #expect(stage.text == "Heels\nToes\n")
    stage.press("j", .enter)
    stage.advance(by: .milliseconds(200))
    #expect(stage.text == "Toes\n     ⠹ Loading\n")
    texts[0].succeed("There are five.")
    stage.settle()
    #expect(stage.text == "Toes\nThere are five.\n")
    stage.press(.escape)
    #expect(stage.text == "Heels\nToes\n")
    stage.press(.enter)
    #expect(texts.inputs.map(\.id) == [2, 2])
    texts.end()
  }
}
