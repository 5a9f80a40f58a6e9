import Foundation
import Synchronization

/// The end of a child process, as something that can be polled for.
final class ChildEnd {
  /// Whether the end was seen.
  private(set) var hasCome = false
  private let notice: Notice

  /// Shared with the thread that waits, which may outlive the test: the pipe stays open until both
  /// have let go of it, because writing to one that nobody can read would end the tests.
  private final class Notice: Sendable {
    let status = Mutex<Int32>(0)
    let reading: Int32
    let writing: Int32

    init() throws {
      var ends: [Int32] = [-1, -1]
      guard pipe(&ends) == 0 else { throw PseudoTerminal.failure("pipe") }
      for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
      (reading, writing) = (ends[0], ends[1])
    }

    deinit {
      close(reading)
      close(writing)
    }
  }

  init(of processID: pid_t) throws {
    let notice = try Notice()
    self.notice = notice
    // A thread of its own: waiting blocks it until the child has ended, and poll cannot wait for
    // both a child and a terminal.
    Thread.detachNewThread {
      var status: Int32 = 0
      while waitpid(processID, &status, 0) < 0, errno == EINTR {}
      notice.status.withLock { [status] in $0 = status }
      _ = write(notice.writing, [0], 1)
    }
  }

  /// Readable once the child has ended.
  var descriptor: Int32 { notice.reading }

  func noteCome() { hasCome = true }

  /// How it ended.
  func ending() -> PseudoTerminal.Ending {
    let status = notice.status.withLock { $0 }
    let signal = status & 0x7F
    return signal == 0 ? .exited(status >> 8 & 0xFF) : .signalled(signal)
  }
}
