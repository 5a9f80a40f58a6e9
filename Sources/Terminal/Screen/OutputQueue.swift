import Dispatch

/// The output that the terminal has not accepted yet.
@MainActor
final class OutputQueue {
  /// Called when a terminal that had fallen behind has taken everything.
  var drained: () -> Void = {}
  private let device: TerminalDevice
  private var waiting: ArraySlice<UInt8> = []
  // Exists only while bytes wait: a source on a terminal that can take more fires all the time.
  private var source: (any DispatchSourceWrite)?

  init(device: TerminalDevice) { self.device = device }

  /// Whether the terminal has taken everything.
  var isEmpty: Bool { waiting.isEmpty }

  /// Writes what the terminal takes now, and the rest when it can.
  func send(_ bytes: [UInt8]) {
    if waiting.isEmpty { waiting = bytes[...] } else { waiting += bytes }
    if source == nil { flush() }
  }

  /// Forgets what is waiting.
  func discard() {
    waiting = []
    source?.cancel()
    source = nil
  }

  private func flush() {
    while !waiting.isEmpty {
      // A terminal that is gone takes everything: that it is gone is for the reader to tell.
      guard let count = device.write(waiting) else { return discard() }
      if count == 0 { break }
      waiting = waiting.dropFirst(count)
    }
    if waiting.isEmpty {
      waiting = []
      guard let source else { return }
      source.cancel()
      self.source = nil
      drained()
    } else if source == nil {
      let source = DispatchSource.makeWriteSource(
        fileDescriptor: device.descriptor, queue: .main)
      source.setEventHandler { [weak self] in self?.flush() }
      // The descriptor must stay open until the source has let go of it.
      source.setCancelHandler { [device] in _ = device }
      self.source = source
      source.resume()
    }
  }
}
