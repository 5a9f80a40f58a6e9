import Articles
import Loading
import LoadingTesting
import Synchronization
import Testing

@testable import Argyle

/// Tests of texts that change while the program runs.
@MainActor
@Suite struct RevisedTextTests {
  private let runtime = ManualRuntime()
  private let article = Article(7, title: "Seven")

  private nonisolated static func document(_ words: String) -> Document {
    Document(blocks: [.paragraph([.text(words)])])
  }

  /// Opens the article, and returns its text.
  private func read(_ model: ReaderModel) async -> Document? {
    model.open(article)
    let document = model.documents[article.id]
    if document.latestValue == nil { document.load(.drop, cause: .appeared) }
    await runtime.run(until: { !document.isLoading })
    return document.latestValue?.document
  }

  @Test(.timeLimit(.minutes(10)))
  func `a text that was fetched again is shown once the article is opened again`() async {
    let text = Mutex("one")
    var source = DemoScript(.full).source
    source.document = { [article] _ in
      Loader { _ in
        ArticleDocument(article: article, document: Self.document(text.withLock(\.self)))
      }
    }
    let model = ReaderModel(source, runtime)
    #expect(await read(model) == Self.document("one"))
    text.withLock { $0 = "two" }
    model.close()
    #expect(await read(model) == Self.document("one"), "nothing was fetched")
    model.noteFetchedTexts()
    #expect(
      model.documents[article.id].latestValue?.document == Self.document("one"), "it is read")
    model.close()
    #expect(await read(model) == Self.document("two"))
    text.withLock { $0 = "three" }
    model.close()
    model.noteFetchedTexts()
    #expect(await read(model) == Self.document("three"))
  }
}
