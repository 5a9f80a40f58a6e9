import Foundation

/// A program on a pseudo-terminal of its own, as the leader of its session.
@MainActor
final class TerminalProcess {
  /// What a program sent until it came to rest.
  struct Output {
    var bytes: [UInt8] = []
    /// When its first byte came, in nanoseconds of the monotonic clock.
    var firstByteAt: UInt64 = 0
    /// When its last byte came, in nanoseconds of the monotonic clock.
    var lastByteAt: UInt64 = 0
  }

  let name: String
  let facts: ProcessFacts
  private let process: pid_t
  private let master: Int32
  private var isRunning = true

  // POSIX_SPAWN_SETSID, which Glibc's module does not show.
  private static let startsSession: Int16 = 0x80

  /// Starts a program on a terminal of that size.
  init(_ program: Program, columns: UInt16 = 100, rows: UInt16 = 30) throws {
    name = program.name
    var (master, slave) = (Int32(-1), Int32(-1))
    var path = [CChar](repeating: 0, count: 64)
    var size = winsize(ws_row: rows, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
    guard openpty(&master, &slave, &path, nil, &size) == 0 else {
      throw HarnessError.system("opening a pseudo-terminal", errno)
    }
    self.master = master
    // Open until the program has it, and then its own alone: else its end would not be seen here.
    defer { close(slave) }
    for descriptor in [master, slave] { _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC) }

    var actions = posix_spawn_file_actions_t()
    var attributes = posix_spawnattr_t()
    posix_spawn_file_actions_init(&actions)
    posix_spawnattr_init(&attributes)
    defer {
      posix_spawn_file_actions_destroy(&actions)
      posix_spawnattr_destroy(&attributes)
    }
    // A session leader that opens a terminal gets it as its controlling one.
    posix_spawnattr_setflags(&attributes, Self.startsSession)
    posix_spawn_file_actions_addopen(&actions, 0, path, O_RDWR, 0)
    posix_spawn_file_actions_adddup2(&actions, 0, 1)
    posix_spawn_file_actions_adddup2(&actions, 0, 2)
    let arguments = ([program.path] + program.arguments).map { strdup($0) }
    let environment = program.environment.map { strdup("\($0.key)=\($0.value)") }
    defer { (arguments + environment).forEach { free($0) } }
    var process = pid_t()
    let code = posix_spawn(
      &process, program.path, &actions, &attributes, arguments + [nil], environment + [nil])
    guard code == 0 else {
      close(master)
      throw HarnessError.system("starting \(program.path)", code)
    }
    self.process = process
    facts = ProcessFacts(process)
  }

  isolated deinit {
    if isRunning {
      kill(process, SIGKILL)
      waitpid(process, nil, 0)
    }
    close(master)
  }

  /// Types keys, as bytes, and says when.
  @discardableResult
  func type(_ keys: String) throws -> UInt64 {
    let bytes = Array(keys.utf8)
    let now = MonotonicClock.now
    guard write(master, bytes, bytes.count) == bytes.count else {
      throw HarnessError.system("typing into \(name)", errno)
    }
    return now
  }

  /// Gives its terminal another size.
  func resize(columns: UInt16, rows: UInt16) throws {
    var size = winsize(ws_row: rows, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
    guard ioctl(master, UInt(TIOCSWINSZ), &size) == 0 else {
      throw HarnessError.system("resizing the terminal of \(name)", errno)
    }
  }

  /// How many seconds pass from a key, pressed right after something has turned by itself, to the
  /// last byte of the answer.
  func timeAfterTurn(of key: String) throws -> Double {
    let deadline = MonotonicClock.now + 20_000_000_000
    while try read(within: 100) == nil {
      guard MonotonicClock.now < deadline else { throw HarnessError.noRest(name) }
    }
    while try read(within: 8) != nil {}
    let start = try type(key)
    var end = start
    // Well before the next turn.
    while let (_, at) = try read(within: end == start ? 60 : 15) { end = at }
    return Double(end - start) / 1e9
  }

  /// Reads what comes within `milliseconds`, the first batch of it; nil when nothing does.
  func read(within milliseconds: Int32) throws -> (bytes: ArraySlice<UInt8>, at: UInt64)? {
    var waiting = pollfd(fd: master, events: Int16(POLLIN), revents: 0)
    guard poll(&waiting, 1, milliseconds) > 0 else { return nil }
    var bytes = [UInt8](repeating: 0, count: 65_536)
    let count = Foundation.read(master, &bytes, bytes.count)
    let now = MonotonicClock.now
    guard count > 0 else { throw HarnessError.ended(name) }
    return (bytes[..<count], now)
  }

  /// Reads until the program has answered and rests: it has sent at least one byte, nothing more
  /// is on its way, and every one of its threads sleeps and has not run between two looks.
  ///
  /// The time taken is that of the last byte; how long it takes to see that it was the last one
  /// does not enter it.
  func readToRest(hasAnswered: Bool = false) throws -> Output {
    var output = Output()
    let deadline = MonotonicClock.now + 20_000_000_000
    var rest: ProcessFacts.Activity?
    while MonotonicClock.now < deadline {
      if let (bytes, at) = try read(within: 1) {
        if output.bytes.isEmpty { output.firstByteAt = at }
        output.bytes += bytes
        output.lastByteAt = at
        rest = nil
        continue
      }
      guard hasAnswered || !output.bytes.isEmpty else { continue }
      let activity = facts.activity()
      if activity.isAsleep, activity == rest { return output }
      rest = activity
    }
    throw HarnessError.noRest(name)
  }

  /// Reads until `text` was sent, and says when it was complete.
  func readUntil(_ text: String, within seconds: UInt64 = 20) throws -> UInt64 {
    let wanted = Array(text.utf8)
    var bytes: [UInt8] = []
    let deadline = MonotonicClock.now + seconds * 1_000_000_000
    while MonotonicClock.now < deadline {
      guard let (batch, at) = try read(within: 100) else { continue }
      bytes += batch
      if bytes.contains(wanted) { return at }
    }
    throw HarnessError.noText(name, text, seconds)
  }

  /// What the program does in so many seconds without any key.
  func watch(seconds: Double) throws -> Watched {
    try Self.watch([self], seconds: seconds)[0]
  }

  /// What several programs do at the same time: whatever else happens on the machine happens to all
  /// of them.
  static func watch(_ processes: [TerminalProcess], seconds: Double) throws -> [Watched] {
    let deadline = MonotonicClock.now + UInt64(seconds * 1e9)
    let before = processes.map { $0.facts.usage() }
    var byteCounts = processes.map { _ in 0 }
    while true {
      let now = MonotonicClock.now
      guard now < deadline else { break }
      var waiting = processes.map { pollfd(fd: $0.master, events: Int16(POLLIN), revents: 0) }
      let milliseconds = Int32((deadline - now + 999_999) / 1_000_000)
      guard poll(&waiting, nfds_t(waiting.count), milliseconds) > 0 else { continue }
      for (index, process) in processes.enumerated() where waiting[index].revents != 0 {
        byteCounts[index] += try process.read(within: 0)?.bytes.count ?? 0
      }
    }
    return processes.enumerated().map { index, process in
      let after = process.facts.usage()
      return Watched(
        cpu: after.cpu - before[index].cpu,
        wakeUps: Double(after.wakeUps(since: before[index])), bytes: Double(byteCounts[index]))
    }
  }

  struct Watched {
    /// In seconds.
    let cpu: Double
    let wakeUps: Double
    let bytes: Double
  }

  /// Quits by `q` and waits for the end.
  func quit() throws {
    try type("q")
    do {
      while try read(within: 20_000) != nil {}
      throw HarnessError.noEnd(name)
    } catch HarnessError.ended {}
    var status: Int32 = 0
    waitpid(process, &status, 0)
    isRunning = false
    guard status == 0 else { throw HarnessError.status(name, status) }
  }
}

/// What is started: a file, what it is given, and its whole environment.
struct Program {
  let name: String
  let path: String
  let arguments: [String]
  let environment: [String: String]
}

enum MonotonicClock {
  /// In nanoseconds.
  static var now: UInt64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
  }
}

enum HarnessError: Error, CustomStringConvertible {
  case system(String, Int32)
  case ended(String)
  case noRest(String)
  case noText(String, String, UInt64)
  case noEnd(String)
  case status(String, Int32)
  case wrong(String)

  var description: String {
    switch self {
    case .system(let what, let code): "\(what) failed: \(String(cString: strerror(code)))"
    case .ended(let name): "\(name) ended too early"
    case .noRest(let name): "\(name) did not answer and come to rest within 20 s"
    case .noText(let name, let text, let seconds):
      "\(name) did not show “\(text)” within \(seconds) s"
    case .noEnd(let name): "\(name) did not quit within 20 s"
    case .status(let name, let status): "\(name) ended with wait status \(status)"
    case .wrong(let what): what
    }
  }
}
