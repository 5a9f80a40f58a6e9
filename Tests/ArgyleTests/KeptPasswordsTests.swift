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
    let removed = await passwords.removePassword(of: account())
    #expect(!removed.mayRemain)
    await #expect(throws: SyncError.noPassword(reason: "ann@reader.example")) {
      try await passwords.password(of: account())
    }
    try await removed.restore?()
    #expect(try await passwords.password(of: account()) == "another")
    #expect(await passwords.removePassword(of: account(["echo", "right"])).restore == nil)
  }

  /// Returns passwords with a secret service whose program is this script.
  private func passwords(_ script: String) throws -> KeptPasswords {
    let tool = folder.path + "/secret-tool"
    // Copied by another process: a file that this one has just written cannot be run for a moment if
    // another test started a program meanwhile, which has it open until it begins.
    try Data("#!/bin/sh\n\(script)\n".utf8).write(to: URL(filePath: tool + ".sh"))
    let copying = try Process.run(
      URL(filePath: "/usr/bin/install"), arguments: ["-m", "700", tool + ".sh", tool])
    copying.waitUntilExit()
    return KeptPasswords(
      directory: folder.path,
      environment: ["PATH": "/nowhere:" + folder.path, "DBUS_SESSION_BUS_ADDRESS": "unix:"])
  }

  @Test(.timeLimit(.minutes(10)))
  func `a secret service that never answers is given up, and the file has the password`()
    async throws
  {
    var passwords = try passwords("exec /bin/sleep 1000")
    passwords.patience = .milliseconds(50)
    let path = folder.path + "/accounts/7/password"
    #expect(try await passwords.keep("first", of: account()) == .file(path))
    #expect(try await passwords.password(of: account()) == "first")
    let removed = await passwords.removePassword(of: account())
    #expect(removed.restore != nil && !removed.mayRemain)
    #expect(!FileManager.default.fileExists(atPath: path))
  }

  @Test(arguments: ["exit 1", "exec /bin/sleep 1000"])
  func `a password that a secret service does not remove may still be there`(clear: String)
    async throws
  {
    var passwords = try passwords("case $1 in lookup) echo kept;; clear) \(clear);; esac")
    passwords.patience = .milliseconds(500)
    #expect(await passwords.removePassword(of: account()).mayRemain)
    #expect(!(await passwords.removePassword(of: account(["echo", "right"]))).mayRemain)
  }

  @Test func `the newest password counts, wherever it could be stored`() async throws {
    let kept = folder.path + "/kept"
    let passwords = try passwords(
      """
      case $1 in
        store) [ ! -e '\(kept).locked' ] && cat > '\(kept)';;
        lookup) cat '\(kept)';;
        clear) rm '\(kept)';;
      esac
      """)
    #expect(try await passwords.keep("first", of: account()) == .secretService)
    #expect(try await passwords.password(of: account()) == "first")
    try Data().write(to: URL(filePath: kept + ".locked"))
    let path = folder.path + "/accounts/7/password"
    #expect(try await passwords.keep("second", of: account()) == .file(path))
    #expect(try await passwords.password(of: account()) == "second")
    try FileManager.default.removeItem(atPath: kept + ".locked")
    #expect(try await passwords.keep("third", of: account()) == .secretService)
    #expect(try await passwords.password(of: account()) == "third")
    _ = await passwords.removePassword(of: account())
    await #expect(throws: SyncError.noPassword(reason: "ann@reader.example")) {
      try await passwords.password(of: account())
    }
  }

  @Test func `a program prints the password, or says why not`() async throws {
    let passwords = KeptPasswords(directory: folder.path, environment: [:])
    #expect(try await passwords.password(of: account(["echo", "right"])) == "right")
    await #expect(throws: SyncError.noPasswordPrinted(reason: "false: ended with status 1")) {
      try await passwords.password(of: account(["false"]))
    }
    await #expect(throws: SyncError.noPasswordPrinted(reason: "nowhere: No such file or directory"))
    {
      try await passwords.password(of: account(["nowhere"]))
    }
    await #expect(
      throws: SyncError.passwordTimedOut(program: "sleep", limit: .milliseconds(50))
    ) { try await KeptPasswords.printed(by: ["sleep", "1000"], within: .milliseconds(50)) }
    // No shell expands the variable.
    #expect(try await passwords.password(of: account(["echo", "$HOME;", "x"])) == "$HOME; x")
  }
}
