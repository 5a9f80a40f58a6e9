public import Loading
import Synchronization

/// Runs a view on a screen until the user quits.
///
/// ```swift
/// let options = TerminalOptions(terminalType: "xterm-256color")
/// let app = TerminalApp(screen: try NcursesScreen(options: options)) { Text("Hello") }
/// await app.run()
/// ```
///
/// The app draws when a model that the last frame read has changed, when a deadline of the frame is
/// due, or when the screen has a new size; otherwise it sleeps. Keys go to the newest frame;
/// several changes between two presentations are shown together.
@MainActor
public final class TerminalApp {
  /// Why a run ended.
  public enum Exit: Hashable, Sendable {
    /// The program ended the run, for example because the user quit.
    case quit
    /// A signal ended the run; it has to be raised again once the terminal is restored.
    case signal(Int32)
    /// The terminal was closed.
    case closed
  }

  /// A gate that is closed while another window has the focus: automatic refreshes of views wait
  /// for it.
  ///
  /// If the terminal does not report its focus, the gate stays open. A key, the mouse, and a return
  /// from Ctrl-Z or another program also open it. A program passes the gate to the schedulers of
  /// its models; see `LoadScheduler.refreshing(whileOpen:)`.
  public let focus: LoadGate

  let screen: any Screen
  private let clock: AnyClock
  private let host: ViewHost
  private let mailbox = Mailbox()
  private var frame: Frame
  // Whether the frame has not been presented yet.
  private var isPending = false
  // Why the run is to end; it ends when `finish` has returned.
  private var reason: Exit?
  private var exit: Exit?
  private var ended: CheckedContinuation<Void, Never>?
  private var isAwake = false
  private var isTurning = false
  private lazy var alarm = Alarm(clock: clock) { [weak self] in self?.wake() }

  /// Creates an app that shows `root` on `screen`; the views inherit `environment`.
  public init(
    screen: any Screen, clock: AnyClock = .terminal, scheduler: LoadScheduler = .terminal,
    focus: LoadGate = LoadGate("unfocused"), environment: EnvironmentValues = .init(),
    @ViewBuilder root: @escaping () -> some View
  ) {
    self.screen = screen
    self.clock = clock
    self.focus = focus
    host = ViewHost(
      clock: clock, scheduler: scheduler.refreshing(whileOpen: focus), root: root)
    host.environment = environment
    frame = Frame(EmptyView(), size: .zero)
    host.environment.terminal = TerminalHandle(self)
    host.takeRuns()
  }

  /// Runs before the app ends, for example to save changes.
  ///
  /// It is called once, whether a key, a signal or the loss of the terminal ends the app. The app
  /// continues to draw and to handle keys until it returns, so it has to return soon: after a signal
  /// within `TerminalOptions.endingTime`, or else the process exits with status 75.
  public var finish: (@MainActor () async -> Void)?

  /// Called with the background colour of the terminal, if the terminal reports it.
  ///
  /// The app does not ask for it; use `Screen.askForBackground()`.
  public var foundBackground: (@MainActor (Color) -> Void)?

  /// The environment that the views inherit; a change is drawn at once.
  public var environment: EnvironmentValues {
    get { host.environment }
    set { host.environment = newValue }
  }

  /// Runs until the app ends, restores the terminal, and returns why it ended.
  @discardableResult
  public func run() async -> Exit {
    if screen is NcursesScreen { Self.putMainThreadFirst() }
    let wake: @Sendable () -> Void = { [weak self] in Task { @MainActor in self?.wake() } }
    host.invalidation.onSet(wake)
    let isDelivered = screen.deliverEvents { [weak self] in self?.receive($0) }
    let input = isDelivered ? nil : collectInput(wake)
    draw()
    if exit == nil {
      await withCheckedContinuation { continuation in
        ended = continuation
        self.wake()
      }
    }
    host.invalidation.onSet(nil)
    alarm.set(nil)
    input?.cancel()
    host.end()
    screen.close()
    return exit ?? .quit
  }

  // MARK: Frames

  private func draw() {
    frame = host.frame(size: screen.size, at: clock.now)
    isPending = true
  }

  /// Redraws what is out of date: changed models, a new size, a due animation.
  private func update() {
    let isDue = frame.nextChange.map { $0 <= clock.now } ?? false
    if isDue || host.needsFrame || frame.cells.size != screen.size { draw() }
  }

  private func present() {
    guard isPending, screen.isReady else { return }
    isPending = false
    screen.present(frame.cells, cursor: frame.cursor, damage: host.damage)
    host.didPresent(frame)
  }

  // MARK: Input

  /// Handles an event as if the terminal had sent it, for example to play a demonstration.
  public func send(_ event: InputEvent) { receive([event]) }

  /// Handles events and presents the result at once, before anything else runs.
  private func receive(_ events: [InputEvent]) {
    for event in events { _ = mailbox.put(event) }
    wake()
  }

  /// Collects events of the screen in the mailbox.
  private func collectInput(_ wake: @escaping @Sendable () -> Void) -> Task<Void, Never> {
    let (events, mailbox) = (screen.events, mailbox)
    // Off the main actor, so that all events that arrive while a frame is drawn are handled
    // together.
    return Task(executorPreference: WorkerPool.shared) { @concurrent in
      for await event in events { if mailbox.put(event) { wake() } }
      if mailbox.put(.closed) { wake() }
    }
  }

  private func handle(_ event: InputEvent) {
    switch event {
    case .key, .mouse, .paste: focus.open()
    default: break
    }
    switch event {
    case .key(let key):
      // Ctrl-L redraws the screen, as is usual in terminals, unless the views use it.
      if !host.press(key, in: frame), key == .control("l") { screen.redraw() }
    case .mouse(let event): host.send(event, in: frame)
    case .paste(let text): host.paste(text, in: frame)
    case .focus(let isThere): if isThere { focus.open() } else { focus.close() }
    case .background(let color): foundBackground?(color)
    case .drained: break
    case .resize: host.invalidation.set()
    case .suspend:
      screen.suspend()
      focus.open()
      host.invalidation.set()
    case .terminate(let signal): end(.signal(signal))
    case .closed: end(.closed)
    }
  }

  /// Ends the run; only the first reason counts.
  func end(_ reason: Exit) {
    guard self.reason == nil else { return }
    self.reason = reason
    guard let finish else {
      exit = reason
      return wake()
    }
    Task {
      await finish()
      exit = reason
      wake()
    }
  }

  // MARK: Turns

  // Called synchronously: resuming a suspended task goes through another thread, which would cost
  // two more wake-ups for each key and each tick.
  private func wake() {
    isAwake = true
    guard !isTurning, ended != nil else { return }
    isTurning = true
    // Changes during a turn are noticed at its end.
    host.invalidation.attend()
    var rounds = 0
    repeat {
      isAwake = false
      turn()
      rounds += 1
    } while rounds < Self.roundLimit && isUnsettled
    isTurning = false
    guard exit != nil else {
      // A view that invalidates itself forever gets a few rounds per tick, so that keys, signals
      // and the closing of the terminal are handled in between.
      if rounds == Self.roundLimit { alarm.set(TickGrid.next(after: clock.now)) }
      return
    }
    ended?.resume()
    ended = nil
  }

  /// The most rounds in one turn before other work gets its chance.
  private static let roundLimit = 10

  /// Whether something has changed since the last update of the frame.
  private var isUnsettled: Bool { exit == nil && (isAwake || !host.invalidation.leave()) }

  /// The text at the beginning of the events, if it is longer than a user types at once.
  ///
  /// A terminal without bracketed paste sends pasted text as keys. Each key would cost a frame and
  /// a copy of the text so far: 15,000 characters took more than a minute.
  private static func pasted(_ events: ArraySlice<InputEvent>) -> [Character]? {
    var text: [Character] = []
    for event in events {
      guard case .key(let key) = event, let character = key.printable else { break }
      text.append(character)
    }
    return text.count >= 64 ? text : nil
  }

  /// Handles the events that have arrived, updates the frame and presents it.
  private func turn() {
    var events = mailbox.take()[...]
    while exit == nil, let event = events.first {
      prepareForInput()
      if frame.takesText, let text = Self.pasted(events) {
        handle(.paste(String(text)))
        events = events.dropFirst(text.count)
      } else {
        handle(event)
        events.removeFirst()
      }
      performRun()
    }
    performRun()
    guard exit == nil else { return }
    update()
    present()
    // While the screen is not ready, no further frame is needed: draining the output wakes the app.
    let times = [screen.isReady ? frame.nextChange : nil, host.run?.end]
    alarm.set(times.compactMap(\.self).min())
  }

  /// Brings the frame, and what it corrects, up to date.
  private func prepareForInput() {
    if host.needsFrame { draw() }
    host.prepareForInput(in: frame)
    if host.needsFrame { draw() }
  }

  /// Performs the actions of a run, each in the frame that follows the previous one.
  private func performRun() {
    while exit == nil, host.run != nil {
      prepareForInput()
      guard host.performNext(in: frame, at: clock.now) else { return }
    }
  }
}

/// The events that have arrived since they were last taken.
private final class Mailbox: Sendable {
  private let events = Mutex<[InputEvent]>([])

  /// Adds an event; returns `true` if the mailbox was empty, so that the reader has to be woken.
  func put(_ event: InputEvent) -> Bool {
    events.withLock { events in
      events.append(event)
      return events.count == 1
    }
  }

  func take() -> [InputEvent] {
    events.withLock { events in
      defer { events = [] }
      return events
    }
  }
}
