import Foundation
import PseudoTerminal
import Testing

/// Starts and kills processes that keep and send changes, one after the other, and notes what they
/// said.
final class CrashRun {
  /// What the kills hit.
  struct Hits {
    var kills = 0
    /// A change was begun and not saved.
    var whileKeeping = 0
    /// Of those, how many were in the journal for sure.
    var writtenUntold = 0
    /// A change was saved and not applied by the server.
    var beforeDelivery = 0
    /// The server had a request that it applied after the process was dead.
    var requestHeld = 0
    /// The server had applied a change, and had not answered.
    var answerHeld = 0
    /// It had just begun to send changes that an earlier process had kept.
    var whileResuming = 0
  }

  /// How many new changes each process keeps, unless it is killed before.
  private static let changesPerProcess = 6

  let server: UnreliableServer
  private(set) var hits = Hits()
  /// The numbers of the changes that were in the journal for sure.
  private(set) var kept: Set<Int> = []

  private let directory: TemporaryDirectory
  private let environment: [String: String]
  private var generator: SeededGenerator
  private var begun = 0
  private var processes = 0

  init(seed: UInt64) throws {
    directory = try TemporaryDirectory()
    server = try UnreliableServer(seed: seed)
    generator = SeededGenerator(seed: seed)
    // The server is on this machine, whatever proxy leads away from it.
    environment = ProcessInfo.processInfo.environment.merging(["no_proxy": "127.0.0.1"]) { $1 }
  }

  /// Starts a process and kills it at a moment.
  func startAndKill(at moment: KillMoment) async throws {
    let first = begun + 1
    let target = first + .random(in: 0..<Self.changesPerProcess, using: &generator)
    let process = processes + 1
    if let trap = trap(at: moment) { server.set(trap, for: process) }
    let left = kept.subtracting(server.record.numbers)
    let child = try start(stoppingAt: moment == .written ? target : nil)
    try await untilCancelled(child) {
      switch moment {
      case .begun: try child.waitForLine("begin \(target)")
      case .saved: try child.waitForLine("saved \(target)")
      case .written: try child.waitForLine("written \(target)")
      case .started: try child.waitForLine("started")
      case .requestHeld, .answerHeld: try await server.trapped(process: process)
      }
    }
    let lines = child.killed()
    let saved = numbers(after: "saved", in: lines)
    let written = numbers(after: "written", in: lines)
    let undelivered = Set(saved).subtracting(server.record.numbers)
    let held = server.processEnded(process)

    hits.kills += 1
    if numbers(after: "begin", in: lines).last != saved.last { hits.whileKeeping += 1 }
    if !written.isEmpty { hits.writtenUntold += 1 }
    if !undelivered.isEmpty { hits.beforeDelivery += 1 }
    if held.requests > 0 { hits.requestHeld += 1 }
    if held.answers > 0 { hits.answerHeld += 1 }
    if moment == .started, !left.isEmpty { hits.whileResuming += 1 }
    note(lines)
    kept.formUnion(written)
  }

  /// Starts a process that sends everything.
  func finish() async throws {
    let process = processes + 1
    // It gives up an attempt that is applied later, so that this occurs at least once.
    server.set(UnreliableServer.Trap(conduct: .holdRequest(.attempts(1))), for: process)
    let child = try start()
    let (status, lines) = await untilCancelled(child) { child.finished() }
    server.processEnded(process)
    server.applyEverythingHeld()
    #expect(status == 0)
    #expect(lines.suffix(2) == ["failed 0", "done"])
    note(lines)
  }

  /// Checks that no change was applied twice, and that changes of a scope were applied in order.
  ///
  /// Late attempts do not disturb the order: a change is sent only after the one before it was
  /// answered, and so was applied. What comes late after that is a repetition.
  func checkApplied() throws {
    let numbers = server.record.numbers
    try #require(Set(numbers).count == numbers.count, "applied under two keys: \(numbers)")
    try #require(numbers.allSatisfy((1...max(1, begun)).contains), "never begun: \(numbers)")
    for scope in 0..<3 {
      let ofScope = numbers.filter { $0 % 3 == scope }
      try #require(ofScope == ofScope.sorted(), "out of order")
    }
  }

  private func trap(at moment: KillMoment) -> UnreliableServer.Trap? {
    let attempts = hits.kills / KillMoment.allCases.count % 2
    // Fewer than there are new changes: however well the server answers, one is left for the trap.
    let passes = Int.random(in: 0..<Self.changesPerProcess, using: &generator)
    return switch moment {
    case .requestHeld:
      UnreliableServer.Trap(passes: passes, conduct: .holdRequest(.death(attempts: attempts)))
    case .answerHeld:
      UnreliableServer.Trap(passes: passes, conduct: .holdAnswer(.death(attempts: attempts)))
    case .saved:
      UnreliableServer.Trap(conduct: .holdRequest(.death(attempts: attempts)), isForAll: true)
    case .begun, .written, .started: nil
    }
  }

  /// Starts a process that sends what was left and keeps new changes.
  private func start(stoppingAt stop: Int? = nil) throws -> Child {
    processes += 1
    return try Child(
      "SockFixture",
      [
        "journal", directory.path, "\(begun + 1)", "\(begun + Self.changesPerProcess)", server.url,
        "\(processes)", "\(stop ?? 0)",
      ],
      environment: environment)
  }

  /// Waits for a process, and kills it when the test's time is over: the wait for its lines, which
  /// blocks, would not end otherwise.
  private func untilCancelled<Result>(
    _ child: Child, wait: () async throws -> Result
  ) async rethrows -> Result {
    let id = child.id
    return try await withTaskCancellationHandler(operation: wait) { kill(id, SIGKILL) }
  }

  private func note(_ lines: [String]) {
    begun = max(begun, numbers(after: "begin", in: lines).last ?? 0)
    kept.formUnion(numbers(after: "saved", in: lines))
  }

  private func numbers(after word: String, in lines: [String]) -> [Int] {
    lines.compactMap { line in
      line.hasPrefix(word + " ") ? Int(line.dropFirst(word.count + 1)) : nil
    }
  }
}
