import Articles
import HTTP
import TerminalUI

extension Scene {
  /// The reader in each of its states.
  static let reader = [
    Scene("first-run", "The handbook, as it greets whoever starts without a feed.", at: .seconds(1))
    { runtime in
      ProgramScene(runtime, DemoScript(.handbook))
    },
    Scene("articles", "Articles of several feeds, side by side with the feeds.", at: .seconds(1)) {
      runtime in
      ProgramScene(runtime, DemoScript(.full))
    },
    Scene(
      "articles-loading", "A first load: the shape of the list to come, and how far it is.",
      at: .milliseconds(1900)
    ) { runtime in
      ProgramScene(runtime, DemoScript(.full).fetching(for: .seconds(5)))
    },
    Scene(
      "articles-reloading", "The stored articles, while the feeds are asked for news.",
      at: .milliseconds(1900)
    ) { runtime in
      ProgramScene(runtime, DemoScript(.full).storedFirst().fetching(for: .seconds(5)))
    },
    Scene(
      "articles-failed", "A first load that fails, with nothing to show; r tries again.",
      at: .seconds(3)
    ) { runtime in
      let library = DemoLibrary.full
      let offline = library.failing(library.feeds.count, message: .offline, isEmpty: true)
      ProgramScene(
        runtime,
        DemoScript(offline).fetching(for: .milliseconds(1200)).failingFirst(.offline))
    },
    Scene(
      "articles-stale", "The stored articles, and beside them that two feeds did not answer.",
      at: .seconds(3)
    ) { runtime in
      let library = DemoLibrary.full.failing(2, message: .offline)
      ProgramScene(
        runtime,
        DemoScript(library).storedFirst().fetching(for: .milliseconds(1200)).failingFirst(.offline)
      )
    },
    Scene("article", "An article, to be read.", at: .seconds(1)) { runtime in
      ProgramScene(runtime, DemoScript(.full), opensArticle: true)
    },
    Scene(
      "article-loading", "The shape of an article to come, under its title.", at: .seconds(1)
    ) { runtime in
      ProgramScene(runtime, DemoScript(.full).reading(for: .seconds(4)), opensArticle: true)
    },
    Scene(
      "article-failed", "An article that cannot be read just now; r tries again.", at: .seconds(1)
    ) { runtime in
      ProgramScene(
        runtime,
        DemoScript(.full).reading(for: .milliseconds(600)).failingToRead(
          StoreError.locked(path: "articles.sqlite")
        ), opensArticle: true)
    },
  ]
}

extension PersonMessage {
  fileprivate static let offline = PersonMessage(HTTPError.cannotResolve(host: "demo.invalid"))
}
