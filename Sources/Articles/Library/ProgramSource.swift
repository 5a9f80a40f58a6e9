import Foundation
import HTTP
import Loading

/// Gets a feed from a program of the user, which writes it with or without a server's answer as its
/// input.
struct ProgramSource: FeedSource {
  let address: ProgramAddress
  let client: HTTPClient
  let programs: any OutsidePrograms

  /// - Throws: also ``ProgramError``.
  func read<Value: Sendable>(
    _ fetch: FeedFetch, use: @escaping @Sendable (FeedAnswer) async throws -> Value
  ) async throws -> Value {
    // The configuration may have changed since the feed was added.
    guard let program = fetch.programs[address.name] else {
      throw ProgramError.notAllowed(address.name)
    }
    var facts = FetchFacts()
    var input: [UInt8] = []
    if let source = address.source {
      let answer = try await answer(of: source, fetch)
      input = answer.body
      facts.beginsInPublic = answer.head.beginsInPublic
      facts.contentOrigin = answer.head.contentOrigin
    }
    let output = try await programs.output(
      of: program.command, input: input,
      limits: ProgramLimits(time: program.time, size: FeedParser.sizeLimit))
    // Programs do not report changes: a hash of the output shows whether it is the same as before.
    let mark = StableIDs.hash([String(decoding: output, as: UTF8.self)])
    facts.etag = mark
    let document = FeedDocument(
      bytes: output, address: address.source ?? address.text, facts: facts)
    let isUnchanged = fetch.feed.hasArticles && fetch.feed.etag == mark
    return try await fetch.turn.take {
      try await use(isUnchanged ? .unchanged(notBefore: nil) : .document(document))
    }
  }

  private func answer(of source: String, _ fetch: FeedFetch) async throws -> HTTPResponse {
    var request = HTTPRequest(url: source, limits: fetch.limits, origin: fetch.origin)
    request.limits.maximumBytes = FeedParser.sizeLimit
    let answer = try await client.send(request, progress: fetch.progress)
    guard 200...299 ~= answer.status else {
      throw FetchError.status(
        answer.status, retryDate: CacheHeaders.retryDate(answer.head.headers, now: fetch.now))
    }
    return answer
  }
}
