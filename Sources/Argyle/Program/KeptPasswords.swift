import Articles
import Foundation
import Limits

/// Stores the passwords of accounts: in the system's secret service if there is one, else in files
/// that only their owner can read.
///
/// Nothing is stored if a program of the user's prints the password.
struct KeptPasswords: AccountPasswords {
  /// Where a password was stored.
  enum Place: Equatable {
    case secretService
    case file(String)
  }

  /// The data folder.
  let directory: String
  var environment = Settings.processEnvironment
  /// How long the secret service may take: it may ask the user to unlock a keyring, on a screen that
  /// nobody sees.
  var patience = Self.patience

  /// Stores the password of an account, replacing the previous one.
  ///
  /// - Throws: ``CommandFailure``, or `CancellationError`.
  func keep(_ password: String, of account: SyncAccount) async throws -> Place {
    let label = ["--label", "Argyle: \(account.name)"]
    do {
      _ = try await secretService("store", label, of: account, input: password)
      try? FileManager.default.removeItem(atPath: file(of: account))
      return .secretService
    } catch let error as CancellationError {
      throw error
    } catch {
      // Without the service, the file has it.
    }
    let path = file(of: account)
    do {
      try FileManager.default.createDirectory(
        atPath: (path as NSString).deletingLastPathComponent, withIntermediateDirectories: true,
        attributes: [.posixPermissions: 0o700])
      // The file is created with its final permissions, and renamed once it is complete, so that
      // nobody else can read it and a crash leaves no half of it.
      let new = path + ".new"
      unlink(new)
      let descriptor = open(new, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
      guard descriptor >= 0 else { throw CocoaError(.fileWriteNoPermission) }
      let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
      try handle.write(contentsOf: Data(password.utf8))
      try handle.synchronize()
      guard rename(new, path) == 0 else { throw CocoaError(.fileWriteUnknown) }
    } catch {
      throw CommandFailure(
        status: .cannotWrite, "The password cannot be kept.",
        advice: "Check the permissions of the folder, or use --password-command.", detail: path)
    }
    return .file(path)
  }

  func password(of account: SyncAccount) async throws -> String {
    if let command = account.passwordCommand { return try await Self.printed(by: command) }
    // A file is newer than what the service has: it is removed once the service takes a password.
    if let bytes = try? FileReader.bytes(of: file(of: account), limit: 1 << 16),
      let password = String(validating: bytes, as: UTF8.self), !password.isEmpty
    {
      return password
    }
    guard let password = try? Self.firstLine(of: await secretService("lookup", of: account)) else {
      throw SyncError.noPassword(reason: account.name)
    }
    return password
  }

  func removePassword(of account: SyncAccount) async -> RemovedPassword {
    let password =
      account.passwordCommand == nil ? try? await self.password(of: account) : nil
    let mayRemain = await forget(account)
    guard let password else { return RemovedPassword(mayRemain: mayRemain) }
    // Stays in memory as long as the removal can be undone.
    return RemovedPassword(mayRemain: mayRemain) { _ = try await keep(password, of: account) }
  }

  /// Removes the password of an account from wherever it is stored.
  ///
  /// Cancellation does not stop this halfway. The file goes first: the service may wait for the user.
  ///
  /// - Returns: whether the service may still have it: it has not removed it, and the password is
  ///   nowhere else.
  func forget(_ account: SyncAccount) async -> Bool {
    let isElsewhere =
      account.passwordCommand != nil || access(file(of: account), F_OK) == 0
    try? FileManager.default.removeItem(atPath: file(of: account))
    let isCleared = await Task { (try? await secretService("clear", of: account)) != nil }.value
    return !isCleared && !isElsewhere
  }

  /// What the user is told about the password then.
  static let remains = "may still be in the system's keyring. Remove it there."

  /// How long a program may take to print a password: it may ask the user to unlock a keyring.
  static let patience = Duration.seconds(120)

  /// Runs a command and returns the first line of its output that is not blank.
  ///
  /// - Parameter limit: the time after which the command is ended.
  /// - Throws: ``SyncError/noPasswordPrinted(reason:)``,
  ///   ``SyncError/passwordTimedOut(program:limit:)`` or `CancellationError`.
  static func printed(
    by command: [String], within limit: Duration = patience
  ) async throws -> String {
    guard let program = command.first else {
      throw SyncError.noPasswordPrinted(reason: "no command")
    }
    let reason: String
    do {
      let output = try await UserPrograms().output(
        of: command, input: [], limits: ProgramLimits(time: limit, size: 1 << 16))
      if let line = firstLine(of: output) { return line }
      reason = "it printed nothing"
    } catch ProgramError.timedOut {
      throw SyncError.passwordTimedOut(program: program, limit: limit)
    } catch ProgramError.failed(_, let how, let errors) {
      reason = errors.isEmpty ? how : errors
    } catch ProgramError.notStarted(_, let error) {
      reason = error
    } catch ProgramError.tooLarge {
      reason = "it printed too much"
    }
    throw SyncError.noPasswordPrinted(reason: "\(program): \(reason)")
  }

  /// Returns the first line that is not blank; nil if there is none.
  private static func firstLine(of output: [UInt8]) -> String? {
    String(decoding: output, as: UTF8.self).split(whereSeparator: \.isNewline)
      .first { line in line.contains { !$0.isWhitespace } }.map(String.init)
  }

  // MARK: Implementation

  /// Runs the program of the secret service, and returns what it prints.
  ///
  /// - Throws: `ProgramError`, also if there is no such program, or `CancellationError`.
  private func secretService(
    _ verb: String, _ options: [String] = [], of account: SyncAccount, input: String = ""
  ) async throws -> [UInt8] {
    guard let secretTool else { throw ProgramError.notAllowed("secret-tool") }
    let attributes = ["service", "argyle", "server", account.address, "user", account.user]
    return try await UserPrograms().output(
      of: [secretTool, verb] + options + attributes, input: Array(input.utf8),
      limits: ProgramLimits(time: patience, size: 1 << 16))
  }

  /// The program through which the secret service is reached; nil if there is none.
  private var secretTool: String? {
    guard environment["DBUS_SESSION_BUS_ADDRESS"]?.isEmpty == false else { return nil }
    return (environment["PATH"] ?? "").split(separator: ":").map { "\($0)/secret-tool" }
      .first { access($0, X_OK) == 0 }
  }

  private func file(of account: SyncAccount) -> String {
    "\(directory)/accounts/\(account.id.rawValue)/password"
  }
}
