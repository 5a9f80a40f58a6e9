import Foundation
import Limits

/// Starts other programs without a shell, which would interpret outside text as commands.
public enum ChildProcess {
  /// What a standard stream of the child is connected to.
  public enum Stream: Sendable {
    case nothing
    case descriptor(Int32)
    /// This process's own stream.
    case inherited
  }

  /// Why a program could not be started.
  public struct Failure: Error, Hashable, Sendable {
    /// The `errno` of the failure.
    public let code: Int32
  }

  /// Starts a program.
  ///
  /// - Parameters:
  ///   - program: a path, or a name that is looked up in `PATH`.
  ///   - environment: as `NAME=value`; nil for this process's own.
  ///   - hasTerminal: whether the terminal's keys for ending and stopping act on it. Otherwise it
  ///     gets a process group of its own.
  /// - Returns: its process ID; the caller has to wait for the process.
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
    // A child would inherit the signals that this process ignores or blocks.
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

  /// Creates an unlinked temporary file with some bytes, for a program to read; the caller closes
  /// it.
  ///
  /// A pipe would have to be filled while the program runs.
  public static func namelessFile(_ bytes: [UInt8]) throws(Failure) -> Int32 {
    let path = temporaryPath()
    let file = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard file >= 0 else { throw Failure(code: errno) }
    unlink(path)
    do {
      try FileWriter.write(bytes, to: file)
    } catch {
      close(file)
      throw Failure(code: error.code)
    }
    lseek(file, 0, SEEK_SET)
    return file
  }

  private static func temporaryPath() -> String {
    NSTemporaryDirectory() + "/argyle-" + UUID().uuidString
  }

  /// Opens a pipe that captures the beginning of a program's output; the caller closes it.
  ///
  /// A program that writes more than the pipe holds gets an error for the rest: a file would grow
  /// until the disk is full. Both ends are one descriptor, which the child has too: so nobody has
  /// to read, and no signal ends the program when it outlives this process.
  public static func outputPipe() throws(Failure) -> Int32 {
    let path = temporaryPath()
    guard mkfifo(path, 0o600) == 0 else { throw Failure(code: errno) }
    let pipe = open(path, O_RDWR | O_NONBLOCK | O_CLOEXEC)
    let code = errno
    unlink(path)
    guard pipe >= 0 else { throw Failure(code: code) }
    return pipe
  }

  /// Opens a pipe whose reading end reports when no process has the writing end open any more; the
  /// caller closes both.
  ///
  /// It is an unlinked FIFO with close-on-exec, so that no program started by another thread
  /// inherits an end.
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

  /// Returns the first line in a pipe that is not blank, within the first 4,096 bytes; nil if there
  /// is none.
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
    /// It exited with this status.
    case status(Int32)
    /// This signal ended it.
    case signal(Int32)
  }

  /// Blocks until a program ends.
  static func wait(for child: pid_t) -> Ending {
    var status: Int32 = 0
    while waitpid(child, &status, 0) < 0, errno == EINTR {}
    let signal = status & 0x7F
    return signal == 0 ? .status(status >> 8 & 0xFF) : .signal(signal)
  }

  /// Waits until a program ends.
  public static func end(of child: pid_t) async -> Ending {
    await withCheckedContinuation { continuation in
      // Not on the system's shared pool, which would then wake the process every second.
      DispatchQueue(label: "child process", qos: .utility).async {
        continuation.resume(returning: wait(for: child))
      }
    }
  }
}
