import CNcurses
import CSignals
import Dispatch

/// The signals of a program that has a terminal.
///
/// Those that ask for something are told to the main actor through a pipe. Faults, and all others
/// that would end the program, restore the terminal first.
@MainActor
final class TerminalSignals {
  private static let asking = [SIGINT, SIGTERM, SIGHUP, SIGTSTP, SIGCONT, SIGWINCH]
  private static let faults = [SIGSEGV, SIGBUS, SIGILL, SIGTRAP, SIGABRT, SIGFPE, SIGSYS, SIGQUIT]
  private let receive: @MainActor (Int32) -> Void
  private let reading: Int32
  private let source: any DispatchSourceRead
  private var handled: [Int32] = []

  /// Handles the signals until ``stop()``; `receive` hears of each that asks for something.
  ///
  /// A process that a signal has asked to end has `endingTime` seconds to do so, or any time if that
  /// is `nil`.
  init(
    endingTime: Int?, receive: @escaping @MainActor (Int32) -> Void
  ) throws(TerminalError) {
    var ends: [Int32] = [-1, -1]
    guard descriptor_pipe(&ends) == 0 else { throw .outOfResources(code: c_error()) }
    let (reading, writing) = (ends[0], ends[1])
    self.receive = receive
    self.reading = reading
    source = DispatchSource.makeReadSource(fileDescriptor: reading, queue: .main)
    source.setEventHandler { [weak self] in self?.receiveAll() }
    source.setCancelHandler {
      close(reading)
      close(writing)
    }
    source.resume()
    signal_forget_end()
    deadline_forget()
    signal_set_ending_time(UInt32(clamping: endingTime ?? 0))
    signal_tell_to(writing)
    for number in TerminalSignals.asking { handle(number, signal_tell) }
    for number in TerminalSignals.faults { handle(number, signal_end) }
    // What somebody else handles does not end the program.
    for number in 1..<signal_count() where signal_ends_process(number) != 0 {
      handle(number, signal_end)
    }
  }

  private func handle(_ number: Int32, _ handler: @escaping signal_handler) {
    // Who started us may have ignored a signal for good reason: nohup does.
    guard signal_is_ignored(number) == 0 else { return }
    signal_keep(number)
    signal_handle(number, handler)
    handled.append(number)
  }

  /// Puts back what was there before.
  func stop() {
    // The deadline outlives the screen: what is saved after it is closed counts, too.
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

  /// Stops this process and everything else in its process group, as Ctrl-Z does, until it is
  /// continued.
  ///
  /// Returns at once where there is nobody to continue it.
  func stopProcess(on device: TerminalDevice) {
    guard handled.contains(SIGTSTP) else { return }
    sendAndAwait(SIGTSTP, to: 0)
    signal_set_default(SIGTSTP)
    signal_raise(SIGTSTP)
    // Continued in the background, it has to stop again until the terminal is its own, unless it was
    // continued only to end. Bounded, because there is no stopping where nobody could continue it.
    for _ in 0..<100 where !device.isForeground {
      sendAndAwait(SIGCONT, to: getpid())
      if hasToldToEnd { break }
      signal_raise(SIGTTOU)
    }
    for number in [SIGTSTP, SIGCONT] { signal_handle(number, signal_tell) }
    // A second Ctrl-Z from before must not stop a program that was just continued.
    receiveAll(except: [SIGTSTP, SIGCONT])
  }

  /// Sends a signal to this process, and to its whole group if `target` is 0, and waits until our copy
  /// of it, and every signal before it, was handled, with no other effect on us.
  ///
  /// Ignoring SIGTSTP instead would not do: a thread that is still in the handler of the last one has
  /// it blocked, it stays pending, and stops the process once more after it was continued. And after
  /// SIGCONT, another thread may not have come to the SIGTERM that came with it.
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

  /// Does nothing for Ctrl-C and Ctrl-\, which are meant for another program that has the terminal, or
  /// handles them again.
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

/// Gives this process `seconds` to end, whatever its main thread does: then the terminal is restored,
/// standard error says that changes may be lost, and the process exits with status 75.
///
/// For a program that is about to quit and still has something to save. A signal that asks for the end
/// does the same, see ``TerminalOptions/endingTime``. The first call counts.
///
/// - Returns: how much of that time is left: less than `seconds` where a signal came before, and the
///   main thread was too busy to hear of it.
@discardableResult
public func endProcess(within seconds: Int) -> Duration {
  deadline_begin(UInt32(clamping: seconds))
  return .microseconds(deadline_left())
}

/// Ends this process by `signal`, so that whoever started it learns what ended it.
///
/// The screen must be closed.
public func raiseAgain(_ signal: Int32) -> Never {
  signal_set_default(signal)
  signal_raise(signal)
  exit(128 + signal)
}
