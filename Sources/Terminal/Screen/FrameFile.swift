import CNcurses

/// The file in memory to which ncurses writes frames, mapped so that frames are sent without a
/// copy.
///
/// The unused bytes in the first part of the file have a value that occurs in no frame, so the end
/// of a frame is found without a system call.
@MainActor
final class FrameFile {
  /// The stream to which ncurses writes.
  let stream: UnsafeMutablePointer<FILE>
  private let descriptor: Int32
  private let map: UnsafeMutableRawPointer
  // The position at which the next frame begins.
  private var position = 0

  // Reserves addresses, not memory: more than the largest screen takes with the longest sequences.
  private static let capacity = 256 << 20
  /// The size of the first part, whose unused bytes have the value `unwritten`.
  ///
  /// Most frames are a few hundred bytes long. When half of this part is used, writing starts over
  /// at the beginning of the file.
  private static let markedCount = 1 << 16
  // UTF-8 never contains this byte, and control sequences are ASCII.
  private static let unwritten: UInt8 = 0xFF

  init() throws(TerminalError) {
    guard let stream = anonymous_file() else { throw .outOfResources(code: c_error()) }
    descriptor = fileno(stream)
    // Mapped memory is accessible only up to the end of the file.
    guard ftruncate(descriptor, off_t(Self.markedCount)) == 0,
      let map = descriptor_map(descriptor, Self.capacity)
    else {
      let code = c_error()
      fclose(stream)
      throw .outOfResources(code: code)
    }
    self.stream = stream
    self.map = map
    memset(map, Int32(Self.unwritten), Self.markedCount)
  }

  isolated deinit {
    memory_unmap(map, Self.capacity)
    fclose(stream)
  }

  /// Calls `body` with the bytes written since the last call; `body` must not keep them.
  func takeBytes(_ body: (UnsafeRawBufferPointer) -> Void) {
    let end = self.end
    guard end > position else { return }
    body(UnsafeRawBufferPointer(start: map + position, count: end - position))
    memset(map + position, Int32(Self.unwritten), min(end, Self.markedCount) - position)
    position = end
    if end >= Self.markedCount / 2 { position = Int(lseek(descriptor, 0, SEEK_SET)) }
  }

  private var end: Int {
    let marked = Self.markedCount - position
    if let found = memchr(map + position, Int32(Self.unwritten), marked) {
      return map.distance(to: found)
    }
    return min(Self.capacity, Int(lseek(descriptor, 0, SEEK_CUR)))
  }
}
