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

  /// Adds a line; none for progress, of which there is some many times a second.
  func add(_ report: LoadReport) {
    if case .progressed = report.record.event { return }
    let time = now().formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true))
    let line = printable("\(time) \(report.record.line(of: report.name))") + "\n"
    queue.async { [file] in try? file.write(contentsOf: Data(line.utf8)) }
  }

  /// Waits until everything is in the file.
  func flush() { queue.sync {} }
}
