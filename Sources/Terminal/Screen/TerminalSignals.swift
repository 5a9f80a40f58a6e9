import CNcurses
import Dispatch
import Synchronization

/// The signals of a program that has a terminal.
///
/// Those that ask for something are told to the main actor through a pipe. Those that end the
/// program at once give the terminal back first and then take their course.
@MainActor
final class TerminalSignals {
  private static let asking = [SIGINT, SIGTERM, SIGHUP, SIGTSTP, SIGCONT, SIGWINCH]
  private static let fatal = [
    SIGSEGV, SIGBUS, SIGILL, SIGTRAP, SIGABRT, SIGFPE, SIGSYS, SIGQUIT,
  ]
  private let receive: @MainActor (Int32) -> Void
  private let reading: Int32
  private let source: any DispatchSourceRead
  private var handled: [Int32] = []

  /// Handles the signals until ``stop()``; `receive` hears of each that asks for something.
  init(receive: @escaping @MainActor (Int32) -> Void) throws(TerminalError) {
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
    wasToldToEnd.store(false, ordering: .relaxed)
    askingPipe.store(writing, ordering: .releasing)
    for number in TerminalSignals.asking { handle(number, tellSignal) }
    for number in TerminalSignals.fatal { handle(number, endBySignal) }
  }

  private func handle(_ number: Int32, _ handler: @escaping signal_handler) {
    // Who started us may have ignored a signal for good reason: nohup does.
    guard signal_is_ignored(number) == 0 else { return }
    signal_handle(number, handler, previousActions + Int(number))
    handled.append(number)
  }

  /// Puts back what was there before.
  func stop() {
    for number in handled { signal_restore(number, previousActions + Int(number)) }
    handled = []
    askingPipe.store(-1, ordering: .releasing)
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
    for number in [SIGTSTP, SIGCONT] { signal_handle(number, tellSignal, nil) }
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
    arrivalPipe.store(ends[1], ordering: .releasing)
    signal_handle(number, noteArrival, nil)
    kill(target, number)
    _ = descriptor_wait_to_read(ends[0], 1000)
    signal_handle(number, ignoreSignal, nil)
    arrivalPipe.store(-1, ordering: .releasing)
    for end in ends { close(end) }
  }

  /// Whether a signal has asked the program to end.
  var hasToldToEnd: Bool { wasToldToEnd.load(ordering: .acquiring) }
}

/// Ends this process by `signal`, so that whoever started it learns what ended it.
///
/// The screen must be closed.
public func raiseAgain(_ signal: Int32) -> Never {
  signal_set_default(signal)
  signal_raise(signal)
  exit(128 + signal)
}

private let askingPipe = Atomic<Int32>(-1)
private let arrivalPipe = Atomic<Int32>(-1)
private let wasToldToEnd = Atomic<Bool>(false)
// Written on the main actor, each entry before the handler that reads it is installed; a handler
// can take no lock.
private nonisolated(unsafe) let previousActions = UnsafeMutablePointer<sigaction>.allocate(
  capacity: 128)

private func writeToPipe(_ pipe: Int32, _ byte: UInt8) {
  let error = c_error()
  var byte = byte
  write(pipe, &byte, 1)
  c_set_error(error)
}

private let tellSignal: signal_handler = { number, _, _ in
  if number == SIGINT || number == SIGTERM || number == SIGHUP {
    wasToldToEnd.store(true, ordering: .releasing)
  }
  writeToPipe(askingPipe.load(ordering: .acquiring), UInt8(truncatingIfNeeded: number))
}

private let noteArrival: signal_handler = { _, _, _ in
  writeToPipe(arrivalPipe.load(ordering: .acquiring), 1)
}

private let ignoreSignal: signal_handler = { _, _, _ in }

private let endBySignal: signal_handler = { number, information, _ in
  TerminalRescue.restore()
  // The previous action gets the fault as it happened, where the faulty instruction can run again.
  signal_restore(number, previousActions + Int(number))
  if signal_repeats(number, information) == 0 { raise(number) }
}
