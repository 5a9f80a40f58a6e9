import TestServer
import Testing

@testable import Articles

/// Tests of the search for the API of a server whose plain address the user gives.
@Suite(.timeLimit(.minutes(10))) struct AccountAddressTests {
  @Test(arguments: [
    // The web interface of FreshRSS, or a single sign-on.
    Answer.whole("", status: 302, headers: ["Location": "/i/"]),
    .whole("<p>Password?", status: 401, headers: ["WWW-Authenticate": "Basic realm=\"Web\""]),
    .whole("<p>No", status: 403, headers: ["Content-Type": "text/html"]),
    .whole("<p>Welcome"),
  ])
  func `a web site at the address of a server does not hide its API`(site: Answer) async throws {
    let reader = try SyncedReader()
    reader.double.edit { $0.site = site }
    _ = try await reader.addAccount()
    #expect(
      try await reader.library.storedAccounts().map(\.account.address) == [reader.double.address])
  }

  @Test func `a wrong password is tried at one path only`() async throws {
    let reader = try SyncedReader()
    reader.double.edit { $0.refusesPassword = true }
    await #expect(throws: SyncError.passwordRefused) { try await reader.addAccount() }
    #expect(reader.double.edit(\.requests).count { $0.hasSuffix("ClientLogin") } == 1)
  }

  @Test func `FreshRSS says that its API is switched off`() async throws {
    let reader = try SyncedReader()
    reader.double.edit { $0.isSwitchedOff = true }
    let error = await #expect(throws: SyncError.self) { try await reader.addAccount() }
    #expect(error?.message.detail == "HTTP status 503: Service Unavailable!")
    #expect(error?.message.advice.contains("FreshRSS") == true)
  }

  @Test func `a redirect is the reason if there is an API nowhere`() async throws {
    let server = try TestServer()
    server.answer(TestServer.anyPath) { _ in
      .whole("", status: 302, headers: ["Location": "/login"])
    }
    let error = await #expect(throws: (any Error).self) {
      try await SyncedReader().library.addAccount(
        address: server.url(""), user: "me", password: "secret")
    }
    #expect(error.map { UserMessage($0).what.contains("redirects") } == true)
  }
}
