import Foundation
import HTTP
import Loading

/// Where the articles of a feed come from: a server, a file or a folder of this machine, a program.
///
/// ``FeedSources`` chooses the one for a feed's address. What comes after it, from parsing to storing,
/// does not know which it was.
protocol FeedSource: Sendable {
  /// Reads what the feed has now, and passes it to `use`.
  ///
  /// `use` is called in a turn of the fetch, see ``FeedFetch/turn``.
  ///
  /// - Throws: what `use` throws, or why nothing could be read.
  func read<Value: Sendable>(
    _ fetch: FeedFetch, use: @escaping @Sendable (FeedAnswer) async throws -> Value
  ) async throws -> Value
}

/// A feed that is to be read from its source, and on which terms.
struct FeedFetch: Sendable {
  let feed: StoredFeed
  /// Who named the feed's address.
  let origin: RequestOrigin
  /// What it may cost; the size of a document is the parser's to limit.
  let limits: HTTPRequest.Limits
  /// Whether the password may be sent over `http` to another machine.
  var sendsPasswordsInClear = false
  let now: Date
  /// Limits how many feeds are parsed and stored at the same time.
  let turn: FeedTurn
  /// The programs that may be run, by name.
  var programs: [String: FeedProgram] = [:]
  var progress: (@Sendable (HTTPProgress) -> Void)?
}

/// One of the turns in which feeds are parsed and stored.
struct FeedTurn: Sendable {
  let limit: LoadLimit
  /// Where the work is done; nil for the executor of the caller's task.
  let executor: (any TaskExecutor)?

  /// Does the work when the turn has come.
  func take<Value: Sendable>(
    _ work: @escaping @Sendable () async throws -> Value
  ) async throws -> Value {
    try await limit.withPlace {
      try await withTaskExecutorPreference(executor) { try await Self.apart(work) }
    }
  }

  @concurrent
  private static func apart<Value: Sendable>(
    _ work: @Sendable () async throws -> Value
  ) async throws -> Value {
    try await work()
  }
}

/// What a source has.
enum FeedAnswer: Sendable {
  /// Nothing has changed since the last fetch.
  case unchanged(notBefore: Date?)
  case document(FeedDocument)
  /// Something that is no document but can be read as a feed.
  case feed(ParsedFeed, FetchFacts)
}

/// The document of a feed, or of a page that may name one.
struct FeedDocument: Sendable {
  var bytes: [UInt8]
  /// The address that it came from, after redirects.
  let address: String
  var charset: String?
  var facts = FetchFacts()
  var isPage = false
  /// What its `Link` headers say.
  var links: [String] = []
}

/// All sources, by the addresses that they are for.
struct FeedSources: Sendable {
  private let web: WebSource
  private let programs: any OutsidePrograms

  init(client: HTTPClient, programs: any OutsidePrograms = NoPrograms()) {
    web = WebSource(client: client)
    self.programs = programs
  }

  /// The source of the feed with an address.
  func source(of address: String) -> any FeedSource {
    if let path = FileAddress.path(address) { return LocalSource(path: path) }
    guard let program = ProgramAddress(address) else { return web }
    return ProgramSource(address: program, client: web.client, programs: programs)
  }
}
