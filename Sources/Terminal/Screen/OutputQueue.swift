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

  /// Writes what the terminal takes now, and the rest, which it copies, when it can.
  func send(_ bytes: UnsafeRawBufferPointer) {
    guard source == nil else {
      waiting += bytes
      return
    }
    guard let count = write(bytes) else { return discard() }
    waiting += bytes.dropFirst(count)
    if !waiting.isEmpty { waitForRoom() }
  }

  /// Forgets what is waiting.
  func discard() {
    waiting = []
    source?.cancel()
    source = nil
  }

  /// Writes as many bytes as the terminal takes now: how many, or `nil` where it is gone.
  ///
  /// It then counts as having taken everything: that it is gone is for the reader to tell.
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
    // The descriptor must stay open until the source has let go of it.
    source.setCancelHandler { [device] in _ = device }
    self.source = source
    source.resume()
  }
}
