import Synchronization
import Testing

@testable import Articles

@Suite struct SyncSessionTests {
  /// Counts its logins, and keeps what it was asked a token for.
  private final class Server: Sendable {
    let logins = Mutex(0)
    let tokens = Mutex<[String]>([])

    func logIn() -> String {
      logins.withLock {
        $0 += 1
        return "login \($0)"
      }
    }

    func token(_ authorization: String) -> String {
      tokens.withLock { $0.append(authorization) }
      return "token of " + authorization
    }
  }

  /// Requests of several threads that are refused while others read the secrets.
  @Test func `a token is fetched only for a login that was not rejected`() async throws {
    for _ in 1...2_000 {
      let server = Server()
      let session = SyncSession(.init(authorization: "old", token: "older")) { "password" }
      @Sendable func request() async throws {
        while true {
          let secrets = try await session.secrets { _ in
            server.logIn()
          } fetchToken: {
            server.token($0)
          }
          guard secrets.authorization == "old" else { return }
          await session.forget(.init(authorization: "old", token: secrets.token))
        }
      }
      try await withThrowingTaskGroup { group in
        for _ in 1...8 { group.addTask { try await request() } }
        try await group.waitForAll()
      }
      #expect(server.logins.withLock { $0 } == 1)
      try #require(server.tokens.withLock { $0 } == ["login 1"])
    }
  }
}
