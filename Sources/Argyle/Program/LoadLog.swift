import Foundation
import Loading
import Synchronization

/// Writes what is loaded and changed to a file, a line each: what, how long it took, and why it failed.
///
/// ```
/// 2026-11-22T21:45:01.123Z feeds #1: started because it is shown
/// 2026-11-22T21:45:01.435Z feeds #1: finished after 0.312 s
/// ```
final class LoadLog: Sendable {
  private let path: String
  private let file: FileHandle
  // A disk may be slow, and what happens on the screen does not wait for it.
  private let queue = DispatchQueue(label: "log", qos: .utility)
  /// Why a line is missing: the system's number for it.
  private let failure = Mutex<Int32?>(nil)
  private let now: @Sendable () -> Date

  /// Appends to a file, which is made if need be; only the user can read it.
  ///
  /// It may be a pipe that another program reads, and is never waited for.
  ///
  /// - Throws: ``CommandFailure``.
  init(path: String, now: @escaping @Sendable () -> Date = { Date() }) throws(CommandFailure) {
    self.path = path
    self.now = now
    // Otherwise a pipe would make the program wait for a reader, and for one that reads nothing.
    let flags = O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NONBLOCK
    let descriptor = open(path, flags, 0o600)
    guard descriptor >= 0 else {
      throw Self.failure(path, "cannot be written: \(Self.reason(errno))")
    }
    file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    guard isatty(descriptor) == 0 else {
      throw Self.failure(path, "cannot be written: it is a terminal, which the reader is on")
    }
    // The signal of a pipe whose reader has ended would end the program, and lose changes. It is not
    // ignored: the programs that are started would inherit that.
    signal(SIGPIPE) { _ in }
  }

  /// Adds a line; none for progress, of which there is some many times a second.
  func add(_ report: LoadingObserver.Report) {
    if case .progressed = report.record.event { return }
    let time = now().formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true))
    let line = printable("\(time) \(report.record.line(of: report.name))") + "\n"
    queue.async { self.write(line) }
  }

  /// Waits until everything is in the file.
  ///
  /// - Throws: ``CommandFailure`` if a line is missing there.
  func flush() throws(CommandFailure) {
    queue.sync {}
    guard let code = failure.withLock(\.self) else { return }
    throw Self.failure(path, "is not complete: \(Self.reason(code))")
  }

  private func write(_ line: String) {
    var rest = Array(line.utf8)[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes {
        Foundation.write(file.fileDescriptor, $0.baseAddress, $0.count)
      }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else {
        let code = errno
        return failure.withLock { $0 = $0 ?? code }
      }
      rest = rest.dropFirst(count)
    }
  }

  private static func failure(_ path: String, _ what: String) -> CommandFailure {
    CommandFailure(
      status: .cannotWrite, "The log “\(printable(path))” \(what).",
      advice: "Name another file after --log, or in ARGYLE_LOG.")
  }

  private static func reason(_ code: Int32) -> String {
    switch code {
    case ENXIO: "no program reads this pipe"
    case EAGAIN: "the program that reads this pipe is too slow"
    case EPIPE: "the program that read this pipe has ended"
    default: String(cString: strerror(code))
    }
  }
}
