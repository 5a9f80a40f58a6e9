import Foundation

/// Starts other programs: without a shell, which would read what comes from outside as commands.
public enum ChildProcess {
  /// What one of its standard streams is.
  public enum Stream: Sendable {
    case nothing
    case descriptor(Int32)
    /// This program's own.
    case inherited
  }

  /// Why a program was not started.
  public struct Failure: Error, Hashable, Sendable {
    /// The system's number for it.
    public let code: Int32
  }

  /// Starts a program.
  ///
  /// - Parameters:
  ///   - program: a path, or a name to be looked for in `PATH`.
  ///   - environment: as `NAME=value`; this program's own where there is none.
  ///   - hasTerminal: whether the keys that end and stop a program are for it, and its errors are seen.
  ///     Otherwise it is in a process group of its own, and its errors go nowhere.
  /// - Returns: its process, which has to be waited for.
  public static func start(
    _ program: String, _ arguments: [String] = [], environment: [String]? = nil,
    input: Stream = .nothing, output: Stream = .nothing, hasTerminal: Bool = false
  ) throws(Failure) -> pid_t {
    var actions = posix_spawn_file_actions_t()
    var attributes = posix_spawnattr_t()
    posix_spawn_file_actions_init(&actions)
    posix_spawnattr_init(&attributes)
    defer {
      posix_spawn_file_actions_destroy(&actions)
      posix_spawnattr_destroy(&attributes)
    }
    for (target, stream) in [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO]
      .enumerated().map({ ($1, [input, output, hasTerminal ? .inherited : .nothing][$0]) })
    {
      switch stream {
      case .nothing: posix_spawn_file_actions_addopen(&actions, target, "/dev/null", O_RDWR, 0)
      case .descriptor(let source): posix_spawn_file_actions_adddup2(&actions, source, target)
      case .inherited: break
      }
    }
    // What this program ignores and blocks, to handle it itself, a child would inherit for good.
    var signals = sigset_t()
    sigemptyset(&signals)
    posix_spawnattr_setsigmask(&attributes, &signals)
    sigfillset(&signals)
    posix_spawnattr_setsigdefault(&attributes, &signals)
    posix_spawnattr_setflags(
      &attributes,
      Int16(
        (hasTerminal ? 0 : POSIX_SPAWN_SETPGROUP) | POSIX_SPAWN_SETSIGMASK
          | POSIX_SPAWN_SETSIGDEF))
    let words: [UnsafeMutablePointer<CChar>?] = ([program] + arguments).map { strdup($0) } + [nil]
    let variables: [UnsafeMutablePointer<CChar>?]? = environment.map {
      $0.map { strdup($0) } + [nil]
    }
    defer { (words + (variables ?? [])).forEach { free($0) } }
    var id = pid_t()
    let code =
      if let variables {
        posix_spawnp(&id, program, &actions, &attributes, words, variables)
      } else {
        posix_spawnp(&id, program, &actions, &attributes, words, environ)
      }
    guard code == 0 else { throw Failure(code: code) }
    return id
  }

  /// Starts a program that reads a text.
  ///
  /// The text is in a file that has no name any more: a pipe would have to be filled while the program
  /// reads.
  public static func start(
    _ program: String, _ arguments: [String], reading text: String, hasTerminal: Bool
  ) throws(Failure) -> pid_t {
    let path = NSTemporaryDirectory() + "/argyle-" + UUID().uuidString
    let file = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard file >= 0 else { throw Failure(code: errno) }
    defer { close(file) }
    unlink(path)
    var bytes = Array(text.utf8)[...]
    while !bytes.isEmpty {
      let count = bytes.withUnsafeBytes { write(file, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw Failure(code: errno) }
      bytes = bytes.dropFirst(count)
    }
    lseek(file, 0, SEEK_SET)
    return try start(
      program, arguments, input: .descriptor(file), output: hasTerminal ? .inherited : .nothing,
      hasTerminal: hasTerminal)
  }

  /// How a program ended.
  public enum Ending: Hashable, Sendable {
    case status(Int32)
    case signal(Int32)
  }

  /// Waits for the end of a program.
  public static func end(of child: pid_t) async -> Ending {
    await withCheckedContinuation { continuation in
      // Not on a queue of the system's pool, which from then on would wake the process every second.
      DispatchQueue(label: "child process", qos: .utility).async {
        var status: Int32 = 0
        while waitpid(child, &status, 0) < 0, errno == EINTR {}
        let signal = status & 0x7F
        continuation.resume(returning: signal == 0 ? .status(status >> 8 & 0xFF) : .signal(signal))
      }
    }
  }
}
