import LoadingTesting
import Observation
import Testing

@testable import Loading

// The list of the page "A list that opens offline", word for word, and tests of what it shows.

private struct Post: Identifiable, Equatable, Sendable {
  let id: Int
  let title: String
  let author: Int
}

private protocol PostServer: Sendable {
  func posts() async throws -> [Post]
  func names(of authors: [Int]) async throws -> [Int: String]
  func publish(_ post: Post) async throws
}

@MainActor @Observable
private final class PostList {
  private let server: any PostServer
  private let posts: Resource<[Post]>
  private let authors: ResourcePool<Int, String>

  init(
    _ server: any PostServer, store: any LoadStore<String, [Post]>, clock: AnyClock,
    scheduler: LoadScheduler
  ) {
    self.server = server
    let cache = LoadCache(staleAfter: .seconds(60), lifetime: .seconds(86_400), store: store)
    posts = Resource(
      Loader { _ in try await server.posts() }.tagged("posts").cached(in: cache, key: "all"),
      clock: clock, scheduler: scheduler)
    let names = LoadBatch<Int, String> { authors in try await server.names(of: authors) }
    authors = ResourcePool(clock: clock, scheduler: scheduler) { author in
      Loader.batched(author, in: names)
    }
  }

  var rows: [String] {
    (posts.latestValue ?? []).map { "\($0.title) by \(authors[$0.author].latestValue ?? "…")" }
  }

  /// How old the rows are, and whether newer ones could not be loaded.
  var footer: String {
    guard let since = posts.loadedAt else { return posts.isLoading ? "Loading" : "Nothing yet" }
    let age = since.duration(to: posts.clock.now).components.seconds
    return "\(age) s old" + (posts.currentFailure == nil ? "" : ", could not be loaded again")
  }

  func appear() { posts.appear() }
  func showRow(of post: Post.ID) {
    if let post = posts.latestValue?.first(where: { $0.id == post }) { authors[post.author].load() }
  }

  /// Shows a post at once; when it is published, every list of posts is loaded again.
  func publish(_ post: Post) {
    let publishing = Mutation<[Post]>(item: post.id) { posts in
      posts.append(post)
    } commit: { [server] _ in
      try await server.publish(post)
    }
    posts.mutate(publishing.invalidating("posts"))
  }
}

// MARK: What it shows

private struct Offline: Error {}

/// A server that can be unreachable and records its requests.
private final class Server: PostServer {
  let state = Lock((posts: [Post](), isReachable: true, requests: [String]()))

  init(_ posts: [Post]) { state.withLock { $0.posts = posts } }

  private func answer<Answer>(
    _ request: String, _ body: (inout [Post]) -> Answer
  ) throws -> Answer {
    try state.withLock { state in
      state.requests.append(request)
      guard state.isReachable else { throw Offline() }
      return body(&state.posts)
    }
  }

  func posts() async throws -> [Post] { try answer("posts") { $0 } }

  func names(of authors: [Int]) async throws -> [Int: String] {
    try answer("names of \(authors)") { _ in [1: "Ann", 2: "Bo"] }
  }

  func publish(_ post: Post) async throws { try answer("publish \(post.id)") { $0.append(post) } }
}

/// A store that outlives the lists.
private final class Folder: LoadStore {
  private let kept = Lock<[String: (value: [Post], date: Duration)]>([:])
  private let now: @Sendable () -> Duration

  init(now: @escaping @Sendable () -> Duration) { self.now = now }

  func value(for key: String) async throws -> (value: [Post], age: Duration)? {
    kept.withLock { $0[key] }.map { ($0.value, now() - $0.date) }
  }

  func store(_ posts: [Post], for key: String, age: Duration, tags: Set<String>) async throws {
    kept.withLock { $0[key] = (posts, now() - age) }
  }

  func remove(_ key: String) async throws { kept.withLock { $0[key] = nil } }
  func removeAll() async throws { kept.withLock { $0 = [:] } }
  func removeAll(tagged tags: Set<String>) async throws { try await removeAll() }
}

@MainActor
@Suite(.leavesNothingBehind) struct OfflineExamples {
  private let runtime = ManualRuntime()
  private let server = Server([
    Post(id: 1, title: "Wool", author: 1), Post(id: 2, title: "Silk", author: 2),
  ])
  private let folder: Folder

  init() {
    let clock = runtime.clock
    folder = Folder { clock.now.offset }
  }

  /// Returns the list of a new run of the program, with the stored posts.
  private func start() -> PostList {
    let list = PostList(
      server, store: folder, clock: runtime.clock.any, scheduler: runtime.scheduler)
    list.appear()
    runtime.run()
    return list
  }

  @Test func `rows share one request for their authors`() {
    let list = start()
    #expect(list.rows == ["Wool by …", "Silk by …"])
    list.showRow(of: 1)
    list.showRow(of: 2)
    runtime.advance(by: .milliseconds(50))
    #expect(list.rows == ["Wool by Ann", "Silk by Bo"])
    #expect(server.state.withLock { $0.requests } == ["posts", "names of [1, 2]"])
  }

  @Test func `the next run shows the stored posts with their age, even offline`() {
    _ = start()
    runtime.advance(by: .seconds(90))
    server.state.withLock { $0.isReachable = false }
    let list = start()
    #expect(list.rows == ["Wool by …", "Silk by …"])
    #expect(list.footer == "90 s old, could not be loaded again")
  }

  @Test func `a published post shows at once and invalidates every list of posts`() {
    let (list, other) = (start(), start())
    list.publish(Post(id: 3, title: "Flax", author: 1))
    #expect(list.rows.last == "Flax by …")
    #expect(other.rows.count == 2)
    runtime.run()
    #expect(other.rows == ["Wool by …", "Silk by …", "Flax by …"])
    #expect(list.rows == other.rows)
  }
}
