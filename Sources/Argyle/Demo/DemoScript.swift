import Articles
import Loading
import LoadingTesting

/// What a demonstration's library answers, and when.
struct DemoScript: Sendable {
  private let library: DemoLibrary
  private var hasStored = false
  private var fetchTime: Duration?
  private var failure: PersonMessage?
  private var readingTime = Duration.milliseconds(40)
  private var readingFailure: (any Error)?

  // About as long as a store takes: too short for a placeholder to show.
  private static let storeTime = Duration.milliseconds(40)

  /// Answers at once, and to a reload after two seconds that nothing is new.
  init(_ library: DemoLibrary) { self.library = library }

  /// What is stored comes first.
  func storedFirst() -> DemoScript { with { $0.hasStored = true } }

  /// The first load fetches every feed, which takes `time` together.
  func fetching(for time: Duration) -> DemoScript { with { $0.fetchTime = time } }

  /// The first fetch ends in failure for the feeds that are marked as failing; the next does not.
  func failingFirst(_ message: PersonMessage) -> DemoScript { with { $0.failure = message } }

  /// Reading an article takes `time`.
  func reading(for time: Duration) -> DemoScript { with { $0.readingTime = time } }

  /// The first time that an article is read fails.
  func failingToRead(_ error: any Error) -> DemoScript { with { $0.readingFailure = error } }

  private func with(_ change: (inout DemoScript) -> Void) -> DemoScript {
    var copy = self
    change(&copy)
    return copy
  }

  var source: ArticleSource {
    ArticleSource(
      feeds: .scripted([.at(Self.storeTime, .loaded(library.feeds))]),
      articles: { .scripted(inTurn: [firstLoad(of: $0), reload(of: $0)]) },
      document: { [self] article in
        let document = LoadingState { try library.document(of: article) }
        let answer = [ScriptedState.at(readingTime, document)]
        guard let readingFailure else { return .scripted(answer) }
        return .scripted(inTurn: [[.at(readingTime, .failed(readingFailure))], answer])
      },
      changes: { AsyncStream { $0.finish() } })
  }

  private func firstLoad(of selection: FeedSelection) -> [ScriptedState<[Article]>] {
    let articles = library.articles(in: selection)
    guard let fetchTime else { return [.at(Self.storeTime, .loaded(articles))] }
    let stored = hasStored ? [ScriptedState.at(Self.storeTime, .loaded(articles))] : []
    return stored + fetch(selection, for: fetchTime, failure: failure)
  }

  private func reload(of selection: FeedSelection) -> [ScriptedState<[Article]>] {
    fetch(selection, for: .seconds(2), failure: nil)
  }

  /// Feed after feed, and then the articles or the failure.
  private func fetch(
    _ selection: FeedSelection, for time: Duration, failure: PersonMessage?
  ) -> [ScriptedState<[Article]>] {
    let feeds = library.feeds.filter { selection == .all || selection == .feed($0.id) }
    let steps = (0..<feeds.count).map { done -> ScriptedState<[Article]> in
      let words = "\(done) of \(feeds.count) feed\(feeds.count == 1 ? "" : "s")"
      return .at(
        Self.storeTime + time * done / max(1, feeds.count),
        .loading(LoadingProgress(message: words, completed: done, of: feeds.count)))
    }
    let failures = feeds.filter { $0.failure != nil }
    let end: LoadingState<[Article]> =
      if let failure, !failures.isEmpty {
        .failed(
          ReloadError(
            failures: failures.map { ReloadError.Failure(feed: $0.feed, message: failure) },
            feedCount: feeds.count))
      } else {
        .loaded(library.articles(in: selection))
      }
    return steps + [.at(Self.storeTime + time, end)]
  }
}

extension LoadingState {
  /// What a closure returns or throws.
  fileprivate init(_ result: () throws -> Value) {
    do { self = .loaded(try result()) } catch { self = .failed(error) }
  }
}
