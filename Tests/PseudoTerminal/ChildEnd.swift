import Foundation
import Synchronization

/// The end of a child process, as something that can be polled for.
final class ChildEnd {
  /// Readable once the child has ended.
  let descriptor: Int32
  /// Whether the end was seen.
  private(set) var hasCome = false
  private let status = Status()

  private final class Status: Sendable { let value = Mutex<Int32>(0) }

  init(of processID: pid_t) throws {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { throw PseudoTerminal.failure("pipe") }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    descriptor = ends[0]
    let writing = ends[1]
    // A thread of its own: waiting blocks it until the child has ended, and poll cannot wait for
    // both a child and a terminal.
    Thread.detachNewThread { [result = status] in
      var status: Int32 = 0
      while waitpid(processID, &status, 0) < 0, errno == EINTR {}
      result.value.withLock { [status] in $0 = status }
      // A byte, not the closing: another child may have inherited the pipe in the moment before.
      _ = write(writing, [0], 1)
      close(writing)
    }
  }

  deinit { close(descriptor) }

  func noteCome() { hasCome = true }

  /// How it ended.
  func ending() -> PseudoTerminal.Ending {
    let status = self.status.value.withLock { $0 }
    let signal = status & 0x7F
    return signal == 0 ? .exited(status >> 8 & 0xFF) : .signalled(signal)
  }
}
