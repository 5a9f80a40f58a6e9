import Articles
import HTTP
import Loading
import LoadingTesting
import TerminalUI

extension Scene {
  /// The reader in each of its states.
  static let reader = [
    Scene("first-run", "The handbook, as it greets whoever starts without a feed.", at: .seconds(1))
    { runtime in
      ReaderScene(runtime, DemoScript(.handbook).source)
    },
    Scene("articles", "Articles of several feeds, side by side with the feeds.", at: .seconds(1)) {
      runtime in
      ReaderScene(runtime, DemoScript(.full).source)
    },
    Scene(
      "articles-loading", "A first load: the shape of the list to come, and how far it is.",
      at: .milliseconds(1900)
    ) { runtime in
      ReaderScene(runtime, DemoScript(.full).fetching(for: .seconds(5)).source)
    },
    Scene(
      "articles-reloading", "The stored articles, while the feeds are asked for news.",
      at: .milliseconds(1900)
    ) { runtime in
      ReaderScene(runtime, DemoScript(.full).storedFirst().fetching(for: .seconds(5)).source)
    },
    Scene(
      "articles-failed", "A first load that fails, with nothing to show; r tries again.",
      at: .seconds(3)
    ) { runtime in
      let library = DemoLibrary.full
      let offline = library.failing(library.feeds.count, message: .offline, isEmpty: true)
      ReaderScene(
        runtime,
        DemoScript(offline).fetching(for: .milliseconds(1200)).failingFirst(.offline).source)
    },
    Scene(
      "articles-stale", "The stored articles, and beside them that two feeds did not answer.",
      at: .seconds(3)
    ) { runtime in
      let library = DemoLibrary.full.failing(2, message: .offline)
      ReaderScene(
        runtime,
        DemoScript(library).storedFirst().fetching(for: .milliseconds(1200)).failingFirst(.offline)
          .source)
    },
    Scene("article", "An article, to be read.", at: .seconds(1)) { runtime in
      ReaderScene(runtime, DemoScript(.full).source, opens: true)
    },
    Scene(
      "article-loading", "The shape of an article to come, under its title.", at: .seconds(1)
    ) { runtime in
      ReaderScene(runtime, DemoScript(.full).reading(for: .seconds(4)).source, opens: true)
    },
    Scene(
      "article-failed", "An article that cannot be read just now; r tries again.", at: .seconds(1)
    ) { runtime in
      ReaderScene(
        runtime,
        DemoScript(.full).reading(for: .milliseconds(600)).failingToRead(
          StoreError.locked(path: "articles.sqlite")
        ).source, opens: true)
    },
  ]
}

/// The reader on a script.
private struct ReaderScene: View {
  let model: ReaderModel

  init(_ runtime: SceneRuntime, _ source: ArticleSource, opens: Bool = false) {
    model = ReaderModel(
      source: source, browser: Browser(candidates: []), clock: runtime.clock,
      scheduler: runtime.scheduler)
    if opens { model.openArticle = DemoLibrary.handbook.articles.first }
  }

  var body: some View { RootScreen(model: model, days: .demo, measure: 76) }
}

extension PersonMessage {
  fileprivate static let offline = PersonMessage(HTTPError.cannotResolve(host: "demo.invalid"))
}
