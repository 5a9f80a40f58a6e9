import Foundation

#if os(Linux)
  /// Tells that a file was written, made or removed, also when it is not there yet.
  final class FileWatch: Sendable {
    // A source may be used from any thread, which its type does not say.
    private nonisolated(unsafe) let source: any DispatchSourceRead

    /// - Parameter changed: called on `queue`, once for changes that come together.
    init?(path: String, queue: DispatchQueue, changed: @escaping @Sendable () -> Void) {
      let descriptor = inotify_init1(Int32(IN_NONBLOCK) | Int32(IN_CLOEXEC))
      guard descriptor >= 0 else { return nil }
      let folder = (path as NSString).deletingLastPathComponent
      let name = (path as NSString).lastPathComponent
      // The folder, not the file: that comes and goes with those who use it.
      let events = UInt32(IN_MODIFY | IN_CREATE | IN_MOVED_TO | IN_DELETE)
      guard inotify_add_watch(descriptor, folder, events) >= 0 else {
        close(descriptor)
        return nil
      }
      source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: queue)
      source.setEventHandler { @Sendable in if Self.drain(descriptor, of: name) { changed() } }
      source.setCancelHandler { @Sendable in close(descriptor) }
      source.activate()
    }

    deinit { source.cancel() }

    /// Takes everything that waits; whether any of it was about the file.
    private static func drain(_ descriptor: Int32, of name: String) -> Bool {
      var concerns = false
      withUnsafeTemporaryAllocation(byteCount: 4_096, alignment: 8) { buffer in
        while case let count = read(descriptor, buffer.baseAddress, buffer.count), count > 0 {
          var offset = 0
          while offset < count {
            let event = buffer.loadUnaligned(fromByteOffset: offset, as: inotify_event.self)
            let start = offset + MemoryLayout<inotify_event>.size
            let bytes = buffer[start..<start + Int(event.len)].prefix { $0 != 0 }
            // Without a name the queue has overflowed, and anything may have happened.
            if bytes.isEmpty || bytes.elementsEqual(name.utf8) { concerns = true }
            offset = start + Int(event.len)
          }
        }
      }
      return concerns
    }
  }
#else
  /// Tells that a file was written.
  final class FileWatch: Sendable {
    // A source may be used from any thread, which its type does not say.
    private nonisolated(unsafe) let source: any DispatchSourceFileSystemObject

    /// - Parameter changed: called on `queue`, once for changes that come together.
    init?(path: String, queue: DispatchQueue, changed: @escaping @Sendable () -> Void) {
      let descriptor = open(path, O_EVTONLY | O_CLOEXEC)
      guard descriptor >= 0 else { return nil }
      source = DispatchSource.makeFileSystemObjectSource(
        fileDescriptor: descriptor, eventMask: [.write, .extend, .delete], queue: queue)
      source.setEventHandler { @Sendable in changed() }
      source.setCancelHandler { @Sendable in close(descriptor) }
      source.activate()
    }

    deinit { source.cancel() }
  }
#endif
