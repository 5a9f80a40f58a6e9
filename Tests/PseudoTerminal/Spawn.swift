import Foundation

/// Starts a program in a session of its own on a terminal, with no signal ignored or blocked.
///
/// The child opens the terminal by its name as its first descriptor: that is how a new session gets
/// a controlling terminal without a fork in this process, which has threads.
func spawn(
  _ path: String, _ arguments: [String], environment: [String: String], terminal: String,
  outputPath: String?, inputPath: String?, errorPath: String?
) throws -> pid_t {
  var actions = posix_spawn_file_actions_t()
  posix_spawn_file_actions_init(&actions)
  defer { posix_spawn_file_actions_destroy(&actions) }
  posix_spawn_file_actions_addopen(&actions, 0, terminal, O_RDWR, 0)
  posix_spawn_file_actions_adddup2(&actions, 0, 2)
  if let outputPath {
    posix_spawn_file_actions_addopen(&actions, 1, outputPath, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
  } else {
    posix_spawn_file_actions_adddup2(&actions, 0, 1)
  }
  if let errorPath {
    posix_spawn_file_actions_addopen(&actions, 2, errorPath, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
  }
  if let inputPath { posix_spawn_file_actions_addopen(&actions, 0, inputPath, O_RDONLY, 0) }

  var attributes = posix_spawnattr_t()
  posix_spawnattr_init(&attributes)
  defer { posix_spawnattr_destroy(&attributes) }
  var signals = sigset_t()
  sigemptyset(&signals)
  posix_spawnattr_setsigmask(&attributes, &signals)
  sigfillset(&signals)
  posix_spawnattr_setsigdefault(&attributes, &signals)
  // Of glibc; missing in what Swift imports of its headers.
  let newSession = 0x80
  posix_spawnattr_setflags(
    &attributes, Int16(newSession | Int(POSIX_SPAWN_SETSIGMASK) | Int(POSIX_SPAWN_SETSIGDEF)))

  var processID: pid_t = 0
  let code = withStrings([path] + arguments) { arguments in
    withStrings(environment.map { "\($0)=\($1)" }) { environment in
      posix_spawn(&processID, path, &actions, &attributes, arguments, environment)
    }
  }
  guard code == 0 else {
    throw PseudoTerminal.Failure(
      description: "starting \(path): \(String(cString: strerror(code)))")
  }
  return processID
}

private func withStrings<Result>(
  _ strings: [String], _ body: ([UnsafeMutablePointer<CChar>?]) -> Result
) -> Result {
  let copies = strings.map { strdup($0) }
  defer { copies.forEach { free($0) } }
  return body(copies + [nil])
}

/// The path of a program of this package, which is built beside the tests.
public func builtProgram(_ name: String) -> String {
  testsFolder.appendingPathComponent(name).path
}

// Found once: the list of bundles belongs to no caller, and another thread that loads a library takes
// it away from whoever is still reading it.
private let testsFolder: URL = {
  #if canImport(Darwin)
    let bundle = Bundle.allBundles.first { $0.bundlePath.hasSuffix(".xctest") }
    if let bundle { return bundle.bundleURL.deletingLastPathComponent() }
  #endif
  return URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
}()
