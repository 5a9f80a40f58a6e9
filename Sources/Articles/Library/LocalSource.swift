import Foundation

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
