import Articles
import Foundation
import PseudoTerminal
import Testing

@testable import Argyle

@Suite struct KeptPasswordsTests {
  private let folder: TemporaryDirectory

  init() throws { folder = try TemporaryDirectory() }

  private func account(_ command: [String]? = nil) -> SyncAccount {
    SyncAccount(
      id: SyncAccount.ID(rawValue: 7), kind: .googleReader, address: "https://reader.example",
      user: "ann", passwordCommand: command)
  }

  @Test func `without a secret service a password is in a file of its owner's`() async throws {
    let passwords = KeptPasswords(directory: folder.path, environment: ["PATH": "/usr/bin"])
    let place = try await passwords.keep("gehéim", of: account())
    let path = folder.path + "/accounts/7/password"
    #expect(place == .file(path))
    #expect(try await passwords.password(of: account()) == "gehéim")
    let attributes = try FileManager.default.attributesOfItem(atPath: path)
    #expect(attributes[.posixPermissions] as? Int == 0o600)
    #expect(try await passwords.keep("another", of: account()) == .file(path))
    #expect(try await passwords.password(of: account()) == "another")
    await passwords.removePassword(of: account())
    await #expect(throws: SyncError.noPassword(reason: "ann@reader.example")) {
      try await passwords.password(of: account())
    }
  }

  @Test func `a program prints the password, or says why not`() async throws {
    let passwords = KeptPasswords(directory: folder.path, environment: [:])
    #expect(try await passwords.password(of: account(["echo", "right"])) == "right")
    await #expect(throws: SyncError.noPassword(reason: "false: it printed nothing")) {
      try await passwords.password(of: account(["false"]))
    }
    await #expect(throws: SyncError.noPassword(reason: "nowhere: No such file or directory")) {
      try await passwords.password(of: account(["nowhere"]))
    }
    // No shell expands the variable.
    #expect(try await passwords.password(of: account(["echo", "$HOME;", "x"])) == "$HOME; x")
  }
}
