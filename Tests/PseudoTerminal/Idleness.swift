import Foundation

/// Why a program is not idle.
private struct Sleepless: Error {
  let pause: Duration
  /// Which of its threads have run within that.
  let threads: [String]
}

extension PseudoTerminal {
  /// Waits until no thread of the program has run for so long.
  ///
  /// However busy the machine is, a program that is idle comes to that, and one with a timer that is
  /// shorter never does.
  public func waitUntilAsleep(for pause: Duration, deadline: Duration = .seconds(120)) throws {
    let limit = ContinuousClock.now + deadline
    var before = switches()
    while true {
      // Takes what is written meanwhile, or the program would wait for that.
      try? waitUntil("the pause is over", deadline: pause) { _ in false }
      let after = switches()
      if after == before, !after.isEmpty { return }
      guard ContinuousClock.now < limit else {
        throw Sleepless(
          pause: pause, threads: after.filter { before[$0.key] != $0.value }.keys.sorted())
      }
      before = after
    }
  }

  /// How often each thread has begun to wait, or was made to, by its number and name.
  private func switches() -> [String: [Substring]] {
    let folder = "/proc/\(processID)/task"
    let threads = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    var switches: [String: [Substring]] = [:]
    for thread in threads {
      // One that has just ended.
      guard let text = try? String(contentsOfFile: "\(folder)/\(thread)/status", encoding: .utf8)
      else { continue }
      let lines = text.split(separator: "\n")
      let name = lines.first?.dropFirst("Name:".count).drop { $0 == "\t" } ?? ""
      switches["\(thread) \(name)"] = lines.filter { $0.contains("ctxt_switches") }
    }
    return switches
  }
}
