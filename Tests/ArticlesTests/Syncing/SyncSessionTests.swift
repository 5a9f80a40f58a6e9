import Testing

@testable import Articles

@Suite struct SyncSessionTests {
  /// Requests of several threads that are refused while others read the secrets.
  @Test func `secrets that were rejected are replaced by one login`() async throws {
    for _ in 1...2_000 {
      let logins = SyncedReader.Counter()
      let old = SyncSession.Secrets(authorization: "old", token: "older")
      let session = SyncSession(old) { "password" }
      @Sendable func request() async throws {
        while true {
          let secrets = try await session.secrets(needsToken: true) { _ in
            let number = logins.count.withLock {
              $0 += 1
              return $0
            }
            return .init(authorization: "login \(number)", token: "token \(number)")
          }
          guard secrets == old else { return }
          await session.forget(secrets)
        }
      }
      try await withThrowingTaskGroup { group in
        for _ in 1...8 { group.addTask { try await request() } }
        try await group.waitForAll()
      }
      try #require(logins.count.withLock(\.self) == 1)
    }
  }

  @Test(arguments: [true, false])
  func `stored secrets without a token count as none if it is needed`(
    needsToken: Bool
  ) async throws {
    let session = SyncSession(.init(authorization: "old")) { "password" }
    let secrets = try await session.secrets(needsToken: needsToken) { password in
      .init(authorization: password, token: "new")
    }
    #expect(secrets.authorization == (needsToken ? "password" : "old"))
  }
}
