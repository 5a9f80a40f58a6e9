import CNcurses
import Synchronization

/// Gives the terminal back, exactly once, from wherever the program ends: ``NcursesScreen/close()``,
/// or the handler of a signal in the middle of a crash.
///
/// A handler may call next to nothing, so everything it needs is made ready when the terminal is
/// taken: the bytes to write, the modes to set, the descriptors to put back.
@MainActor
enum TerminalRescue {
  /// Prepares for giving back `device`.
  ///
  /// `leaving` are the bytes that do.
  static func prepare(_ device: TerminalDevice, leaving: [UInt8]) {
    let bytes = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: leaving.count)
    _ = bytes.initialize(from: leaving)
    belongings.initialize(
      to: Belongings(
        descriptor: device.descriptor, modes: device.originalModes, leaving: bytes))
    _ = restoresAtExit
  }

  // A library that calls `exit` ends the program, too.
  private static let restoresAtExit = atexit { restore() }

  /// From now on the terminal is to be given back.
  ///
  /// Standard error, and standard output where it is the terminal, go to `log` until then.
  static func take(log: Int32) {
    // Taken again after a stop that we did not hear of: the streams are redirected already.
    guard !isTaken.load(ordering: .acquiring) else { return }
    let streams = [STDOUT_FILENO, STDERR_FILENO].map { stream in
      guard stream == STDERR_FILENO || isatty(stream) == 1 else { return Int32(-1) }
      let copy = descriptor_copy(stream)
      if copy >= 0 { dup2(log, stream) }
      return copy
    }
    belongings.pointee.output = streams[0]
    belongings.pointee.error = streams[1]
    isTaken.store(true, ordering: .releasing)
  }

  /// Gives the terminal back, unless that was done.
  ///
  /// Safe in a signal handler, and on any thread.
  nonisolated static func restore() {
    guard isTaken.exchange(false, ordering: .acquiringAndReleasing) else { return }
    let things = belongings.pointee
    // In the background, only writing does not stop the process.
    let isForeground = terminal_is_foreground(things.descriptor) != 0
    if isForeground {
      // A terminal stopped by Ctrl-S would take nothing; Linux starts it only after a stop of ours.
      tcflow(things.descriptor, TCOOFF)
      tcflow(things.descriptor, TCOON)
    }
    write(things.leaving, to: things.descriptor, mayDrop: isForeground)
    if isForeground {
      var modes = things.modes
      // Without waiting for the output to leave: it may never.
      tcsetattr(things.descriptor, TCSANOW, &modes)
    }
    giveBack(things.output, as: STDOUT_FILENO)
    giveBack(things.error, as: STDERR_FILENO)
  }

  private nonisolated static func giveBack(_ copy: Int32, as stream: Int32) {
    guard copy >= 0 else { return }
    dup2(copy, stream)
    close(copy)
  }

  private nonisolated static func write(
    _ bytes: UnsafeMutableBufferPointer<UInt8>, to descriptor: Int32, mayDrop: Bool
  ) {
    var written = 0
    // A second at most: whoever has stopped reading the terminal must not keep us from ending.
    var patience = 10
    while written < bytes.count, patience > 0 {
      let count = CNcurses.write(
        descriptor, bytes.baseAddress.map { $0 + written }, bytes.count - written)
      if count > 0 {
        written += count
      } else if c_error() == EAGAIN {
        // What it has not taken yet are parts of a picture that is about to go.
        if mayDrop, patience == 5 { tcflush(descriptor, TCOFLUSH) }
        if descriptor_wait_to_write(descriptor, 100) <= 0 { patience -= 1 }
      } else if c_error() != EINTR {
        return
      }
    }
  }
}

private struct Belongings {
  var descriptor: Int32
  var modes: termios
  var leaving: UnsafeMutableBufferPointer<UInt8>
  var output: Int32 = -1
  var error: Int32 = -1
}

private let isTaken = Atomic<Bool>(false)
// Written on the main actor and only while `isTaken` is false; read only by the one who turned
// `isTaken` from true to false: that flag orders the two, and a handler can take no lock.
private nonisolated(unsafe) let belongings = UnsafeMutablePointer<Belongings>.allocate(capacity: 1)
