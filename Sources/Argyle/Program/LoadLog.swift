import Articles
import Foundation
import HTTP
import Loading
import Storage
import Synchronization

/// Writes a line to a file for each request, feed, load, change, write to a store and slow read:
/// what it was, how long it took and why it failed.
///
/// ```
/// 2026-11-22T21:45:01.123Z feeds #1: started because it is shown
/// 2026-11-22T21:45:01.435Z feeds #1: finished after 0.312 s
/// 2026-11-22T21:45:02.120Z GET https://a.example/feed.xml: status 200, 5120 bytes after 0.611 s
/// 2026-11-22T21:45:02.135Z articles.sqlite: 1 write of 12 rows after 0.009 s
/// 2026-11-22T21:45:02.135Z feed https://a.example/feed.xml: 12 new articles after 0.630 s, parsed in 0.004 s and prepared in 0.002 s
/// ```
///
/// The line of whatever took long ends with “(slow)”. No line has text of an article, and addresses
/// have no passwords and no queries, see ``withoutSecrets(_:)``.
final class LoadLog: Sendable {
  private let path: String
  private let file: FileHandle
  /// The log of the process, which ``LibraryOptions`` opens and the end of the program completes.
  static let current = Mutex<LoadLog?>(nil)
  // A slow disk must not delay the screen.
  private let queue = DispatchQueue(label: "log", qos: .utility)
  /// The `errno` of the first line that could not be written.
  private let failure = Mutex<Int32?>(nil)
  private let now: @Sendable () -> Date

  /// Appends to the file at `path`, and creates it if need be, readable only by the user.
  ///
  /// The file may be a pipe that another program reads; the log never waits for that program.
  ///
  /// - Throws: ``CommandFailure``.
  init(path: String, now: @escaping @Sendable () -> Date = { Date() }) throws(CommandFailure) {
    self.path = path
    self.now = now
    // Without `O_NONBLOCK`, opening a pipe would wait for a reader, and writing for one that does
    // not read.
    let flags = O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NONBLOCK
    let descriptor = open(path, flags, 0o600)
    guard descriptor >= 0 else {
      throw Self.failure(path, "cannot be written: \(Self.reason(errno))")
    }
    file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    guard isatty(descriptor) == 0 else {
      throw Self.failure(path, "cannot be written: it is a terminal, which the reader is on")
    }
    // SIGPIPE, sent once the pipe's reader has ended, would end the program and lose changes. It is
    // not ignored, because the programs that are started would inherit that.
    signal(SIGPIPE) { _ in }
  }

  /// Writes a line for the report.
  ///
  /// Progress is left out, since some loads report it many times a second.
  func add(_ report: LoadingObserver.Report) {
    if case .progressed = report.record.event { return }
    add(report.record.line(of: report.name), slow: (report.record.elapsed ?? .zero) >= .seconds(1))
  }

  /// Adds a line for a request.
  func add(_ report: HTTPReport) {
    add(report.words, report.elapsed, slowFrom: .seconds(5), report.error)
  }

  /// Adds a line for a feed that was fetched or an account that was synced.
  func add(_ report: FetchReport) {
    add(report.words, report.elapsed, report.work.words, slowFrom: .seconds(5), report.error)
  }

  /// Adds a line for a write to a store, or for a read that failed or was slow; there are too many
  /// other reads.
  func add(_ report: StoreReport) {
    let slow = Duration.milliseconds(100)
    if report.work == .read, report.error == nil, report.elapsed < slow { return }
    add(report.words, report.elapsed, slowFrom: slow, report.error)
  }

  private func add(
    _ words: String, _ elapsed: Duration, _ details: String = "", slowFrom limit: Duration,
    _ error: (any Error)?
  ) {
    var line = "\(words) after \(elapsed.inSeconds)\(details)"
    if let error, !(error is CancellationError) {
      line += ": \(LoadingObserver.Record.text(error))"
    }
    add(line, slow: elapsed >= limit)
  }

  private func add(_ words: String, slow: Bool) {
    let time = now().formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true))
    let line = printable("\(time) \(Self.withoutSecrets(words))\(slow ? " (slow)" : "")") + "\n"
    queue.async { self.write(line) }
  }

  /// Returns the words without secrets: in each address, an ellipsis replaces the part before an `@`
  /// and the part after a `?`.
  static func withoutSecrets(_ words: String) -> String {
    var parts = words.split(separator: "://", omittingEmptySubsequences: false).map(String.init)
    for index in parts.indices.dropFirst() {
      let end = parts[index].firstIndex { $0.isWhitespace || "“”\"<>".contains($0) }
      var address = parts[index][..<(end ?? parts[index].endIndex)]
      let rest = end.map { parts[index][$0...] } ?? ""
      // A password may hold any character, but not the slash that ends the host.
      let host = address.prefix { $0 != "/" }
      if let at = host.lastIndex(of: "@") { address = "…" + address[at...] }
      if let query = address.firstIndex(of: "?") {
        // What follows it in the sentence stays.
        let mark = address.last.flatMap { ",.:;)".contains($0) ? $0 : nil }
        address = address[...query] + "…" + (mark.map(String.init) ?? "")
      }
      parts[index] = String(address + rest)
    }
    return parts.joined(separator: "://")
  }

  /// Waits until every line is in the file.
  ///
  /// - Throws: ``CommandFailure`` if a line could not be written.
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
