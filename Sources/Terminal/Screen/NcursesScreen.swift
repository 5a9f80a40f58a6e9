import CNcurses
import CSignals

/// The terminal in which the program was started.
///
/// Only one can be open at a time. Open it, draw whenever an event arrives, and close it. If the
/// program ends in any other way, even in a crash, the terminal is restored, too.
///
/// ```swift
/// let screen = try NcursesScreen(options: TerminalOptions(terminalType: "xterm-256color"))
/// defer { screen.close() }
/// var buffer = CellBuffer(size: screen.size)
/// buffer.write("Hello", at: Point(x: 2, y: 1))
/// screen.present(buffer, cursor: nil)
/// for await event in screen.events where event == .key("q") { break }
/// ```
@MainActor
public final class NcursesScreen: Screen {
  private static weak var current: NcursesScreen?

  public var events: AsyncStream<InputEvent> {
    startReading()
    return outlet.events
  }
  public private(set) var size: Size
  private let outlet = EventOutlet()
  private let device: TerminalDevice
  private let painter: CursesPainter
  private let output: OutputQueue
  private var input: InputReader?
  private let log: Int32
  private let showsLog: Bool
  private let entering: [UInt8]
  private let setsTitle: Bool
  private var title: String?
  private var signals: TerminalSignals?
  private var hasTerminal = false
  private var isLent = false

  /// How many colours it shows: the terminal may have few, or the user may have turned them off.
  public var colorDepth: ColorDepth { painter.depth }

  /// Opens the terminal.
  ///
  /// - Throws: ``TerminalError`` if that is not possible; the terminal is then unchanged.
  public init(options: TerminalOptions) throws(TerminalError) {
    guard NcursesScreen.current?.signals == nil else { throw .alreadyOpen }
    guard !options.terminalType.isEmpty, options.terminalType != "dumb" else {
      throw .dumbTerminal
    }
    device = try TerminalDevice()
    size = device.size
    painter = try CursesPainter(
      terminalType: options.terminalType, colorDepth: options.colorDepth, size: size)
    setsTitle = options.setsTitle
    entering =
      (setsTitle ? TitleSequence.save : []) + painter.strings.enter(mouse: options.mouse)
    output = OutputQueue(device: device)
    let unnamed = options.logPath == nil ? descriptor_open_unnamed() : -1
    showsLog = unnamed >= 0
    let path = options.logPath ?? "/dev/null"
    log = showsLog ? unnamed : descriptor_open(path, O_WRONLY | O_CREAT | O_APPEND)
    guard log >= 0 else { throw .cannotOpenLog(path: path, code: c_error()) }
    let leaving =
      painter.strings.leave(mouse: options.mouse) + (setsTitle ? TitleSequence.restore : [])
    withUnsafePointer(to: device.originalModes) {
      terminal_prepare(device.descriptor, $0, leaving, leaving.count)
    }
    output.drained = { [outlet] in outlet.send(.drained) }
    signals = try TerminalSignals(endingTime: options.endingTime) { [weak self] in
      self?.receive($0)
    }
    do throws(TerminalError) {
      try take()
    } catch {
      close()
      throw error
    }
    NcursesScreen.current = self
  }

  isolated deinit {
    close()
    if log >= 0 { CNcurses.close(log) }
  }

  public func deliverEvents(to receive: @escaping @MainActor ([InputEvent]) -> Void) -> Bool {
    // Input that is read off the main thread cannot be handled synchronously.
    guard MainLoop.isRunning, input == nil else { return false }
    outlet.setReceiver(receive)
    startReading()
    return true
  }

  /// Starts reading input, if it has not started.
  ///
  /// Where input is read and how events are delivered are decided together and only now, because
  /// the main loop may start after the screen is opened.
  private func startReading() {
    guard input == nil, signals != nil else { return }
    input = InputReader(device: device, outlet: outlet)
  }

  public var isReady: Bool {
    // Called before each frame: views drawn on this thread may recurse until its stack overflows,
    // and the main actor may use different threads.
    prepareThreadForFaults()
    return output.isEmpty
  }

  public func present(_ buffer: CellBuffer, cursor: Point?, damage: Damage?) {
    guard hasTerminal, isReady else { return }
    painter.paint(buffer, cursor: cursor, damage: damage) { output.send($0) }
  }

  @discardableResult
  public func copy(_ text: String) -> Bool {
    guard hasTerminal, let bytes = ClipboardSequence.bytes(text) else { return false }
    send(bytes)
    return true
  }

  public func askForBackground() {
    // The program chooses no colours for a background if the terminal can show only a few.
    guard ![.monochrome, .eight, .sixteen].contains(painter.depth) else { return }
    send(Array("\u{1B}]11;?\u{1B}\\".utf8))
  }

  public func ring() { send([0x07]) }

  public func setTitle(_ title: String) {
    guard setsTitle, title != self.title else { return }
    self.title = title
    send(TitleSequence.bytes(title))
  }

  public func notify(_ text: String, title: String, by kind: NotificationKind) {
    send(kind.bytes(text, title: title))
  }

  private func send(_ bytes: [UInt8]) {
    if hasTerminal { bytes.withUnsafeBytes { output.send($0) } }
  }

  public func suspend() {
    // Another program has the terminal, and is stopped with this one.
    if isLent { signals?.stopProcess(on: device) } else { giveBack { $0.stopProcess(on: device) } }
  }

  /// Gives the terminal back, stops this process with `stop`, and takes the terminal again when the
  /// process was continued.
  private func giveBack(while stop: (TerminalSignals) -> Void) {
    guard let signals else { return }
    giveBack()
    stop(signals)
    // If it was continued only to end, the terminal now belongs to another process.
    if device.isForeground || !signals.hasToldToEnd { retake() }
  }

  public func lend() {
    guard let signals, !isLent else { return }
    isLent = true
    signals.ignoreKeys(true)
    // From here on, typed keys are for the other program.
    input?.stop()
    input = nil
    giveBack()
  }

  public func takeBack() {
    guard isLent else { return }
    isLent = false
    guard let signals else { return }
    signals.ignoreKeys(false)
    retake()
    startReading()
  }

  public func close() {
    guard let signals else { return }
    input?.stop()
    giveBack()
    signals.stop()
    self.signals = nil
    outlet.finish()
  }

  private func take() throws(TerminalError) {
    prepareThreadForFaults()
    try device.setScreenModes()
    terminal_take(log, showsLog ? 1 : 0)
    hasTerminal = true
    send(entering)
    if let title { send(TitleSequence.bytes(title)) }
  }

  private func giveBack() {
    hasTerminal = false
    output.discard()
    terminal_give_back()
  }

  /// Takes the terminal again after another program may have left it in any state.
  private func retake() {
    output.discard()
    // If the modes cannot be set, the terminal is gone, which the reader will report.
    try? take()
    redraw()
  }

  public func redraw() {
    painter.forget()
    resize()
  }

  private func resize() {
    let size = device.size
    if size != self.size {
      self.size = size
      painter.resize(to: size)
    }
    // Even if the size is unchanged, the contents of the terminal may be lost, so they are drawn
    // again.
    outlet.send(.resize(size))
  }

  private func receive(_ signal: Int32) {
    guard !isLent else { return receiveWhileLent(signal) }
    switch signal {
    case SIGWINCH: redraw()
    case SIGCONT where device.isForeground: retake()
    // It was stopped without a notice, and continued where the terminal belongs to the shell.
    case SIGCONT: giveBack { $0.stopUntilForeground(on: device) }
    case SIGTSTP: outlet.send(.suspend)
    default:
      // Keys typed before the signal count; but reading in the background would stop the process.
      if device.isForeground { input?.read() }
      outlet.send(.terminate(signal: signal))
    }
  }

  private func receiveWhileLent(_ signal: Int32) {
    switch signal {
    // The size is read when the terminal is taken back.
    case SIGWINCH, SIGCONT: break
    // Ctrl-Z stops both programs.
    case SIGTSTP: signals?.stopProcess(on: device)
    default: outlet.send(.terminate(signal: signal))
    }
  }
}
