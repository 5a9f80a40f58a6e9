import Loading
import Observation
import Testing

// Every example of the documentation, word for word, so that all of them compile. A test in
// TerminalUITests compares them.

private struct Article: Identifiable, Equatable, Sendable {
  let id: Int
  let title: String
  var author = 0
  var isStarred = false
}

private struct User: Identifiable, Sendable {
  let id: Int
  static let current = User(id: 1)
}

private struct Feed: Sendable {}
private struct Offline: Error {}
private struct SignedOut: Error {}

private struct API: Sendable {
  func article(_ id: Int) async throws -> Article { Article(id: id, title: "An article") }
  func star(_ id: Int) async throws {}
  func save(_ article: Article) async throws {}
  func articles() async throws -> [Article] { [] }
  func articles(of feed: Feed) async throws -> [Article] { [] }
  func items(after cursor: Int?) async throws -> Page<Article, Int> { Page([], next: nil) }
  func posts(after cursor: Int?, matching text: String) async throws -> Page<Article, Int> {
    Page([], next: nil)
  }
  func search(_ text: String) -> Loader<[Article]> { .constant([]) }
  func user(_ id: Int) -> Loader<User> { .constant(.current) }
  func user() async throws -> User { .current }
  func users(_ ids: [User.ID]) async throws -> [User.ID: User] { [1: .current] }
}

private struct Store: Sendable {
  var articles: [Article] { get async { [] } }
  func count() async throws -> Int { 0 }
  func count(of text: String) async throws -> Int { 0 }
  func rows(_ range: Range<Int>) async throws -> [Article] { [] }
  func rows(_ range: Range<Int>, of text: String) async throws -> [Article] { [] }
}

private let api = API()
private let store = Store()
private let id = 1
private let index = 1
private let text = "text"
private let feeds: [Feed] = []
private let spinner = "spinner"

// Stands for the program's drawing.
private func draw(_ contents: Any?...) {}
private func redraw(at time: AnyClock.Instant) {}
private func EmptyView() {}
private func ProgressView(_ text: String) {}
private func Text(_ text: String) {}
private func ArticleView(_ article: Article) {}
private func Prompt(_ text: String) {}
private func Placeholder(_ progress: LoadingProgress?) {}
private func ErrorPanel(_ error: any Error, retry: () -> Void) {}
private func ArticleList(_ articles: [Article]) {}

// MARK: Loading

@MainActor
private func theFirstExample() {
  let loader = Loader { context in
    context.report(message: "Fetching the article")
    return try await api.article(id)
  }
  let article = Resource(loader.timeout(.seconds(10)).retrying(limit: 3))

  article.load()

  switch article.state {
  case .idle: draw("Press r to load.")
  case .loading(let progress): draw(progress?.message ?? "Loading")
  case .failed(let error): draw("It failed: \(error). Press r to retry.")
  case .loaded(let article): draw(article.title)
  }
}

@MainActor
private func loaders() {
  do {
    let article = Loader { context in
      context.report(message: "Fetching", fraction: 0.2)
      return try await api.article(id)
    }
    let patient = article.timeout(.seconds(5)).retrying(limit: 3)
    draw(patient)
  }
  do {
    let articles = Loader { _ in try await api.articles() }
    let list = Resource(articles.removeDuplicates { $0.map(\.id) == $1.map(\.id) })
    draw(list)
  }
  do {
    let articles = Loader { context, output in
      output.yield(await store.articles)
      return try await api.articles()
    }
    draw(articles)
  }
  do {
    let loader = Loader { context in
      try await api.articles()
    }
    draw(loader)
  }
  do {
    let loader = Loader { context, output in
      var articles: [Article] = []
      for (index, feed) in feeds.enumerated() {
        articles += try await api.articles(of: feed)
        output.yield(articles)
        context.report(
          LoadingProgress(
            message: "\(index + 1) of \(feeds.count) feeds", completed: index + 1, of: feeds.count))
      }
      return articles
    }
    draw(loader)
  }
}

extension Loader {
  /// The loader, tried once more after `renew` when the server no longer knows the user.
  func renewing(_ renew: @escaping @Sendable () async throws -> Void) -> Loader {
    Loader(of: self) { context, output in
      do {
        return try await run(context, output)
      } catch is SignedOut {
        try await renew()
        return try await run(context, output)
      }
    }
  }
}

@MainActor
private func observing() {
  let observer = LoadingObserver { report in
    print(report.name, report.record.event, report.record.elapsed ?? .zero)
  }
  let scheduler = LoadScheduler.concurrent.observed(by: observer)
  let feeds = Resource(loader, name: "feeds", scheduler: scheduler)
  draw(feeds)
}

@MainActor
private func following(_ feeds: Resource<[Article]>) async {
  for await update in feeds.updates() {
    if let failure = update.failure { print("not reloaded: \(failure.error)") }
  }
}

private func running(_ loader: Loader<[Article]>) async throws {
  do {
    let articles = try await loader.timeout(.seconds(10)).retrying(limit: 3).value()
    draw(articles)
  }
  for try await event in loader.retrying(limit: 3).events() {
    switch event {
    case .progress(let progress): print("\(progress.percent ?? 0) %")
    case .value(let articles): print("\(articles.count) articles")
    case .attempt(let number, _): print("Attempt \(number)")
    case .attemptFailed(let error, _): print("Failed: \(error)")
    }
  }
}

private func chains(_ article: Loader<Article>) {
  do {
    let author = article.flatMap { article in api.user(article.author) }
    draw(author)
  }
  do {
    let articles = api.search(text).recover { error in
      guard error is Offline else { throw error }
      return Loader { _ in await store.articles }
    }
    draw(articles)
  }
  do {
    let lists = Loader.all(feeds.map { feed in Loader { _ in try await api.articles(of: feed) } })
    draw(lists)
  }
  do {
    let patient = loader.retrying(limit: 5, backoff: Backoff { attempt in .seconds(attempt * 10) })
    draw(patient)
  }
}

@MainActor
private func waiting(_ article: Resource<Article>, _ results: Resource<[Article]>) async throws {
  await article.refresh()
  let newest = try await article.value(.restart)
  draw(newest)
  if results.showsEarlierInput { draw("Results of the last search") }
  if let age = article.loadedAt?.duration(to: article.clock.now) { draw("as of \(age) ago") }
}

private func parts(_ user: Loader<User>, _ posts: Loader<[Article]>) {
  let profile = Loader.zip(user, posts)  // Loader<(User, [Post])>
  draw(profile)
}

@MainActor
private func composing(_ results: Resource<[Article]>, _ limit: LoadLimit) {
  let search = api.search(text)
    .limited(by: limit)  // a permit is held while an attempt works
    .timeout(.seconds(5))  // five seconds for each attempt
    .retrying(limit: 3)  // three attempts
    .debounced(for: .milliseconds(300))  // when nothing was typed for 300 ms
  results.load(search)
}

@MainActor
@Test func `the example of a gate does what it says`() {
  let network = LoadGate("offline")
  let results = Resource(api.search(text).gated(by: network))
  network.close()
  results.appear()  // paused: results.activity?.pauseReason is "offline"
  network.open()  // the load continues
}

@MainActor
private func refreshing() {
  let focus = LoadGate("unfocused")
  let scheduler = LoadScheduler.concurrent.refreshing(whileOpen: focus)
  let prices = Resource(
    loader, refreshing: Refreshing(interval: .seconds(10)), scheduler: scheduler)
  draw(prices)
}

@MainActor
private func batches() {
  let users = LoadBatch<User.ID, User> { ids in try await api.users(ids) }
  let authors = ResourcePool<User.ID, User> { id in Loader.batched(id, in: users) }
  draw(authors[id].state)
}

private struct Disk: Sendable {
  struct Date: Sendable {
    func duration(to other: Date) -> Duration { .zero }
    func advanced(by duration: Duration) -> Date { self }
  }

  let now = Date()
  func read(_ id: Int) throws -> (Article, Date)? { (Article(id: id, title: "Kept"), now) }
  func write(_ article: Article, _ id: Int, date: Date) throws {}
  func remove(_ id: Int) throws {}
  func removeAll() throws {}
}

private actor ArticleFolder: LoadStore {
  func value(for id: Int) async throws -> (value: Article, age: Duration)? {
    guard let (article, date) = try disk.read(id) else { return nil }
    return (article, date.duration(to: disk.now))
  }
  func store(_ article: Article, for id: Int, age: Duration, tags: Set<String>) async throws {
    try disk.write(article, id, date: disk.now.advanced(by: .zero - age))
  }
  func remove(_ id: Int) async throws { try disk.remove(id) }
  func removeAll() async throws { try disk.removeAll() }
  // The files do not have tags.
  func removeAll(tagged tags: Set<String>) async throws { try disk.removeAll() }
}

private let disk = Disk()

@MainActor
@Test func `the example of a store shows the stored value`() async throws {
  let loader = Loader<Article>.failure(Offline())
  let cache = LoadCache(
    staleAfter: .seconds(60), lifetime: .seconds(86_400), store: ArticleFolder())
  let article = Resource(loader.cached(in: cache, key: id))
  if let age = article.loadedAt?.duration(to: article.clock.now) { draw("as of \(age) ago") }
  article.appear()
  #expect(await article.settled().value?.title == "Kept")
}

private func plain() {
  let articles = Loader { try await api.articles() }
  draw(articles)
}

@MainActor
private func tags(_ scheduler: LoadScheduler) {
  let list = Loader { _ in try await api.articles() }.tagged("articles")
  draw(list)
  scheduler.invalidate("articles")
}

private struct TooManyRequests: RetryAdvice {
  let retryAfter: Duration?
}

private let loader = Loader<[Article]>.constant([])

@MainActor @Observable private final class Reader {
  let articles = Resource(loader)
}

@MainActor @Observable private final class Profile: LoadableObject {
  private(set) var state = LoadingState<User>.idle
  func load() {
    guard !state.isLoading else { return }
    state = .loading
    Task { state = await LoadingState { try await api.user() } }
  }
}

// MARK: Programs

private func printArticles() async throws {
  let loader = Loader { _ in try await api.articles() }
    .timeout(.seconds(10))
    .retrying(limit: 3)
  for try await event in loader.events() {
    switch event {
    case .attemptFailed(let error, _): print("Trying again: \(error)")
    case .value(let articles): for article in articles { print(article.title) }
    case .progress, .attempt: break
    }
  }
}

private struct ArticleService: Sendable {
  let limit = LoadLimit(8)
  let cache = LoadCache<Int, Article>(staleAfter: .seconds(60), lifetime: .seconds(600))

  func article(_ id: Int) async throws -> Article {
    try await Loader { _ in try await api.article(id) }
      .timeout(.seconds(2))
      .limited(by: limit)
      .cached(in: cache, key: id)
      .value()
  }
}

@Test func `the example of a server loads an article once for requests at the same time`()
  async throws
{
  let service = ArticleService()
  async let first = service.article(7)
  async let second = service.article(7)
  #expect(try await [first.id, second.id] == [7, 7])
  #expect(service.cache.count == 1)
}

// MARK: Resources

@MainActor
private func resources(_ resource: Resource<Article>, _ reader: Reader) {
  do {
    let article = Resource { try await api.article(id) }
    article.load()
    if case .loaded(let article) = article.state { draw(article.title) }
  }
  do {
    let articles = Resource(refreshing: Refreshing(interval: .seconds(60))) {
      try await api.articles()
    }
    articles.load()
  }
  switch resource.state {
  case .idle: EmptyView()
  case .loading(let progress): ProgressView(progress?.message ?? "Loading")
  case .failed(let error): Text("\(error)")
  case .loaded(let article): ArticleView(article)
  }
  switch reader.articles.state {
  case .idle: Prompt("r to load")
  case .loading(let progress): Placeholder(progress)
  case .failed(let error): ErrorPanel(error, retry: reader.articles.retry)
  case .loaded(let articles): ArticleList(articles)
  }
  let articles = ResourcePool<Article.ID, Article>(limit: LoadLimit(4)) { id in
    Loader { _ in try await api.article(id) }
  }
  draw(articles[id].state)
}

@MainActor
private func gate(_ gate: IndicatorGate, _ resource: Resource<Int>, _ now: AnyClock.Instant) {
  let indication = gate.indicator(for: resource.timing, at: now)
  if indication.isVisible { draw(spinner) }
  if let again = indication.changesAt { redraw(at: again) }
}

@MainActor
private func queries(_ posts: PagedResource<Article, Int>, _ text: String) {
  posts.load { cursor in
    Loader { _ in try await api.posts(after: cursor, matching: text) }
      .debounced(for: .milliseconds(200))
  }
}

@MainActor
private func pages(_ list: PagedResource<Article, Int>, _ posts: PagedResource<Article, Int>) {
  let id = 1
  list.content.mutate(item: id) { pages in
    pages.modify(id: id) { $0.isStarred = true }
  } commit: { _ in
    try await api.star(id)
  }
  if let post = posts.access(id: id, commit: { try await api.save($0.value) }) {
    post.isStarred.modify { $0.toggle() }
  }
}

@MainActor
private func lists(_ user: Resource<User>, _ posts: Resource<[Article]>) {
  do {
    let list = PagedResource { cursor in Loader { _ in try await api.items(after: cursor) } }
    list.load()
    list.show(0..<20)  // loads more near an end
  }
  let rows = RangedResource(count: Loader { _ in try await store.count() }) { range in
    Loader { _ in try await store.rows(range) }
  }
  rows.load()
  rows.show(99_950..<100_000)
  draw(rows[99_990])  // nil until its page is loaded
  rows.load(count: Loader { _ in try await store.count(of: text) }) { range in
    Loader { _ in try await store.rows(range, of: text) }
  }
  let page = PartialResource(user, posts)
  if case .loaded((let user, let posts)) = page.state { draw(user, posts) }  // either may be nil
  page.retry()  // only the failed parts
}
