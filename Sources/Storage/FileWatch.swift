import Dispatch
import Foundation

/// The kind of file changes that a ``FileWatch`` reports.
public enum FileEvents: Sendable {
  /// Every write, and the creation or removal of the file.
  case all
  /// Only complete files: the file was closed after writing, or moved to its path.
  ///
  /// While an editor saves, the file is empty or incomplete between its first and last write.
  case complete
}

#if os(Linux)
  /// Reports changes of a file, even if it does not exist yet.
  ///
  /// If its folder does not exist either, the watch reports that a folder above it was created or
  /// removed; the caller then has to create a new watch.
  public final class FileWatch: Sendable {
    // A dispatch source may be used from any thread, but its type does not say so.
    private nonisolated(unsafe) let source: any DispatchSourceRead

    /// The pause after a report; changes made during it are reported together when it ends.
    ///
    /// Without it, a process that writes ten thousand times a second would keep two threads busy
    /// with reports.
    static let rest = DispatchTimeInterval.milliseconds(100)

    /// Starts watching; nil where the file cannot be watched.
    ///
    /// - Parameter changed: called on `queue`: at once for the first change, then at most ten times
    ///   a second.
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
      // Unsafe for the same reason as the property.
      nonisolated(unsafe) let source = DispatchSource.makeReadSource(
        fileDescriptor: descriptor, queue: queue)
      self.source = source
      source.setEventHandler { @Sendable in
        guard Self.drain(descriptor, of: name) else { return }
        changed()
        // The closure keeps the source alive: a source must not be released while it is suspended.
        source.suspend()
        queue.asyncAfter(deadline: .now() + Self.rest) { source.resume() }
      }
      source.setCancelHandler { @Sendable in close(descriptor) }
      source.activate()
    }

    deinit { source.cancel() }

    /// Watches the file's folder, or the nearest existing folder above it, and returns the name of
    /// the entry to wait for there.
    private static func watch(
      _ path: String, _ events: FileEvents, by descriptor: Int32
    ) -> String? {
      while true {
        var place = path as NSString
        while true {
          // The folder is watched, not the file: programs that save replace the file.
          let folder = place.deletingLastPathComponent
          let isFile = place as String == path
          let mask =
            switch events {
            case .complete where isFile: UInt32(IN_CLOSE_WRITE | IN_MOVED_TO)
            default: UInt32(IN_MODIFY | IN_CREATE | IN_MOVED_TO | IN_DELETE)
            }
          let watch = inotify_add_watch(descriptor, folder.isEmpty ? "." : folder, mask)
          if watch >= 0 {
            // Changes from before the watch are not reported, so check again whether the entry
            // exists now.
            if isFile || access(place as String, F_OK) != 0 { return place.lastPathComponent }
            inotify_rm_watch(descriptor, watch)
            break
          }
          guard errno == ENOENT, !folder.isEmpty, folder != "/" else { return nil }
          place = folder as NSString
        }
      }
    }

    /// Reads all waiting events; true when any of them concerns the file.
    private static func drain(_ descriptor: Int32, of name: String) -> Bool {
      var concerns = false
      withUnsafeTemporaryAllocation(byteCount: 4_096, alignment: 8) { buffer in
        while case let count = read(descriptor, buffer.baseAddress, buffer.count), count > 0 {
          var offset = 0
          while offset < count {
            let event = buffer.loadUnaligned(fromByteOffset: offset, as: inotify_event.self)
            let start = offset + MemoryLayout<inotify_event>.size
            let bytes = buffer[start..<start + Int(event.len)].prefix { $0 != 0 }
            // An event without a name means that the queue has overflowed or the folder is gone:
            // anything may have happened.
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
  /// If the file does not exist, the watch reports changes of the nearest existing folder above it;
  /// the caller then has to create a new watch.
  public final class FileWatch: Sendable {
    // A dispatch source may be used from any thread, but its type does not say so.
    private nonisolated(unsafe) let source: any DispatchSourceFileSystemObject

    /// Starts watching; nil where the file cannot be watched.
    ///
    /// - Parameter changed: called on `queue`, once for changes that arrive together.
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
