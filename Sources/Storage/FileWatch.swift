import Dispatch
import Foundation

/// Which changes of a file are reported.
public enum FileEvents: Sendable {
  /// Every write, and that the file was created or removed.
  case all
  /// That the file is complete: closed after it was written, or moved into its place.
  ///
  /// Between the first and the last write of an editor the file is empty or half of what it is to be.
  case complete
}

#if os(Linux)
  /// Reports changes of a file, also of one that does not exist yet.
  ///
  /// Where its folder does not exist either, it reports that a folder above it was created or removed:
  /// then a new watch is needed.
  public final class FileWatch: Sendable {
    // A source may be used from any thread, which its type does not say.
    private nonisolated(unsafe) let source: any DispatchSourceRead

    /// What is written meanwhile is reported at its end, in one: somebody who writes ten thousand times
    /// a second would keep two threads busy with reports.
    static let rest = DispatchTimeInterval.milliseconds(100)

    /// Begins to watch; nil where that cannot be done.
    ///
    /// - Parameter changed: called on `queue`, at once for the first change, and ten times a second at
    ///   most.
    public init?(
      path: String, events: FileEvents = .all, queue: DispatchQueue,
      changed: @escaping @Sendable () -> Void
    ) {
      let descriptor = inotify_init1(Int32(IN_NONBLOCK) | Int32(IN_CLOEXEC))
      guard descriptor >= 0 else { return nil }
      guard let name = Self.watch(path, events, by: descriptor) else {
        close(descriptor)
        return nil
      }
      // As the property.
      nonisolated(unsafe) let source = DispatchSource.makeReadSource(
        fileDescriptor: descriptor, queue: queue)
      self.source = source
      source.setEventHandler { @Sendable in
        guard Self.drain(descriptor, of: name) else { return }
        changed()
        // One that is let go of meanwhile is kept by this: a source must not end while it is suspended.
        source.suspend()
        queue.asyncAfter(deadline: .now() + Self.rest) { source.resume() }
      }
      source.setCancelHandler { @Sendable in close(descriptor) }
      source.activate()
    }

    deinit { source.cancel() }

    /// Watches the file's folder, or the nearest one above it that is there, and says the name of
    /// what is to come in it.
    private static func watch(
      _ path: String, _ events: FileEvents, by descriptor: Int32
    ) -> String? {
      while true {
        var place = path as NSString
        while true {
          // The folder, not the file: that comes and goes with those who use it.
          let folder = place.deletingLastPathComponent
          let isFile = place as String == path
          let mask =
            switch events {
            case .complete where isFile: UInt32(IN_CLOSE_WRITE | IN_MOVED_TO)
            default: UInt32(IN_MODIFY | IN_CREATE | IN_MOVED_TO | IN_DELETE)
            }
          let watch = inotify_add_watch(descriptor, folder.isEmpty ? "." : folder, mask)
          if watch >= 0 {
            // What came before the watch did is told by nobody.
            if isFile || access(place as String, F_OK) != 0 { return place.lastPathComponent }
            inotify_rm_watch(descriptor, watch)
            break
          }
          guard errno == ENOENT, !folder.isEmpty, folder != "/" else { return nil }
          place = folder as NSString
        }
      }
    }

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
            // Without a name the queue has overflowed or the folder is gone: anything may have
            // happened.
            if bytes.isEmpty || bytes.elementsEqual(name.utf8) { concerns = true }
            offset = start + Int(event.len)
          }
        }
      }
      return concerns
    }
  }
#else
  /// Reports changes of a file.
  ///
  /// Where it does not exist, it reports changes of the nearest folder above it that does: then a new
  /// watch is needed.
  public final class FileWatch: Sendable {
    // A source may be used from any thread, which its type does not say.
    private nonisolated(unsafe) let source: any DispatchSourceFileSystemObject

    /// Begins to watch; nil where that cannot be done.
    ///
    /// - Parameter changed: called on `queue`, once for changes that come together.
    public init?(
      path: String, events: FileEvents = .all, queue: DispatchQueue,
      changed: @escaping @Sendable () -> Void
    ) {
      var place = path
      var descriptor = open(place, O_EVTONLY | O_CLOEXEC)
      while descriptor < 0, errno == ENOENT, place.count > 1 {
        place = (place as NSString).deletingLastPathComponent
        descriptor = open(place.isEmpty ? "." : place, O_EVTONLY | O_CLOEXEC)
      }
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
