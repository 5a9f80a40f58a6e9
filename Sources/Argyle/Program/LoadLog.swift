import Articles
import Foundation
import Loading

/// Writes what is loaded and changed to a file, a line each: what, how long it took, and why it failed.
///
/// ```
/// 2026-11-22T21:45:01.123Z feeds #1: started because it is shown
/// 2026-11-22T21:45:01.435Z feeds #1: finished after 0.312 s
/// ```
final class LoadLog: Sendable {
  private let file: FileHandle
  // A disk may be slow, and what happens on the screen does not wait for it.
  private let queue = DispatchQueue(label: "log", qos: .utility)
  private let now: @Sendable () -> Date

  /// Appends to a file, which is made if need be; only the user can read it.
  ///
  /// - Throws: ``CommandFailure``.
  init(path: String, now: @escaping @Sendable () -> Date = { Date() }) throws(CommandFailure) {
    let descriptor = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else {
      throw CommandFailure(
        status: .cannotWrite,
        "The log “\(printable(path))” cannot be written: \(String(cString: strerror(errno))).",
        advice: "Name another file after --log, or in ARGYLE_LOG.")
    }
    file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    self.now = now
  }

  /// Adds a line.
  func add(_ report: LoadReport) {
    guard let words = Self.words(report.record) else { return }
    let ticket = report.record.ticket.map { " \($0)" } ?? ""
    let time = now().formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true))
    let line = printable("\(time) \(report.name)\(ticket): \(words)") + "\n"
    queue.async { [file] in try? file.write(contentsOf: Data(line.utf8)) }
  }

  /// Waits until everything is in the file.
  func flush() { queue.sync {} }

  /// Nil for what happens many times a second.
  private static func words(_ record: LoadRecord) -> String? {
    let after = record.elapsed.map { " after \(seconds($0))" } ?? ""
    switch record.event {
    case .progressed: return nil
    case .started(let cause): return "started because \(reason(cause))"
    case .joined(let cause): return "also wanted because \(reason(cause))"
    case .dropped(let cause): return "not loaded again because \(reason(cause)): it is being loaded"
    case .queued(let cause): return "to be loaded again because \(reason(cause))"
    case .attempted(let number): return "attempt \(number)\(after)"
    case .attemptFailed(let error): return "attempt failed\(after): \(text(error))"
    case .paused(let reason): return "paused: \(reason)"
    case .resumed: return "goes on\(after)"
    case .foundInCache: return "found in the cache"
    case .yielded: return "has a value\(after)"
    case .finished: return "finished\(after)"
    case .failed(let error): return "failed\(after): \(text(error))"
    case .cancelled: return "cancelled\(after)"
    case .discarded: return "answered too late"
    case .published: return "was set"
    case .reset: return "was reset"
    case .mutated(let id): return "\(id) begun"
    case .kept(let id): return "\(id) kept\(after)"
    case .committed(let id): return "\(id) saved\(after)"
    case .commitFailed(let id, let error): return "\(id) not saved\(after): \(text(error))"
    case .undone(let id): return "\(id) undone\(after)"
    }
  }

  private static func reason(_ cause: LoadCause) -> String {
    switch cause {
    case .appeared: "it is shown"
    case .user: "it was asked for"
    case .inputChanged: "something else is to be shown"
    case .retry: "it was retried"
    case .mutation: "a change overlapped it"
    case .refresh: "it is old"
    }
  }

  private static func text(_ error: any Error) -> String {
    let message = UserMessage(explaining: error)
    return message.detail.map { "\(message.what) (\($0))" } ?? message.what
  }

  private static func seconds(_ duration: Duration) -> String {
    let (seconds, attoseconds) = duration.components
    let milliseconds = String(1000 + Int(attoseconds / 1_000_000_000_000_000)).dropFirst()
    return "\(seconds).\(milliseconds) s"
  }
}
