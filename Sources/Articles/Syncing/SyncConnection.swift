import Foundation
import HTTP

/// The way to the server of an account, whichever protocol it speaks.
struct SyncConnection: Sendable {
  /// What every address begins with; without a slash at its end.
  let address: String
  let user: String
  let client: HTTPClient
  var limits = HTTPRequest.Limits()
  var sendsPasswordsInClear = false
  let session: SyncSession
  var now: @Sendable () -> Date = { Date() }

  /// Sends a request, whatever the status of its answer.
  ///
  /// - Parameters:
  ///   - path: what follows the address of the server.
  ///   - sizeLimit: the most bytes that the answer may have.
  func send(
    _ path: String, _ body: HTTPRequest.Body?, headers: HTTPHeaders = HTTPHeaders(),
    sizeLimit: Int = ServerAnswer.sizeLimit
  ) async throws -> HTTPResponse {
    var request = HTTPRequest(url: address + path, headers: headers, body: body, limits: limits)
    request.limits.maximumBytes = sizeLimit
    request.sendsPasswordsInClear = sendsPasswordsInClear
    return try await client.send(request)
  }

  /// What an answer without success means.
  func refusal(_ response: HTTPResponse) -> SyncError {
    .refused(
      status: response.status,
      detail: UserMessage.cleaned(String(decoding: response.body.prefix(400), as: UTF8.self)),
      retryDate: CacheHeaders.retryDate(response.headers, now: now()))
  }
}
