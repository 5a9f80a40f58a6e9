import Foundation

/// A named pipe that another program writes to: reading it waits for that program.
final class Record: Sendable {
  let path: String
  private let descriptor: Int32

  init(path: String) throws {
    self.path = path
    // Open at both ends, so that neither side ever waits for the other to open it.
    guard mkfifo(path, 0o600) == 0 else { throw CocoaError(.fileWriteUnknown) }
    descriptor = open(path, O_RDWR | O_CLOEXEC)
    guard descriptor >= 0 else { throw CocoaError(.fileReadUnknown) }
  }

  deinit { close(descriptor) }

  /// Returns the arguments that a program wrote: their number, then one per line.
  func read() throws -> [String] {
    var text = ""
    while true {
      let lines = text.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
      if let count = lines.first.flatMap({ Int($0) }), lines.count == count + 1 {
        return lines.dropFirst().map(String.init)
      }
      guard poll(seconds: 120) else { throw CocoaError(.fileReadUnknown) }
      var buffer = [UInt8](repeating: 0, count: 4096)
      let count = Foundation.read(descriptor, &buffer, buffer.count)
      text += String(decoding: buffer[..<max(0, count)], as: UTF8.self)
    }
  }

  func hasSomething() throws -> Bool { poll(seconds: 0) }

  private func poll(seconds: Int32) -> Bool {
    var polled = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    return Foundation.poll(&polled, 1, seconds * 1000) > 0
  }
}
