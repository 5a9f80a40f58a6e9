import Articles
import Loading
import TerminalUI

@testable import Argyle

/// An open article, on the screen in which the user reads it.
private struct OpenArticle: View {
  static let article = Article(-1, of: "", title: "One")

  let model: ReaderModel

  var body: some View {
    ProgramFrame(notice: model.notice.latestValue ?? nil) {
      ArticleScreen(model: model, article: Self.article, days: .demo)
    }
  }
}

extension Still {
  /// Makes the screen of an article with some text.
  @MainActor
  convenience init(reading blocks: [Block], size: Size) {
    let content = ArticleDocument(
      article: OpenArticle.article, document: Document(blocks: blocks))
    let scene = Scene("text", "", at: .zero) { runtime in
      var source = DemoScript(.full).source
      source.document = { _ in .constant(content) }
      let model = ReaderModel(
        source: source, pictures: .demo, clock: runtime.clock, scheduler: runtime.scheduler)
      return OpenArticle(model: model)
    }
    self.init(scene, size: size, environment: EnvironmentValues(DisplaySettings()))
  }
}
