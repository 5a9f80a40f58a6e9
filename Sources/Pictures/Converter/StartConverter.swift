import Foundation

/// Starts the program at `path` with a socket for its input and output, in a process group of its own.
///
/// No shell and no search: the path is the program.
/// - Throws: `PictureError.cannotStart`.
func startConverter(_ path: String, on socket: Int32) throws(PictureError) -> pid_t {
  var actions = posix_spawn_file_actions_t()
  var attributes = posix_spawnattr_t()
  posix_spawn_file_actions_init(&actions)
  posix_spawnattr_init(&attributes)
  defer {
    posix_spawn_file_actions_destroy(&actions)
    posix_spawnattr_destroy(&attributes)
  }
  posix_spawn_file_actions_adddup2(&actions, socket, STDIN_FILENO)
  posix_spawn_file_actions_adddup2(&actions, socket, STDOUT_FILENO)
  posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0)
  // What this program ignores and blocks, to handle it itself, a child would inherit for good;
  // and Ctrl-C is not for it.
  var signals = sigset_t()
  sigemptyset(&signals)
  posix_spawnattr_setsigmask(&attributes, &signals)
  sigfillset(&signals)
  posix_spawnattr_setsigdefault(&attributes, &signals)
  posix_spawnattr_setflags(
    &attributes,
    Int16(POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))

  // A crash is its normal end: no helper has to look into it.
  let environment: [UnsafeMutablePointer<CChar>?] = [strdup("SWIFT_BACKTRACE=enable=no"), nil]
  let arguments: [UnsafeMutablePointer<CChar>?] = [strdup(path), nil]
  defer { (environment + arguments).forEach { free($0) } }
  var id = pid_t()
  let code = posix_spawn(&id, path, &actions, &attributes, arguments, environment)
  guard code == 0 else { throw .cannotStart(code: code) }
  return id
}
