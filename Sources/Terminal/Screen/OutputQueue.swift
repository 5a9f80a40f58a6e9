import Dispatch

/// The output that the terminal has not accepted yet.
@MainActor
final class OutputQueue {
  /// Called when a terminal that had fallen behind has accepted all output.
  var drained: () -> Void = {}
  private let device: TerminalDevice
  private var waiting: ArraySlice<UInt8> = []
  // Exists only while bytes are waiting, because it fires continuously while the terminal accepts
  // output.
  private var source: (any DispatchSourceWrite)?

  init(device: TerminalDevice) { self.device = device }

  /// Whether the terminal has accepted all output.
  var isEmpty: Bool { waiting.isEmpty }

  /// Writes the bytes that the terminal accepts now; copies the others and writes them later.
  func send(_ bytes: UnsafeRawBufferPointer) {
    guard source == nil else {
      waiting += bytes
      return
    }
    guard let count = write(bytes) else { return discard() }
    waiting += bytes.dropFirst(count)
    if !waiting.isEmpty { waitForRoom() }
  }

  /// Discards the waiting output.
  func discard() {
    waiting = []
    source?.cancel()
    source = nil
  }

  /// Writes as many bytes as the terminal accepts now; returns their number, or `nil` if the
  /// terminal is gone.
  ///
  /// In that case, all output counts as accepted: reporting that the terminal is gone is left to
  /// the reader.
  private func write(_ bytes: UnsafeRawBufferPointer) -> Int? {
    var rest = bytes[...]
    while !rest.isEmpty {
      guard let count = device.write(UnsafeRawBufferPointer(rebasing: rest)) else { return nil }
      if count == 0 { break }
      rest = rest.dropFirst(count)
    }
    return bytes.count - rest.count
  }

  private func flush() {
    guard let count = waiting.withUnsafeBytes({ write($0) }) else { return discard() }
    waiting = waiting.dropFirst(count)
    guard waiting.isEmpty else { return }
    discard()
    drained()
  }

  private func waitForRoom() {
    let source = DispatchSource.makeWriteSource(fileDescriptor: device.descriptor, queue: .main)
    source.setEventHandler { [weak self] in self?.flush() }
    // The descriptor must stay open until the source has released it.
    source.setCancelHandler { [device] in _ = device }
    self.source = source
    source.resume()
  }
}
