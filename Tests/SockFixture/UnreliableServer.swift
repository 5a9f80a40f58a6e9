import Foundation
import Loading
import Socks
import Synchronization

/// A server that takes every change once, by its key, and writes down what it took; it answers, does not
/// answer, takes a change twice, or takes it long after it was given up.
final class UnreliableServer: Sendable {
  struct TimedOut: Error {}

  private let log: FileHandle
  private let taken: Mutex<Set<Substring>>

  /// - Parameter path: what was taken, a line each: the key and the number.
  init(path: String) throws {
    if !FileManager.default.fileExists(atPath: path) {
      try Data().write(to: URL(filePath: path))
    }
    let lines = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n")
    taken = Mutex(Set(lines.compactMap { $0.split(separator: " ").first }))
    log = try FileHandle(forUpdating: URL(filePath: path))
    try log.seekToEnd()
  }

  func receive(_ number: Int, _ key: String) async throws {
    switch Int.random(in: 0..<8) {
    case 0: throw TimedOut()
    case 1:
      try take(number, key)
      throw TimedOut()
    case 2:
      Task {
        await pause()
        try? take(number, key)
      }
      throw TimedOut()
    case 3:
      try take(number, key)
      try take(number, key)
    case 4:
      await pause()
      try take(number, key)
      await pause()
    default: try take(number, key)
    }
  }

  private func pause() async {
    for _ in 0..<Int.random(in: 0..<2_000) { await Task.yield() }
  }

  /// In one write: a process that is killed has taken a change or has not.
  private func take(_ number: Int, _ key: String) throws {
    try taken.withLock { taken in
      guard !taken.contains(Substring(key)) else { return }
      try log.write(contentsOf: Data("\(key) \(number)\n".utf8))
      taken.insert(Substring(key))
    }
  }
}

extension UnreliableServer {
  /// Keeps changes and sends them to a server, until it is killed, or, where `last` is before `first`,
  /// until all that was kept has arrived.
  @MainActor
  static func send(_ first: Int, _ last: Int, in directory: String, say: (String) -> Void)
    async throws
  {
    let server = try UnreliableServer(path: directory + "/server.log")
    let handler = MutationOutbox.Handler<Int>("number") { try await server.receive($0, $1) }
    let outbox = MutationOutbox(
      try DrawerJournal(directory: directory), handlers: handler, attempts: 1_000,
      backoff: Backoff { _ in .milliseconds(1) })
    try await outbox.start()
    say("started")
    if first <= last {
      for number in first...last {
        say("begin \(number)")
        try await outbox.keep(handler, number, scope: "\(number % 3)")
        say("saved \(number)")
      }
    }
    for mutation in outbox.pending { try await outbox.delivered(mutation.key) }
    say("failed \(outbox.failed.count)")
    say("done")
  }
}
