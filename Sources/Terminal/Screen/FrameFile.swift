import CNcurses

/// The file in memory that ncurses writes frames to, mapped so that they are sent from where they are.
///
/// Wherever nothing is written, the first part of the file holds a byte that is in no frame: where a
/// frame ends is then seen without a system call.
@MainActor
final class FrameFile {
  /// What ncurses is given to write to.
  let stream: UnsafeMutablePointer<FILE>
  private let descriptor: Int32
  private let map: UnsafeMutableRawPointer
  // Where the bytes of the next frame begin.
  private var position = 0

  // Addresses, not memory: more than the largest screen takes in the longest sequences.
  private static let capacity = 256 << 20
  /// How much of the file is filled with `unwritten` where no frame is.
  ///
  /// Most frames are a few hundred bytes. After half of it the file is written from its beginning again.
  private static let markedCount = 1 << 16
  // UTF-8 has no such byte, and control sequences are ASCII.
  private static let unwritten: UInt8 = 0xFF

  init() throws(TerminalError) {
    guard let stream = anonymous_file() else { throw .outOfResources(code: c_error()) }
    descriptor = fileno(stream)
    // Memory of a map is only there as far as the file reaches.
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

  /// Gives what was written since the last call to `body`, which must not keep it.
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
