import Articles
import HTTP
import TerminalUI

extension Scene {
  /// The reader in each of its states.
  static let reader = [
    Scene(
      "tour", "The program in half a minute: reading, searching, socks, colours and the catalog.",
      at: .milliseconds(21500),
      keys: """
        @2 down @2.5 down @3 enter @4.5 pgdn @6 esc @6.6 / @6.9 s @7 o @7.1 c @7.2 k @8.6 esc @9 2 \
        @10 down @10.3 down @10.6 + @10.8 + @11 + @11.8 x @13 u @14 3 @17.2 R @18 4 @19.4 tab down enter \
        @21 backtab
        """, isFilm: true
    ) { runtime in
      ProgramScene(runtime, DemoScript(.full).storedFirst().fetching(for: .milliseconds(1800)))
    },
    Scene("first-run", "The first start: the handbook.", at: .seconds(1)) { runtime in
      ProgramScene(runtime, DemoScript(.handbook))
    },
    Scene("articles", "Articles of several feeds, side by side with the feeds.", at: .seconds(1)) {
      runtime in
      ProgramScene(runtime, DemoScript(.full))
    },
    Scene(
      "articles-loading", "A first load with a placeholder and its progress.",
      at: .milliseconds(1900)
    ) { runtime in
      ProgramScene(runtime, DemoScript(.full).fetching(for: .seconds(5)))
    },
    Scene(
      "articles-reloading", "The stored articles while the feeds are fetched.",
      at: .milliseconds(1900)
    ) { runtime in
      ProgramScene(runtime, DemoScript(.full).storedFirst().fetching(for: .seconds(5)))
    },
    Scene(
      "articles-failed", "A first load that failed; r retries.",
      at: .seconds(3)
    ) { runtime in
      let library = DemoLibrary.full
      let offline = library.failing(library.feeds.count, message: .offline, isEmpty: true)
      ProgramScene(
        runtime,
        DemoScript(offline).fetching(for: .milliseconds(1200)).failingFirst(.offline))
    },
    Scene(
      "articles-stale", "The stored articles after a reload in which two feeds failed.",
      at: .seconds(3)
    ) { runtime in
      let library = DemoLibrary.full.failing(2, message: .offline)
      ProgramScene(
        runtime,
        DemoScript(library).storedFirst().fetching(for: .milliseconds(1200)).failingFirst(.offline)
      )
    },
    Scene("article", "An article.", at: .seconds(1)) { runtime in
      ProgramScene(runtime, DemoScript(.full), opensArticle: true)
    },
    Scene(
      "article-loading", "An article that is loading, with a placeholder under its title.",
      at: .seconds(1)
    ) { runtime in
      ProgramScene(runtime, DemoScript(.full).reading(for: .seconds(4)), opensArticle: true)
    },
    Scene(
      "article-failed", "An article that failed to load; r retries.", at: .seconds(1)
    ) { runtime in
      ProgramScene(
        runtime,
        DemoScript(.full).reading(for: .milliseconds(600)).failingToRead(
          StoreError.locked(path: "articles.sqlite")
        ), opensArticle: true)
    },
  ]
}

extension UserMessage {
  fileprivate static let offline = UserMessage(HTTPError.cannotResolve(host: "demo.invalid"))
}
