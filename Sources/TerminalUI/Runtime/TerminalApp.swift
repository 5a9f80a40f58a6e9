public import Loading
import Synchronization

/// Runs a view on a screen until somebody quits.
///
/// ```swift
/// let options = TerminalOptions(terminalType: "xterm-256color")
/// let app = TerminalApp(screen: try NcursesScreen(options: options)) { Text("Hello") }
/// await app.run()
/// ```
///
/// It draws when a model changed that the last frame read, when a frame's own time came, when the
/// screen has a new size, and else sleeps. Keys go to the newest frame; several changes between
/// two presentations are shown as one.
@MainActor
public final class TerminalApp {
  /// Why a run ended.
  public enum Exit: Hashable, Sendable {
    /// Somebody asked for it.
    case quit
    /// A signal asked for it: to be raised again once the terminal is given back.
    case signal(Int32)
    /// The terminal is gone.
    case closed
  }

  /// Closed while another window has the focus: what views load again by themselves waits for it.
  ///
  /// A terminal that tells nothing of the focus leaves it open. A key, the mouse, and coming back after
  /// Ctrl-Z or from another program open it. A program passes it to the schedulers of its models, see
  /// `LoadScheduler.refreshing(whileOpen:)`.
  public let focus: LoadGate

  private let screen: any Screen
  private let clock: AnyClock
  private let host: ViewHost
  private let mailbox = Mailbox()
  private var frame: Frame
  // Whether the frame is still to be presented.
  private var isPending = false
  // Why it is to end; it ends once `finish` is over.
  private var reason: Exit?
  private var exit: Exit?
  private var ended: CheckedContinuation<Void, Never>?
  private var isAwake = false
  private var isTurning = false
  private lazy var alarm = Alarm(clock: clock) { [weak self] in self?.wake() }

  /// An app that shows `root` on `screen`; `environment` is what the views inherit at the root.
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
    host.environment.quit = QuitAction { [weak self] in self?.end(.quit) }
    host.environment.copyText = CopyAction { [weak screen] in screen?.copy($0) }
    host.takeRuns()
    host.environment.ringBell = RingAction { [weak screen] in screen?.ring() }
    host.environment.setTitle = SetTitleAction { [weak screen] in screen?.setTitle($0) }
    host.environment.notify = NotifyAction { [weak screen] in
      screen?.notify($0, title: $1, by: $2)
    }
    // Two programs would take each other's keys, and the first to end would take the terminal from the
    // other.
    let turns = LoadLimit(1)
    host.environment.lendTerminal = LendTerminalAction { [weak screen] use in
      try? await turns.withPlace { @MainActor in
        screen?.lend()
        await use()
        screen?.takeBack()
        focus.open()
      }
    }
  }

  /// Runs before the app ends, for instance to save changes; nil for nothing.
  ///
  /// Called once, whether a key, a signal or the loss of the terminal ends the app. The
  /// app goes on drawing and handling keys until it returns, so it has to return soon.
  public var finish: (@MainActor () async -> Void)?

  /// Told what colour the terminal's background has, if the terminal says so.
  public var foundBackground: (@MainActor (Color) -> Void)?

  /// What the views inherit at the root; a change is drawn at once.
  public var environment: EnvironmentValues {
    get { host.environment }
    set { host.environment = newValue }
  }

  /// Runs until the end, gives the terminal back, and says why it ended.
  @discardableResult
  public func run() async -> Exit {
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

  /// Brings the frame up to date: with the models, the size and the time.
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

  /// Handles what came in at once, and shows what comes of it, before anything else runs.
  private func receive(_ events: [InputEvent]) {
    for event in events { _ = mailbox.put(event) }
    wake()
  }

  /// Puts what comes in into the mailbox.
  private func collectInput(_ wake: @escaping @Sendable () -> Void) -> Task<Void, Never> {
    let (events, mailbox) = (screen.events, mailbox)
    // Off the main actor: what comes in while a frame is drawn is then there all at once.
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
      // As everywhere in terminals, unless it means something else here.
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

  /// Ends the run for the first reason that was given.
  private func end(_ reason: Exit) {
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

  // Called, not resumed: a task that is parked comes back by way of another thread, which would be
  // two more to wake for each key and each tick.
  private func wake() {
    isAwake = true
    guard !isTurning, ended != nil else { return }
    isTurning = true
    // What changes meanwhile is seen at the end of a turn.
    host.invalidation.attend()
    var rounds = 0
    repeat {
      isAwake = false
      turn()
      rounds += 1
    } while rounds < Self.roundLimit && isUnsettled
    isTurning = false
    guard exit != nil else {
      // A view that invalidates itself for ever gets a few rounds a tick: keys, signals and the end of
      // the terminal are heard in between.
      if rounds == Self.roundLimit { alarm.set(TickGrid.next(after: clock.now)) }
      return
    }
    ended?.resume()
    ended = nil
  }

  /// How often a frame may be brought up to date before something else has its turn.
  private static let roundLimit = 10

  /// Whether something has changed since the frame was brought up to date.
  private var isUnsettled: Bool { exit == nil && (isAwake || !host.invalidation.leave()) }

  /// The text that begins a list of events, if it is longer than anybody types at once.
  ///
  /// A terminal that does not say what is pasted sends it as keys. Each of them would be a frame, and a
  /// copy of the text that is there already: 15,000 characters took more than a minute.
  private static func pasted(_ events: ArraySlice<InputEvent>) -> [Character]? {
    var text: [Character] = []
    for event in events {
      guard case .key(let key) = event, let character = key.printable else { break }
      text.append(character)
    }
    return text.count >= 64 ? text : nil
  }

  /// Handles what came in, brings the frame up to date and shows it.
  private func turn() {
    var events = mailbox.take()[...]
    while exit == nil, let event = events.first {
      if host.needsFrame { draw() }
      host.moveFocusIfWanted(in: frame)
      if host.needsFrame { draw() }
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
    // A frame that cannot be shown yet needs no further one: what drains the line wakes us.
    let times = [screen.isReady ? frame.nextChange : nil, host.run?.end]
    alarm.set(times.compactMap(\.self).min())
  }

  /// Does the actions of a run, each in the frame that the one before has left.
  private func performRun() {
    while exit == nil, host.run != nil {
      if host.needsFrame { draw() }
      host.moveFocusIfWanted(in: frame)
      if host.needsFrame { draw() }
      guard host.performNext(in: frame, at: clock.now) else { return }
    }
  }
}

/// What came in since somebody looked.
private final class Mailbox: Sendable {
  private let events = Mutex<[InputEvent]>([])

  /// Puts an event in; `true` when the box was empty, so that somebody has to be told.
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
