import Dispatch
import Foundation
import Synchronization

/// A running converter process, connected through a socket.
///
/// Its calls block, and must be made on its queue; only ``interrupt()`` may be called from any
/// thread. It uses a socket instead of two pipes because writes to a socket can suppress SIGPIPE,
/// which this program may not have ignored.
final class ConverterProcess: Sendable {
  let id: pid_t
  private let socket: Int32
  private let isRunning = Mutex(true)
  // A dispatch source may be used from any thread, but its type does not say so.
  nonisolated(unsafe) private let watch: any DispatchSourceRead

  /// - Parameters:
  ///   - path: the path of the program.
  ///   - patience: after how many seconds without a picture it ends by itself.
  ///   - queue: the queue for all calls.
  ///   - onUnexpected: called on the queue when the process ends or sends something without a
  ///     request; the process still has to be ended.
  /// - Throws: `PictureError.cannotStart`.
  init(
    path: String, patience: Int, queue: DispatchQueue,
    onUnexpected: @escaping @Sendable (ConverterProcess) -> Void
  ) throws(PictureError) {
    var ends: [Int32] = [-1, -1]
    let type = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
    guard socketpair(AF_UNIX, type, 0, &ends) == 0 else { throw .cannotStart(code: errno) }
    let socket = ends[0]
    defer { close(ends[1]) }
    do {
      id = try startConverter(path, patience: patience, on: ends[1])
    } catch {
      close(socket)
      throw error
    }
    self.socket = socket
    watch = DispatchSource.makeReadSource(fileDescriptor: socket, queue: queue)
    watch.setEventHandler { @Sendable [weak self] in
      if let self, state != .quiet { onUnexpected(self) }
    }
    // Not closed before: the source would then watch another file with the same number.
    watch.setCancelHandler { @Sendable in close(socket) }
    watch.activate()
  }

  /// Sends a message and waits for the answer.
  ///
  /// - Parameter limit: the longest answer, without the four bytes of its length.
  /// - Returns: the answer without its length.
  func exchange(_ message: [UInt8], answerLimit limit: Int) throws(Fault) -> [UInt8] {
    switch state {
    case .quiet: break
    case .ended: throw .gone
    // Data before a request answers nothing.
    case .speaks: throw .babble
    }
    try send(message)
    let head = try receive(4)
    let length = head.reversed().reduce(0) { $0 << 8 | Int($1) }
    guard length <= limit else { throw .babble }
    let answer = try receive(length)
    guard state != .speaks else { throw .babble }
    return answer
  }

  enum Fault: Error, Equatable {
    /// The process had ended before the request.
    case gone
    /// The process ended during the request, or was killed.
    case ended
    /// The process sent more than an answer.
    case babble
  }

  private enum State {
    case quiet, speaks, ended
  }

  /// What the process does without a request.
  private var state: State {
    var byte: UInt8 = 0
    let count = recv(socket, &byte, 1, Int32(MSG_PEEK | MSG_DONTWAIT))
    if count > 0 { return .speaks }
    return count < 0 && (errno == EAGAIN || errno == EINTR) ? .quiet : .ended
  }

  /// Kills the process, which ends every call that waits for it; may be called from any thread.
  func interrupt() {
    // Under the lock, because after the process was waited for, its ID may belong to another
    // process.
    isRunning.withLock { isRunning in
      guard isRunning else { return }
      kill(id, SIGKILL)
      // The end of the process alone may take long on a busy system.
      shutdown(socket, Int32(SHUT_RDWR))
    }
  }

  /// Ends the process and returns how it ended; must be the last call, and made only once.
  func end() -> ChildProcess.Ending {
    interrupt()
    isRunning.withLock { $0 = false }
    defer { watch.cancel() }
    return ChildProcess.wait(for: id)
  }

  private func send(_ message: [UInt8]) throws(Fault) {
    var rest = message[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes {
        Foundation.send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      if count >= 0 { rest = rest.dropFirst(count) } else if errno != EINTR { throw .ended }
    }
  }

  private func receive(_ length: Int) throws(Fault) -> [UInt8] {
    let bytes = [UInt8](unsafeUninitializedCapacity: length) { buffer, filled in
      while filled < length {
        let count = recv(socket, buffer.baseAddress.map { $0 + filled }, length - filled, 0)
        if count > 0 { filled += count } else if count == 0 || errno != EINTR { return }
      }
    }
    guard bytes.count == length else { throw .ended }
    return bytes
  }
}

/// Starts the program at `path` with a socket as its input and output.
///
/// - Parameters:
///   - path: contains a slash, so that `PATH` is not searched.
///   - patience: after how many seconds without a picture it ends by itself.
/// - Throws: `PictureError.cannotStart`.
func startConverter(
  _ path: String, patience: Int, on socket: Int32
) throws(PictureError) -> pid_t {
  do {
    return try ChildProcess.start(
      path,
      // Crashes are expected: no backtrace is needed.
      environment: ["SWIFT_BACKTRACE=enable=no", "PATIENCE=\(patience)"],
      input: .descriptor(socket),
      output: .descriptor(socket))
  } catch {
    throw .cannotStart(code: error.code)
  }
}
