import Foundation
import HTTP
import Loading

/// Where a feed's articles come from: a server, a file or a folder on this machine, or a program.
///
/// ``FeedSources`` chooses the source for a feed's address. The later steps, from parsing to
/// storing, do not know which source it was.
protocol FeedSource: Sendable {
  /// Reads the current state of the feed, and passes it to `use`.
  ///
  /// `use` is called in a turn of the fetch, see ``FeedFetch/turn``.
  ///
  /// - Throws: the error of `use`, or why nothing could be read.
  func read<Value: Sendable>(
    _ fetch: FeedFetch, use: @escaping @Sendable (FeedAnswer) async throws -> Value
  ) async throws -> Value
}

/// The parameters of reading one feed from its source.
struct FeedFetch: Sendable {
  let feed: StoredFeed
  /// Who named the feed's address.
  let origin: RequestOrigin
  /// The limits of time and redirects; the size is limited to ``FeedParser/sizeLimit``.
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

/// A turn to parse and store one feed.
struct FeedTurn: Sendable {
  let limit: LoadLimit
  /// Where the work runs; nil for the executor of the caller's task.
  let executor: (any TaskExecutor)?

  /// Waits for the turn and runs the work.
  func take<Value: Sendable>(
    _ work: @escaping @Sendable () async throws -> Value
  ) async throws -> Value {
    try await limit.withPermit { try await executor.run(work) }
  }
}

/// The answer of a source.
enum FeedAnswer: Sendable {
  /// Nothing has changed since the last fetch.
  case unchanged(notBefore: Date?)
  case document(FeedDocument)
  /// A feed that has no document, such as a folder of Markdown files.
  case feed(ParsedFeed, FetchFacts)
}

/// The document of a feed, or of a page that may link to one.
struct FeedDocument: Sendable {
  var bytes: [UInt8]
  /// The address of the document, after redirects.
  let address: String
  var charset: String?
  var facts = FetchFacts()
  var isPage = false
  /// The values of its `Link` header fields.
  var links: [String] = []

  func parsed() throws(FeedError) -> ParsedFeed {
    try FeedParser.parse(bytes, address: address, charset: charset)
  }
}

/// Chooses the source of a feed by its address.
struct FeedSources: Sendable {
  private let web: WebSource
  private let programs: any OutsidePrograms

  init(client: HTTPClient, programs: any OutsidePrograms = NoPrograms()) {
    web = WebSource(client: client)
    self.programs = programs
  }

  /// Returns the source for a feed's address.
  func source(of address: String) -> any FeedSource {
    if let path = FileAddress.path(address) { return LocalSource(path: path) }
    guard let program = ProgramAddress(address) else { return web }
    return ProgramSource(address: program, client: web.client, programs: programs)
  }
}

/// A file with a feed's document, or a folder of Markdown files.
///
/// Reading blocks, and all such feeds are available at once, so not even their bytes are read
/// before their turn.
struct LocalSource: FeedSource {
  let path: String

  func read<Value: Sendable>(
    _ fetch: FeedFetch, use: @escaping @Sendable (FeedAnswer) async throws -> Value
  ) async throws -> Value {
    try await fetch.turn.take { try await use(isFolder ? folder(fetch.feed) : file(fetch.feed)) }
  }

  /// Whether it is a folder without Markdown files.
  var isEmptyFolder: Bool { isFolder && (try? MarkdownFolder(path: path))?.isEmpty == true }

  private var isFolder: Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
  }

  private func file(_ feed: StoredFeed) throws -> FeedAnswer {
    let bytes = try FetchError.bytes(ofFile: path)
    return .document(FeedDocument(bytes: bytes, address: feed.feed.address))
  }

  private func folder(_ feed: StoredFeed) throws -> FeedAnswer {
    let folder = try MarkdownFolder(path: path)
    let mark = folder.mark
    if feed.hasArticles, feed.etag == mark { return .unchanged(notBefore: nil) }
    return .feed(try folder.feed(), FetchFacts(etag: mark))
  }
}
