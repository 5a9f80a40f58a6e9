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
  ///   - hasTerminal: whether the keys that end and stop a program are for it. Otherwise it is in a
  ///     process group of its own.
  /// - Returns: its process, which has to be waited for.
  public static func start(
    _ program: String, _ arguments: [String] = [], environment: [String]? = nil,
    input: Stream = .nothing, output: Stream = .nothing, errors: Stream = .nothing,
    hasTerminal: Bool = false
  ) throws(Failure) -> pid_t {
    var actions = posix_spawn_file_actions_t()
    var attributes = posix_spawnattr_t()
    posix_spawn_file_actions_init(&actions)
    posix_spawnattr_init(&attributes)
    defer {
      posix_spawn_file_actions_destroy(&actions)
      posix_spawnattr_destroy(&attributes)
    }
    for (target, stream) in [
      (STDIN_FILENO, input), (STDOUT_FILENO, output), (STDERR_FILENO, errors),
    ] {
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

  /// Opens a file with some bytes that has no name any more, to be closed afterwards: for what a
  /// program reads.
  ///
  /// A pipe would have to be filled while the program runs.
  public static func namelessFile(_ bytes: [UInt8]) throws(Failure) -> Int32 {
    let path = temporaryPath()
    let file = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard file >= 0 else { throw Failure(code: errno) }
    unlink(path)
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { write(file, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else {
        defer { close(file) }
        throw Failure(code: errno)
      }
      rest = rest.dropFirst(count)
    }
    lseek(file, 0, SEEK_SET)
    return file
  }

  private static func temporaryPath() -> String {
    NSTemporaryDirectory() + "/argyle-" + UUID().uuidString
  }

  /// Opens a pipe that keeps the beginning of what a program writes, to be closed afterwards.
  ///
  /// A program that writes more than a pipe holds gets an error for the rest: a file would grow until the
  /// disk is full. Both ends are one descriptor, which the program has, too: nobody has to read, and no
  /// signal ends the program when it goes on after this one has ended.
  public static func outputPipe() throws(Failure) -> Int32 {
    let path = temporaryPath()
    guard mkfifo(path, 0o600) == 0 else { throw Failure(code: errno) }
    let pipe = open(path, O_RDWR | O_NONBLOCK | O_CLOEXEC)
    let code = errno
    unlink(path)
    guard pipe >= 0 else { throw Failure(code: code) }
    return pipe
  }

  /// Opens a pipe whose end shows when nobody has it open for writing any more; both ends are to be
  /// closed afterwards.
  ///
  /// As a file that has no name any more, since no program that another thread starts meanwhile gets
  /// an end of that.
  public static func pipe() throws(Failure) -> (reading: Int32, writing: Int32) {
    let path = temporaryPath()
    guard mkfifo(path, 0o600) == 0 else { throw Failure(code: errno) }
    defer { unlink(path) }
    let reading = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    guard reading >= 0 else { throw Failure(code: errno) }
    let writing = open(path, O_WRONLY | O_CLOEXEC)
    guard writing >= 0 else {
      let code = errno
      close(reading)
      throw Failure(code: code)
    }
    return (reading, writing)
  }

  /// The first line in a pipe that is not blank, as far as it is among the first 4,096 bytes; nil where
  /// there is none.
  public static func firstLine(in pipe: Int32) -> String? {
    var bytes = [UInt8](repeating: 0, count: 4_096)
    let count = bytes.withUnsafeMutableBytes { read(pipe, $0.baseAddress, $0.count) }
    guard count > 0 else { return nil }
    let lines = String(decoding: bytes.prefix(count), as: UTF8.self)
      .split(whereSeparator: \.isNewline)
    return lines.first { line in line.contains { !$0.isWhitespace } }.map(String.init)
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
