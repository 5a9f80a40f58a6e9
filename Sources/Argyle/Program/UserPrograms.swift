import Articles
import Foundation
import Pictures
import Synchronization

/// Runs programs that the configuration names, and reads what they write.
///
/// A program is ended when it exceeds its limit of time or size, or when the task is cancelled; the
/// programs that it has started are ended with it.
struct UserPrograms: OutsidePrograms {
  func output(
    of command: [String], input: [UInt8], limits: ProgramLimits
  ) async throws -> [UInt8] {
    guard let program = command.first else { throw ProgramError.notAllowed("") }
    let run = RunningProgram(program, Array(command.dropFirst()), limits)
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        // Not on a thread of the cooperative pool, which others need: a program may run for long.
        DispatchQueue(label: "user program", qos: .utility).async {
          continuation.resume(with: Result { try run.output(for: input) })
        }
      }
    } onCancel: {
      run.cancel()
    }
  }
}

/// A running program, and what it has written so far.
private final class RunningProgram: Sendable {
  private let program: String
  private let arguments: [String]
  private let limits: ProgramLimits
  private let isCancelled = Mutex(false)

  /// The interval, in milliseconds, at which the limits and cancellation are checked.
  private static let look: Int32 = 50

  init(_ program: String, _ arguments: [String], _ limits: ProgramLimits) {
    (self.program, self.arguments, self.limits) = (program, arguments, limits)
  }

  func cancel() { isCancelled.withLock { $0 = true } }

  func output(for input: [UInt8]) throws -> [UInt8] {
    do {
      let file = try ChildProcess.namelessFile(input)
      defer { close(file) }
      let errors = try ChildProcess.outputPipe()
      defer { close(errors) }
      let pipe = try ChildProcess.pipe()
      defer { close(pipe.reading) }
      let child: pid_t
      do {
        defer { close(pipe.writing) }
        child = try ChildProcess.start(
          program, arguments, input: .descriptor(file), output: .descriptor(pipe.writing),
          errors: .descriptor(errors))
      }
      return try read(pipe.reading, from: child, errors)
    } catch let failure as ChildProcess.Failure {
      throw ProgramError.notStarted(program, reason: String(cString: strerror(failure.code)))
    }
  }

  private func read(_ pipe: Int32, from child: pid_t, _ errors: Int32) throws -> [UInt8] {
    var isOver = false
    var status: Int32 = 0
    defer {
      // The program leads a process group, so this ends everything that it has started, too.
      kill(-child, SIGKILL)
      if !isOver { while waitpid(child, &status, 0) < 0, errno == EINTR {} }
    }
    let clock = ContinuousClock()
    let end = clock.now + limits.time
    var output: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 64 << 10)
    var isClosed = false
    while !isClosed || !isOver {
      if isCancelled.withLock(\.self) { throw CancellationError() }
      guard clock.now < end else { throw ProgramError.timedOut(program, limit: limits.time) }
      var descriptor = pollfd(fd: isClosed ? -1 : pipe, events: Int16(POLLIN), revents: 0)
      let isReady = poll(&descriptor, 1, Self.look) > 0
      if isReady {
        let count = buffer.withUnsafeMutableBytes {
          Foundation.read(pipe, $0.baseAddress, $0.count)
        }
        if count > 0 {
          output += buffer.prefix(count)
          guard output.count <= limits.size else {
            throw ProgramError.tooLarge(program, limit: limits.size)
          }
        } else if count == 0 {
          isClosed = true
        }
      } else if isOver {
        // A process that it started and left behind may keep the pipe open for ever.
        isClosed = true
      }
      if !isOver, waitpid(child, &status, WNOHANG) == child { isOver = true }
    }
    let signal = status & 0x7F
    guard signal == 0, status >> 8 & 0xFF == 0 else {
      let how =
        signal == 0 ? "ended with status \(status >> 8 & 0xFF)" : "was ended by signal \(signal)"
      let line = ChildProcess.firstLine(in: errors) ?? ""
      throw ProgramError.failed(program, how: how, errors: line)
    }
    return output
  }
}
