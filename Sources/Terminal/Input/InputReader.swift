@preconcurrency import Dispatch
import Synchronization

/// Reads a terminal when bytes arrive, and decodes them: in the main thread's own loop if it runs,
/// otherwise off the main actor.
final class InputReader: Sendable {
  private struct State {
    var decoder = InputDecoder()
    // Counts reads, so that a flush can tell whether the terminal was silent.
    var readCount = 0
    var isOver = false
  }

  private let device: TerminalDevice
  private let outlet: EventOutlet
  // The main queue if the main thread's own loop runs, so that everything is read there.
  private let queue: DispatchQueue
  // Nil if the main thread's own loop reports input.
  private let source: (any DispatchSourceRead)?
  private let state = Mutex(State())

  /// Creates a reader and begins to read.
  @MainActor
  init(device: TerminalDevice, outlet: EventOutlet) {
    self.device = device
    self.outlet = outlet
    if MainLoop.isRunning {
      queue = .main
      source = nil
      MainLoop.watch(device.descriptor) { [weak self] in self?.read() ?? false }
      return
    }
    queue = DispatchQueue(label: "terminal input", qos: .userInteractive)
    let source = DispatchSource.makeReadSource(fileDescriptor: device.descriptor, queue: queue)
    self.source = source
    source.setEventHandler { @Sendable [weak self] in self?.read() }
    // The descriptor must stay open until the source has released it.
    source.setCancelHandler { @Sendable [device] in _ = device }
    source.resume()
  }

  deinit { source?.cancel() }

  /// Stops reading.
  @MainActor
  func stop() {
    state.withLock { $0.isOver = true }
    source?.cancel()
    MainLoop.unwatch(device.descriptor)
  }

  /// Reads the available bytes; returns `false` if no more will come.
  @discardableResult
  func read() -> Bool {
    let (events, isOver) = state.withLock { state in (read(&state), state.isOver) }
    // Not under the lock, because an event handler may stop the reader.
    outlet.send(events)
    return !isOver
  }

  private func read(_ state: inout State) -> [InputEvent] {
    guard !state.isOver else { return [] }
    let earlierCount = state.readCount
    var events: [InputEvent] = []
    withUnsafeTemporaryAllocation(byteCount: 4096, alignment: 1) { buffer in
      var isFull = true
      // A read that does not fill the buffer has emptied the queue; the source reports new input.
      while isFull, let count = device.read(into: buffer) {
        guard count > 0 else {
          state.decoder.flush(into: &events)
          events.append(.closed)
          state.isOver = true
          source?.cancel()
          return
        }
        isFull = count == buffer.count
        state.readCount += 1
        state.decoder.decode(buffer[..<count], into: &events)
      }
    }
    let readCount = state.readCount
    if let pause = state.decoder.decisivePause, !state.isOver, readCount != earlierCount {
      queue.asyncAfter(deadline: .now() + .milliseconds(pause)) { @Sendable [weak self] in
        self?.flush(ifNothingSince: readCount)
      }
    }
    return events
  }

  private func flush(ifNothingSince readCount: Int) {
    let events = state.withLock { state in
      // Input that arrived at the same moment as this timer counts as earlier.
      var events = read(&state)
      if state.readCount == readCount, !state.isOver { state.decoder.flush(into: &events) }
      return events
    }
    outlet.send(events)
  }
}
