import Foundation

/// What a command took, from its start to its end.
struct CommandRun {
  let seconds: Double
  /// Of processor time, in it and in the system for it.
  let cpu: Double
  /// The most memory that was resident at a time, in bytes.
  let peakMemory: Double

  /// Runs a program without a terminal, whatever its status is.
  init(_ program: Program) throws {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    for descriptor in [Int32(0), 1, 2] {
      posix_spawn_file_actions_addopen(&actions, descriptor, "/dev/null", O_RDWR, 0)
    }
    let arguments = ([program.path] + program.arguments).map { strdup($0) }
    let environment = program.environment.map { strdup("\($0.key)=\($0.value)") }
    defer { (arguments + environment).forEach { free($0) } }
    var (process, status, usage) = (pid_t(), Int32(), rusage())
    let start = MonotonicClock.now
    let code = posix_spawn(
      &process, program.path, &actions, nil, arguments + [nil], environment + [nil])
    guard code == 0 else { throw HarnessError.system("starting \(program.path)", code) }
    // By its number: what the system tells of all children is of the largest of them.
    guard wait4(process, &status, 0, &usage) == process else {
      throw HarnessError.system("waiting for \(program.name)", errno)
    }
    seconds = Double(MonotonicClock.now - start) / 1e9
    guard status == 0 else { throw HarnessError.status(program.name, status) }
    cpu = [usage.ru_utime, usage.ru_stime].reduce(0) {
      $0 + Double($1.tv_sec) + Double($1.tv_usec) / 1e6
    }
    peakMemory = Double(usage.ru_maxrss) * 1024
  }
}
