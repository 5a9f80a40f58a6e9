import Dispatch
import Foundation
import Synchronization

/// A running converter, fed over a socket.
///
/// Its calls block, and belong on its queue; only ``interrupt()`` comes from elsewhere. A socket
/// takes the place of two pipes because writing to one whose reader died can be told to raise no
/// signal in a program that may have left SIGPIPE alone.
final class ConverterProcess: Sendable {
  let id: pid_t
  private let socket: Int32
  private let isRunning = Mutex(true)
  // A source may be used from any thread, which its type does not say.
  nonisolated(unsafe) private let watch: any DispatchSourceRead

  /// - Parameters:
  ///   - path: of the program.
  ///   - patience: seconds without a picture after which it ends by itself.
  ///   - queue: on which everything happens.
  ///   - onUnexpected: called on the queue when the process has ended, or says something, without
  ///     having been asked; the process still has to be ended.
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
    // Not before: the source would watch whatever gets the number next.
    watch.setCancelHandler { @Sendable in close(socket) }
    watch.activate()
  }

  /// Sends a message, and waits for the answer.
  ///
  /// - Parameter limit: how long the answer may be, without the four bytes of its length.
  /// - Returns: the answer without its length.
  func exchange(_ message: [UInt8], answerLimit limit: Int) throws(Fault) -> [UInt8] {
    switch state {
    case .quiet: break
    case .ended: throw .gone
    // Whoever speaks before being asked answers another question, or none.
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
    /// It had ended before it was asked.
    case gone
    /// It went away, or was made to.
    case ended
    /// It says more than was asked for.
    case babble
  }

  private enum State {
    case quiet, speaks, ended
  }

  /// What it does without being asked.
  private var state: State {
    var byte: UInt8 = 0
    let count = recv(socket, &byte, 1, Int32(MSG_PEEK | MSG_DONTWAIT))
    if count > 0 { return .speaks }
    return count < 0 && (errno == EAGAIN || errno == EINTR) ? .quiet : .ended
  }

  /// Ends whatever it does, and every call that waits for it; from any thread.
  func interrupt() {
    // Under the lock: its number may be another process's once it was waited for.
    isRunning.withLock { isRunning in
      guard isRunning else { return }
      kill(id, SIGKILL)
      // Not only by the end of the process, which in bad times comes late.
      shutdown(socket, Int32(SHUT_RDWR))
    }
  }

  /// Ends it and says how it ended; once, and the last call.
  func end() -> ProcessEnding {
    interrupt()
    isRunning.withLock { $0 = false }
    var status: Int32 = 0
    while waitpid(id, &status, 0) < 0, errno == EINTR {}
    watch.cancel()
    let signal = status & 0x7F
    return signal == 0 ? .exited(status: status >> 8 & 0xFF) : .signalled(signal)
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
