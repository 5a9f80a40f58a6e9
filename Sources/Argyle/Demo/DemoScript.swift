import Articles
import Loading
import Synchronization

/// The scripted answers of the demo's library, and their times.
struct DemoScript: Sendable {
  private let library: DemoLibrary
  private var hasStored = false
  private var fetchTime: Duration?
  private var failure: UserMessage?
  private var readingTime = Duration.milliseconds(40)
  private var readingFailure: (any Error)?
  private var faults = Faults()

  // About as long as the store takes: too short for a placeholder to show.
  private static let storeTime = Duration.milliseconds(40)
  private static let reloadTime = Duration.seconds(2)

  /// Makes a script that answers at once; a reload finds nothing new after two seconds.
  init(_ library: DemoLibrary) { self.library = library }

  /// Returns the script with stored articles, which are yielded before the fetched ones.
  func storedFirst() -> DemoScript { with { $0.hasStored = true } }

  /// Returns the script with a first load that fetches every feed, which takes `time` in total.
  func fetching(for time: Duration) -> DemoScript { with { $0.fetchTime = time } }

  /// Returns the script with a first fetch that fails for the feeds that are marked as failing; the
  /// next fetch succeeds.
  func failingFirst(_ message: UserMessage) -> DemoScript { with { $0.failure = message } }

  /// Returns the script with a delay of `time` for reading an article.
  func reading(for time: Duration) -> DemoScript { with { $0.readingTime = time } }

  /// Returns the script with a failure the first time that an article is read.
  func failingToRead(_ error: any Error) -> DemoScript { with { $0.readingFailure = error } }

  /// Returns the script with loads that are as slow and as faulty as `faults` say.
  func under(_ faults: Faults) -> DemoScript { with { $0.faults = faults } }

  private func with(_ change: (inout DemoScript) -> Void) -> DemoScript {
    var copy = self
    change(&copy)
    return copy
  }

  /// The library as the reader's source of articles.
  var source: ArticleSource {
    let feeds = DemoFeeds(library)
    return ArticleSource(
      feeds: feeds.loader, counts: { Loader { _ in feeds.counts } },
      articles: { articles(for: $0, feeds).under(faults) },
      document: { document(of: $0).under(faults) },
      search: SearchSource(find: { text, _ in Loader { _ in feeds.articles(with: text) } }),
      marks: feeds.marks,
      keepPosition: { _, _, _ in },
      changes: { AsyncStream { $0.finish() } },
      fetches: FeedFetches(
        reloadAll: {
          feeds.heal(library.feeds.map(\.id), in: library)
          return ReloadReport(entries: [], feedCount: library.feeds.count)
        }))
  }

  private func articles(
    for request: ListRequest, _ feeds: DemoFeeds
  ) -> Loader<ArticleListing> {
    let turns = Turns()
    let selection = request.list.selection
    let listing = { @Sendable in ArticleListing(feeds.articles(for: request)) }
    return Loader { context, output in
      let isFirst = turns.next() == 0
      try await context.clock.sleep(for: Self.storeTime)
      guard let time = isFirst ? fetchTime : Self.reloadTime else {
        return listing()
      }
      if isFirst, hasStored { output.yield(listing()) }
      let asked = library.feeds.filter { selection.contains($0.feed) }
      for done in 0..<asked.count {
        let words = "\(done) of \(counted(asked.count, "feed"))"
        context.report(LoadingProgress(message: words, completed: done, of: asked.count))
        try await context.clock.sleep(for: time / asked.count)
      }
      let failures = asked.filter { $0.failure != nil }
      if isFirst, let failure, !failures.isEmpty {
        throw ReloadError(
          failures: failures.map { ReloadError.Failure(feed: $0.feed, message: failure) },
          feedCount: asked.count)
      }
      feeds.heal(asked.map(\.id), in: library)
      return listing()
    }
  }

  private func document(of id: Article.ID) -> Loader<ArticleDocument> {
    let turns = Turns()
    return Loader { context in
      try await context.clock.sleep(for: readingTime)
      if turns.next() == 0, let readingFailure { throw readingFailure }
      return try library.document(of: id)
    }
  }
}

/// A counter from 0 that several tasks share.
final class Turns: Sendable {
  private let count = Mutex(0)

  func next() -> Int {
    count.withLock { count in
      defer { count += 1 }
      return count
    }
  }
}
