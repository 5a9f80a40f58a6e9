import HTTP
import Foundation
/// The login on a server, kept from one sync to the next, so that the password is rarely needed.
actor SyncSession {
  /// What a server returned for the password.
  struct Secrets: Sendable, Hashable, Codable {
    var authorization: String?
    var token: String?

    /// Only Miniflux uses the same value for the login and the token.
    var areOfMiniflux: Bool { token != nil && token == authorization }
  }

  private(set) var secrets: Secrets
  private let password: @Sendable () async throws -> String
  /// The running login, which all requests that need one share.
  private var login: Task<Secrets, any Error>?

  /// - Parameters:
  ///   - secrets: the secrets of the last sync.
  ///   - password: returns the password; called when there is no login, or after ``forget()``.
  init(_ secrets: Secrets = Secrets(), password: @escaping @Sendable () async throws -> String) {
    self.secrets = secrets
    self.password = password
  }

  /// Returns the secrets of requests; logs in if there are none.
  ///
  /// Concurrent callers share one login, and its failure: a server may block an account after a few
  /// wrong passwords.
  ///
  /// - Parameters:
  ///   - needsToken: whether stored secrets without a token count as none.
  ///   - logIn: returns all secrets for a password.
  func secrets(
    needsToken: Bool, logIn: @escaping @Sendable (String) async throws -> Secrets
  ) async throws -> Secrets {
    if secrets.authorization != nil, secrets.token != nil || !needsToken { return secrets }
    if let login { return try await Self.value(of: login) }
    let task = Task {
      defer { login = nil }
      secrets = try await logIn(try await password())
      return secrets
    }
    login = task
    return try await Self.value(of: task)
  }

  /// Waits for a task that several requests share.
  ///
  /// All of them belong to one sync, so they are cancelled together.
  private static func value(of task: Task<Secrets, any Error>) async throws -> Secrets {
    try await withTaskCancellationHandler {
      try await task.value
    } onCancel: {
      task.cancel()
    }
  }

  func forget() { secrets = Secrets() }

  /// Forgets secrets that the server has rejected, unless they have been replaced since: another
  /// request that was rejected may have logged in again.
  func forget(_ rejected: Secrets) {
    if rejected == secrets { forget() }
  }
}

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

  /// Returns the error for an answer with status 401 or 403 to a login, or to a request right after
  /// one.
  ///
  /// A web server in front of the API refuses requests, too: it wants a password of its own, or
  /// takes this program for a robot for a while. That says nothing about the account's password.
  func loginRefusal(_ response: HTTPResponse) -> SyncError {
    let challenge = response.headers["WWW-Authenticate"]?.lowercased() ?? ""
    let isRefused =
      response.status == 401
      ? !challenge.hasPrefix("basic")
      // The status and the words of Google's own servers.
      : response.body.starts(with: "Error=BadAuthentication".utf8)
    return isRefused ? .passwordRefused : refusal(response)
  }

  /// Returns the error for an answer with an error status.
  func refusal(_ response: HTTPResponse) -> SyncError {
    // A page that a web server makes for its visitors says nothing beyond the status.
    let isPage = response.headers["Content-Type"]?.lowercased().hasPrefix("text/html") == true
    let words = isPage ? "" : String(decoding: response.body.prefix(400), as: UTF8.self)
    return .refused(
      status: response.status, detail: UserMessage.cleaned(words),
      retryDate: CacheHeaders.retryDate(response.headers, now: now()))
  }
}
