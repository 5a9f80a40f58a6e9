import PseudoTerminal
import Synchronization
import Testing

@testable import Articles

/// Feeds and articles that take for ever to read keep nothing else waiting.
@Suite(.timeLimit(.minutes(10))) struct ThreadTests {
  /// Threads that are all busy until they are freed.
  private final class BusyThreads: TaskExecutor {
    private struct State {
      var isBusy = true
      var jobs: [UnownedJob] = []
    }

    private let state = Mutex(State())
    private let arrivals = AsyncStream.makeStream(of: Void.self)

    func enqueue(_ job: consuming ExecutorJob) {
      let job = UnownedJob(job)
      let runsNow = state.withLock { state in
        if state.isBusy { state.jobs.append(job) }
        return !state.isBusy
      }
      if runsNow { job.runSynchronously(on: asUnownedTaskExecutor()) }
      arrivals.continuation.yield()
    }

    /// Waits until somebody wants them.
    func awaitJob() async { for await _ in arrivals.stream { return } }

    func free() {
      let jobs = state.withLock { state in
        defer { (state.isBusy, state.jobs) = (false, []) }
        return state.jobs
      }
      for job in jobs { job.runSynchronously(on: asUnownedTaskExecutor()) }
    }
  }

  private let directory: TemporaryDirectory
  private let store: ArticleStore
  private let feeds = BusyThreads()
  private let articles = BusyThreads()
  private let library: Library

  init() async throws {
    directory = try TemporaryDirectory()
    store = try ArticleStore(directory: directory.path)
    library = Library(store: store, threads: Library.Threads(feeds: feeds, articles: articles))
    let path = try directory.write(
      "<rss><channel><title>T</title><item><title>A</title><guid>1</guid></item></channel></rss>",
      to: "feed.xml")
    try await Library(store: store).add(path)
  }

  @Test func `while feeds are being read, lists, marks and articles work`() async throws {
    let reload = Task { [library] in try await library.reload() }
    await feeds.awaitJob()
    let id = try #require(try await library.storedArticles(matching: .unread).first).id
    try await library.setStarred(true, of: [id])
    #expect(try await library.storedArticles(matching: .starred).count == 1)
    articles.free()
    #expect(try await library.storedDocument(of: id).article.title == "A")
    feeds.free()
    #expect(try await reload.value.entries.map(\.outcome) == [.updated(newArticles: 0)])
  }

  @Test func `while an article is being read, lists, marks and reloads work`() async throws {
    let id = try #require(try await library.storedArticles(matching: .unread).first).id
    let opening = Task { [library] in try await library.storedDocument(of: id) }
    await articles.awaitJob()
    try await library.setStarred(true, of: [id])
    feeds.free()
    #expect(try await library.reload().error == nil)
    #expect(try await library.storedArticles(matching: .starred).count == 1)
    articles.free()
    #expect(try await opening.value.article.title == "A")
  }
}
