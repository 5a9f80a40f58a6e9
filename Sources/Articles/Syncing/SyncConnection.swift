import Foundation
import HTTP

/// Sends requests to an account's server, for every protocol.
struct SyncConnection: Sendable {
  /// The base address, without a slash at its end.
  let address: String
  let user: String
  let client: HTTPClient
  var limits = HTTPRequest.Limits()
  var sendsPasswordsInClear = false
  let session: SyncSession
  var now: @Sendable () -> Date = { Date() }

  /// Sends a request; an answer with any status is returned.
  ///
  /// - Parameters:
  ///   - path: is appended to the base address.
  ///   - sizeLimit: the largest answer, in bytes.
  func send(
    _ path: String, _ body: HTTPRequest.Body?, headers: HTTPHeaders = HTTPHeaders(),
    sizeLimit: Int = ServerAnswer.sizeLimit
  ) async throws -> HTTPResponse {
    var request = HTTPRequest(url: address + path, headers: headers, body: body, limits: limits)
    request.limits.maximumBytes = sizeLimit
    request.sendsPasswordsInClear = sendsPasswordsInClear
    return try await client.send(request)
  }

  /// Returns the error for an answer with an error status.
  func refusal(_ response: HTTPResponse) -> SyncError {
    .refused(
      status: response.status,
      detail: UserMessage.cleaned(String(decoding: response.body.prefix(400), as: UTF8.self)),
      retryDate: CacheHeaders.retryDate(response.headers, now: now()))
  }
}
