import Foundation

/// A program on a terminal of its own, driven by a test.
///
/// Nothing here sleeps: every wait blocks until the program writes or ends. The deadline of a wait
/// only turns a hang into a failure.
///
/// ```swift
/// let terminal = try PseudoTerminal(running: builtProgram("argyle"), columns: 80, rows: 24)
/// try terminal.waitUntil("the list is there") { $0.text.contains("Articles") }
/// terminal.send("q")
/// let ending = try terminal.waitForExit()
/// ```
public final class PseudoTerminal {
  /// How a program ended.
  public enum Ending: Equatable, Sendable {
    /// By itself, with this status.
    case exited(Int32)
    /// By this signal.
    case signalled(Int32)
  }

  /// Why a test cannot go on.
  public struct Failure: Error, CustomStringConvertible {
    /// What was waited for, and what was on the screen.
    public let description: String
  }

  /// What the program has drawn.
  public private(set) var screen: EmulatedScreen
  /// Everything it has written.
  public private(set) var output: [UInt8] = []
  /// Its process.
  public let processID: pid_t
  /// The modes of the terminal before the program began.
  public let initialModes: TerminalModes
  private var main: Int32
  // Held open, so that what the program wrote last and the modes it left can be read after its end.
  private let replica: Int32
  private let end: ChildEnd

  /// Starts a program in a session of its own, whose controlling terminal is a new one of that size.
  ///
  /// The environment is exactly `environment`, with `TERM` set to `terminalType`.
  public init(
    running path: String, _ arguments: [String] = [], environment: [String: String] = [:],
    terminalType: String = "xterm-256color", columns: Int = 80, rows: Int = 24,
    redirectingOutputTo outputPath: String? = nil, inputFrom inputPath: String? = nil,
    errorTo errorPath: String? = nil
  ) throws {
    let pair = try PseudoTerminal.open(columns: columns, rows: rows)
    (main, replica) = (pair.main, pair.replica)
    screen = EmulatedScreen(columns: columns, rows: rows)
    initialModes = TerminalModes(of: pair.replica)
    var environment = environment
    environment["TERM"] = terminalType
    processID = try spawn(
      path, arguments, environment: environment, terminal: pair.name, outputPath: outputPath,
      inputPath: inputPath, errorPath: errorPath)
    end = try ChildEnd(of: processID)
  }

  deinit {
    // A child that a failed test left behind must not outlive it.
    if !end.hasCome { kill(-processID, SIGKILL) }
    hangUp()
    close(replica)
  }

  private static func open(
    columns: Int, rows: Int
  ) throws -> (main: Int32, replica: Int32, name: String) {
    let main = Glibc.open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
    guard main >= 0 else { throw failure("opening /dev/ptmx") }
    var number: Int32 = 0
    var locked: Int32 = 0
    // TIOCSPTLCK and TIOCGPTN, macros that are too complex for Swift.
    guard ioctl(main, 0x4004_5431, &locked) == 0, ioctl(main, 0x8004_5430, &number) == 0 else {
      throw failure("making a terminal")
    }
    let name = "/dev/pts/\(number)"
    let replica = Glibc.open(name, O_RDWR | O_NOCTTY | O_CLOEXEC)
    guard replica >= 0 else { throw failure("opening \(name)") }
    var size = winsize(
      ws_row: UInt16(rows), ws_col: UInt16(columns), ws_xpixel: 0, ws_ypixel: 0)
    guard ioctl(main, UInt(TIOCSWINSZ), &size) == 0 else { throw failure("TIOCSWINSZ") }
    return (main, replica, name)
  }

  static func failure(_ what: String) -> Failure {
    Failure(description: "\(what): \(String(cString: strerror(errno)))")
  }

  // MARK: - Doing

  /// Types.
  public func send(_ text: String) { send(Array(text.utf8)) }

  /// Pastes a text: sends it between the marks that a terminal puts around it.
  public func paste(_ text: String) { send("\u{1B}[200~\(text)\u{1B}[201~") }

  /// Sends bytes as if they were typed.
  public func send(_ bytes: [UInt8]) {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { write(main, $0.baseAddress, $0.count) }
      guard count > 0 || errno == EINTR else { return }
      rest = rest.dropFirst(max(0, count))
    }
  }

  /// Writes on the terminal, as another program does that has it open.
  public func scribble(_ text: String) {
    let bytes = Array(text.utf8)
    _ = bytes.withUnsafeBytes { write(replica, $0.baseAddress, $0.count) }
  }

  /// Sends a signal to the program.
  public func signal(_ number: Int32) { kill(processID, number) }

  /// Changes the size, as a person does who drags a window's corner; the kernel tells the program.
  public func resize(columns: Int, rows: Int) throws {
    var size = winsize(
      ws_row: UInt16(rows), ws_col: UInt16(columns), ws_xpixel: 0, ws_ypixel: 0)
    screen.resize(columns: columns, rows: rows)
    guard ioctl(main, UInt(TIOCSWINSZ), &size) == 0 else {
      throw PseudoTerminal.failure("TIOCSWINSZ")
    }
  }

  /// Takes the terminal away, as closing its window does.
  public func hangUp() {
    guard main >= 0 else { return }
    close(main)
    main = -1
  }

  // MARK: - Looking

  /// The modes of the terminal now, as `stty -a` shows them.
  public var modes: TerminalModes { TerminalModes(of: replica) }

  /// Where the output ends now: what comes later is `output[mark...]`.
  public var mark: Int { output.count }

  /// Waits until `condition` holds of the screen.
  public func waitUntil(
    _ what: String, deadline: Duration = .seconds(120),
    _ condition: (EmulatedScreen) throws -> Bool
  ) throws {
    let limit = ContinuousClock.now + deadline
    while try !condition(screen) {
      guard try read(before: limit) else {
        throw Failure(
          description: "waited in vain until \(what) (ended: \(end.hasCome)); the screen:\n"
            + screen.text)
      }
    }
  }

  /// Types, and waits until `condition` holds of the screen.
  public func send(
    _ text: String, until what: String, _ condition: (EmulatedScreen) throws -> Bool
  ) throws {
    send(text)
    try waitUntil(what, condition)
  }

  /// Presses a key, again after every five seconds, until `condition` holds of the screen.
  public func waitUntil(
    _ what: String, pressing keys: String, _ condition: (EmulatedScreen) throws -> Bool
  ) throws {
    for _ in 0..<10 {
      send(keys)
      do {
        return try waitUntil(what, deadline: .seconds(5), condition)
      } catch is Failure {}
    }
    send(keys)
    try waitUntil(what, condition)
  }

  /// Waits until the program has ended, and reads all that it wrote.
  @discardableResult
  public func waitForExit(deadline: Duration = .seconds(120)) throws -> Ending {
    let limit = ContinuousClock.now + deadline
    while !end.hasCome {
      guard try read(before: limit) else {
        throw Failure(description: "the program did not end; the screen:\n" + screen.text)
      }
    }
    while try read(before: .now) {}
    return end.ending()
  }

  /// Reads what is there, or waits for it; false when the time is over, or nothing can come.
  private func read(before limit: ContinuousClock.Instant) throws -> Bool {
    let hadEnded = end.hasCome
    var polls = [pollfd(fd: main, events: Int16(POLLIN), revents: 0)]
    if !hadEnded { polls.append(pollfd(fd: end.descriptor, events: Int16(POLLIN), revents: 0)) }
    let left = ContinuousClock.now.duration(to: limit)
    let milliseconds = hadEnded ? 0 : max(0, Int32(left / .milliseconds(1)))
    let ready = poll(&polls, nfds_t(polls.count), milliseconds)
    if ready < 0 { return errno == EINTR }
    guard ready > 0 else { return false }
    if polls[0].revents & Int16(POLLIN) != 0 {
      var buffer = [UInt8](repeating: 0, count: 65536)
      let count = Glibc.read(main, &buffer, buffer.count)
      guard count > 0 else { return false }
      output += buffer[..<count]
      screen.feed(buffer[..<count])
      return true
    }
    if !hadEnded, polls[1].revents != 0 {
      end.noteCome()
      return true
    }
    return false
  }
}
