import Foundation

/// What the system says about a running process.
struct ProcessFacts {
  private let process: pid_t

  init(_ process: pid_t) { self.process = process }

  /// Whether its threads sleep, and how often each has been switched away from: two equal ones
  /// mean that none has run in between.
  struct Activity: Equatable {
    let isAsleep: Bool
    let switches: [String: [Int]]
  }

  struct Usage {
    /// Seconds of processor time, of all its threads, also of those that have ended.
    let cpu: Double
    /// How often each thread has gone to sleep of itself: as often it was woken.
    let sleeps: [String: Int]

    /// How often threads were woken since `before`; one that has ended was woken for that.
    func wakeUps(since before: Usage) -> Int {
      let woken = sleeps.reduce(0) { $0 + $1.value - (before.sleeps[$1.key] ?? 0) }
      return woken + before.sleeps.keys.count { sleeps[$0] == nil }
    }
  }

  func activity() -> Activity {
    var isAsleep = true
    var switches: [String: [Int]] = [:]
    for (thread, status) in threads() {
      if status.first(of: "State:")?.hasPrefix("S") != true { isAsleep = false }
      switches[thread] = [
        status.number(of: "voluntary_ctxt_switches:"),
        status.number(of: "nonvoluntary_ctxt_switches:"),
      ]
    }
    return Activity(isAsleep: isAsleep && !switches.isEmpty, switches: switches)
  }

  func usage() -> Usage {
    var clock = clockid_t()
    var time = timespec()
    if clock_getcpuclockid(process, &clock) == 0 { clock_gettime(clock, &time) }
    return Usage(
      cpu: Double(time.tv_sec) + Double(time.tv_nsec) / 1e9,
      sleeps: Dictionary(
        uniqueKeysWithValues: threads().map {
          ($0.thread, $0.status.number(of: "voluntary_ctxt_switches:"))
        }))
  }

  /// The most memory that was resident at a time, in bytes.
  func peakMemory() -> Int {
    (StatusFile("/proc/\(process)/status")?.number(of: "VmHWM:") ?? 0) * 1024
  }

  private func threads() -> [(thread: String, status: StatusFile)] {
    let folder = "/proc/\(process)/task"
    let threads = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return threads.compactMap { thread in
      StatusFile("\(folder)/\(thread)/status").map { (thread, $0) }
    }
  }
}

/// A file of names and values, a line each.
private struct StatusFile {
  private let lines: [Substring]

  init?(_ path: String) {
    guard let text = try? String(contentsOfFile: path, encoding: .utf8) else { return nil }
    lines = text.split(separator: "\n")
  }

  func first(of name: String) -> Substring? {
    lines.first { $0.hasPrefix(name) }.map { line in
      line.dropFirst(name.count).drop { $0 == " " || $0 == "\t" }
    }
  }

  func number(of name: String) -> Int {
    first(of: name).flatMap { Int($0.prefix { $0.isNumber }) } ?? 0
  }
}
