import Foundation
import GRDB
import Synchronization

/// Tells that another process has changed a file: by a watch on the files, so that nothing wakes
/// while nobody writes.
public final class ForeignChanges: Sendable {
  private let watch: FileWatch

  /// Calls `changed`, on a queue of its own, after every change of `file` by another connection than
  /// the file's own writer; nil where files cannot be watched.
  public init?(of file: StoreFile, changed: @escaping @Sendable () -> Void) {
    let seen = Seen(file.openedVersion)
    let queue = DispatchQueue(label: "changes elsewhere", qos: .utility)
    let look: @Sendable () -> Void = { [weak file] in
      guard let file else { return }
      // A writer first fills the log, which is what wakes us, and is done later. To have its place
      // for a moment is to know that it is.
      if seen.isNew(try? file.waitForVersion()) { changed() }
    }
    guard let watch = FileWatch(path: file.path + "-wal", queue: queue, changed: look) else {
      return nil
    }
    self.watch = watch
    // What was written before there was a watch.
    queue.async(execute: look)
  }

  private final class Seen: Sendable {
    private let version: Mutex<Int?>

    init(_ version: Int?) { self.version = Mutex(version) }

    func isNew(_ newer: Int?) -> Bool {
      version.withLock { version in
        defer { version = newer }
        return version != newer
      }
    }
  }
}
