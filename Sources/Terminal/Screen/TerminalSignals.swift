import CNcurses
import CSignals
import Dispatch

/// The signals of a program with a terminal.
///
/// Signals that request something are passed to the main actor through a pipe. Faults, and all
/// other signals that would end the program, restore the terminal first.
@MainActor
final class TerminalSignals {
  private static let asking = [SIGINT, SIGTERM, SIGHUP, SIGTSTP, SIGCONT, SIGWINCH]
  private static let faults = [SIGSEGV, SIGBUS, SIGILL, SIGTRAP, SIGABRT, SIGFPE, SIGSYS, SIGQUIT]
  private let receive: @MainActor (Int32) -> Void
  private let reading: Int32
  private let source: any DispatchSourceRead
  private var handled: [Int32] = []

  /// Handles signals until ``stop()``; calls `receive` for each signal that requests something.
  ///
  /// A process that a signal has asked to end has `endingTime` seconds to do so; `nil` or 0 means
  /// no limit.
  init(
    endingTime: Int?, receive: @escaping @MainActor (Int32) -> Void
  ) throws(TerminalError) {
    guard let pipe = signalPipe(endingTime: endingTime ?? 0) else {
      throw .outOfResources(code: c_error())
    }
    (reading, source) = pipe
    self.receive = receive
    source.setEventHandler { [weak self] in self?.receiveAll() }
    source.resume()
    for number in TerminalSignals.asking { handle(number, signal_tell) }
    for number in TerminalSignals.faults { handle(number, signal_end) }
    // A signal that other code handles does not end the program.
    for number in 1..<signal_count() where signal_ends_process(number) != 0 {
      handle(number, signal_end)
    }
  }

  private func handle(_ number: Int32, _ handler: @escaping signal_handler) {
    // The parent process may have ignored a signal for a reason, as nohup does.
    guard signal_is_ignored(number) == 0 else { return }
    signal_keep(number)
    signal_handle(number, handler)
    handled.append(number)
  }

  /// Restores the previous signal handlers.
  func stop() {
    // The deadline outlives the screen, so that saving after it is closed is limited, too.
    for number in handled where number != SIGALRM || deadline_has_begun() == 0 {
      signal_restore(number)
    }
    handled = []
    signal_tell_to(-1)
    source.cancel()
  }

  private func receiveAll(except ignored: [Int32] = []) {
    var number: UInt8 = 0
    while read(reading, &number, 1) == 1 {
      if !ignored.contains(Int32(number)) { receive(Int32(number)) }
    }
  }

  /// Stops this process and the rest of its process group, as Ctrl-Z does, until it is continued.
  ///
  /// Returns at once if no process could continue it.
  func stopProcess(on device: TerminalDevice) {
    guard handled.contains(SIGTSTP) else { return }
    sendAndAwait(SIGTSTP, to: 0)
    signal_set_default(SIGTSTP)
    signal_raise(SIGTSTP)
    stopUntilForeground(on: device)
  }

  /// Stops this process while another one owns the terminal, unless it was asked to end.
  ///
  /// A process that was continued in the background has to stop again.
  func stopUntilForeground(on device: TerminalDevice) {
    guard handled.contains(SIGTSTP) else { return }
    // The loop is bounded, because a process that nothing could continue cannot be stopped.
    for _ in 0..<100 where !device.isForeground {
      sendAndAwait(SIGCONT, to: getpid())
      if hasToldToEnd { break }
      signal_raise(SIGTTOU)
    }
    for number in [SIGTSTP, SIGCONT] { signal_handle(number, signal_tell) }
    // A second Ctrl-Z from before must not stop a program that was just continued.
    receiveAll(except: [SIGTSTP, SIGCONT])
  }

  /// Sends a signal to this process, or to its whole group if `target` is 0.
  ///
  /// Returns when this process has handled its copy and all earlier signals; the signal has no
  /// other effect on it.
  ///
  /// It would not be enough to ignore SIGTSTP instead: a thread that is still in the handler of the
  /// previous one blocks the signal, which then stays pending and stops the process again after it
  /// was continued. And after SIGCONT, another thread may not have handled the SIGTERM that came
  /// with it.
  private func sendAndAwait(_ number: Int32, to target: pid_t) {
    var ends: [Int32] = [-1, -1]
    guard descriptor_pipe(&ends) == 0 else { return }
    signal_note_arrival_to(ends[1])
    signal_handle(number, signal_note_arrival)
    kill(target, number)
    _ = descriptor_wait_to_read(ends[0], 1000)
    signal_handle(number, signal_do_nothing)
    signal_note_arrival_to(-1)
    for end in ends { close(end) }
  }

  /// Ignores Ctrl-C and Ctrl-\ while another program has the terminal, or handles them again.
  func ignoreKeys(_ isIgnoring: Bool) {
    for number in [SIGINT, SIGQUIT] where handled.contains(number) {
      switch (isIgnoring, number) {
      case (true, _): signal_handle(number, signal_do_nothing)
      case (false, SIGINT): signal_handle(number, signal_tell)
      case (false, _): signal_handle(number, signal_end)
      }
    }
  }

  /// Whether a signal has asked the program to end.
  var hasToldToEnd: Bool { signal_has_told_to_end() != 0 }
}

/// Lets this thread restore the terminal even if its stack overflows.
package func prepareThreadForFaults() { signal_ensure_stack() }

/// Gives this process `seconds` to end, whatever its main thread does.
///
/// After that time, the terminal is restored, standard error says that changes may be lost, and the
/// process exits with status 75. Call it in a program that is about to quit and still has something
/// to save. A signal that asks the program to end does the same; see
/// ``TerminalOptions/endingTime``. Only the first call has an effect, and 0 seconds have none.
///
/// - Returns: the time left, which is less than `seconds` if there was an earlier call, or if a
///   signal came earlier and the main thread was too busy to notice it.
@discardableResult
public func endProcess(within seconds: Int) -> Duration {
  deadline_begin(UInt32(clamping: seconds))
  return .microseconds(deadline_left())
}

/// Runs `body` while a terminal has other modes than these, which are restored afterwards, and also
/// by a signal that ends the process meanwhile.
///
/// No screen may be open.
public func withModesRestored<Value>(
  _ modes: termios, of terminal: Int32, _ body: () throws -> Value
) rethrows -> Value {
  var modes = modes
  terminal_prepare(terminal, &modes, "", 0)
  // Without a log, so that what is written still goes where it did.
  terminal_take(-1, 0)
  let ending = (1..<signal_count()).filter { signal_ends_process($0) != 0 }
  for number in ending {
    signal_keep(number)
    signal_handle(number, signal_end)
  }
  defer {
    terminal_give_back()
    for number in ending { signal_restore(number) }
  }
  return try body()
}

/// Runs `body`, which SIGINT, SIGTERM and SIGHUP cancel; such a signal ends this process once `body`
/// has ended, or after `seconds`.
///
/// No screen may be open.
@MainActor
public func cancelledBySignals<Value: Sendable>(
  endingTime seconds: Int = 3, _ body: @escaping @Sendable () async throws -> Value
) async throws -> Value {
  guard let (reading, source) = signalPipe(endingTime: seconds) else { return try await body() }
  let task = Task { try await body() }
  var number: UInt8 = 0
  source.setEventHandler { if read(reading, &number, 1) == 1 { task.cancel() } }
  source.resume()
  // The parent process may have ignored a signal for a reason, as nohup does.
  let handled = [SIGINT, SIGTERM, SIGHUP].filter { signal_is_ignored($0) == 0 }
  for signal in handled {
    signal_keep(signal)
    signal_handle(signal, signal_tell)
  }
  let result = await task.result
  for signal in handled { signal_restore(signal) }
  signal_tell_to(-1)
  // One that came while the body ended has not been received.
  if number == 0 { _ = read(reading, &number, 1) }
  source.cancel()
  if number != 0 { raiseAgain(Int32(number)) }
  return try result.get()
}

/// Lets the handlers of signals write to a pipe; returns its end, and a source that reads it on the
/// main queue, closes it once cancelled, and has not been resumed.
///
/// - Parameter seconds: the time that a process has which a signal has asked to end; 0 for no limit.
/// - Returns: nil if there can be no pipe, with the reason in `errno`.
private func signalPipe(
  endingTime seconds: Int
) -> (reading: Int32, source: any DispatchSourceRead)? {
  var ends: [Int32] = [-1, -1]
  guard descriptor_pipe(&ends) == 0 else { return nil }
  let (reading, writing) = (ends[0], ends[1])
  let source = DispatchSource.makeReadSource(fileDescriptor: reading, queue: .main)
  source.setCancelHandler {
    close(reading)
    close(writing)
  }
  signal_forget_end()
  deadline_forget()
  signal_set_ending_time(UInt32(clamping: seconds))
  signal_tell_to(writing)
  return (reading, source)
}

/// Ends this process with `signal`, so that its parent learns what ended it.
///
/// The screen must be closed.
public func raiseAgain(_ signal: Int32) -> Never {
  // A signal ends the process without writing what was printed before.
  fflush(nil)
  signal_set_default(signal)
  signal_raise(signal)
  exit(128 + signal)
}
