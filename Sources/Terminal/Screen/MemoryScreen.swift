/// A screen in memory, for tests and for pictures of a program without a terminal.
@MainActor
public final class MemoryScreen: Screen {
  /// The number of columns and rows.
  public private(set) var size: Size
  /// The events that were sent with ``send(_:)``.
  public let events: AsyncStream<InputEvent>
  /// Whether a frame may be presented; set it to `false` to simulate a stopped terminal.
  public var isReady = true {
    didSet { if isReady, !oldValue { send(.drained) } }
  }
  /// The cells that were last presented.
  public private(set) var buffer: CellBuffer
  /// The position of the cursor, or nil while it is hidden.
  public private(set) var cursor: Point?
  /// The number of frames presented.
  public private(set) var presentedCount = 0
  /// The texts that were copied to the clipboard, in order.
  public private(set) var copies: [String] = []
  /// How often the screen was suspended.
  public private(set) var suspendedCount = 0
  /// Whether the screen was closed.
  public private(set) var isClosed = false
  private let continuation: AsyncStream<InputEvent>.Continuation
  private var waiters:
    [(condition: (MemoryScreen) -> Bool, resume: CheckedContinuation<Void, Never>)] =
      []

  /// Creates an empty screen of `size`.
  public init(size: Size) {
    self.size = size
    buffer = CellBuffer(size: size)
    (events, continuation) = AsyncStream.makeStream()
  }

  /// Simulates an event.
  public func send(_ event: InputEvent) {
    if case .resize(let size) = event { self.size = size }
    continuation.yield(event)
  }

  public func present(_ buffer: CellBuffer, cursor: Point?, damage: Damage?) {
    self.buffer = buffer
    self.cursor = cursor
    presentedCount += 1
    tell()
  }

  @discardableResult
  public func copy(_ text: String) -> Bool {
    guard ClipboardSequence.bytes(text) != nil else { return false }
    copies.append(text)
    tell()
    return true
  }

  public func suspend() {
    suspendedCount += 1
    tell()
  }

  public func lend() { tell() }

  public func takeBack() { tell() }

  public func close() {
    isClosed = true
    continuation.finish()
    tell()
  }

  /// Waits until `condition` is true.
  ///
  /// It is checked at once, and whenever the program presents a frame, copies a text, or suspends,
  /// lends, takes back or closes the screen.
  public func wait(until condition: @escaping (MemoryScreen) -> Bool) async {
    guard !condition(self) else { return }
    await withCheckedContinuation { waiters.append((condition, $0)) }
  }

  private func tell() {
    let due = waiters.filter { $0.condition(self) }
    waiters.removeAll { $0.condition(self) }
    for waiter in due { waiter.resume.resume() }
  }
}
