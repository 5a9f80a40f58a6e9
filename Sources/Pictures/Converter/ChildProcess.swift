import Foundation

/// Starts programs that have nothing to do with the terminal: whose Ctrl-C is not theirs, and who
/// write nothing on the screen.
public enum ChildProcess {
  /// What one of its standard streams is.
  public enum Stream: Sendable {
    case nothing
    case descriptor(Int32)
  }

  /// Why a program was not started.
  public struct Failure: Error, Hashable, Sendable {
    /// The system's number for it.
    public let code: Int32
  }

  /// Starts a program in a process group of its own; its errors go nowhere.
  ///
  /// No shell ever sees the arguments.
  ///
  /// - Parameters:
  ///   - program: a path, or a name to be looked for in `PATH`.
  ///   - environment: as `NAME=value`; this program's own where there is none.
  /// - Returns: its process, which has to be waited for.
  public static func start(
    _ program: String, _ arguments: [String] = [], environment: [String]? = nil,
    input: Stream = .nothing, output: Stream = .nothing
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
      .enumerated().map({ ($1, [input, output, .nothing][$0]) })
    {
      switch stream {
      case .nothing: posix_spawn_file_actions_addopen(&actions, target, "/dev/null", O_RDWR, 0)
      case .descriptor(let source): posix_spawn_file_actions_adddup2(&actions, source, target)
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
      Int16(POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))
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
}
