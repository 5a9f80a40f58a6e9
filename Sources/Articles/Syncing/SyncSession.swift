/// The login on a server, kept from one sync to the next, so that the password is rarely needed.
actor SyncSession {
  /// What a server returned for the password.
  struct Secrets: Sendable, Hashable, Codable {
    var authorization: String?
    var token: String?
  }

  private(set) var secrets: Secrets
  private let password: @Sendable () async throws -> String

  /// - Parameters:
  ///   - secrets: the secrets of the last sync.
  ///   - password: returns the password; called when there is no login, or after ``forget()``.
  init(_ secrets: Secrets = Secrets(), password: @escaping @Sendable () async throws -> String) {
    self.secrets = secrets
    self.password = password
  }

  func authorization(logIn: (String) async throws -> String) async throws -> String {
    if let authorization = secrets.authorization { return authorization }
    let authorization = try await logIn(try await password())
    secrets = Secrets(authorization: authorization)
    return authorization
  }

  func token(fetch: () async throws -> String) async throws -> String {
    if let token = secrets.token { return token }
    let token = try await fetch()
    secrets.token = token
    return token
  }

  func forget() { secrets = Secrets() }
}
