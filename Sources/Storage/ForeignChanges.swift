import Foundation
import GRDB
import Synchronization

/// Reports that another process has changed a file.
///
/// It watches the files instead of polling, so nothing wakes up while nobody writes.
public final class ForeignChanges: Sendable {
  private let watch: FileWatch

  /// Calls `changed`, on a queue of its own, after changes of `file` by a connection other than the
  /// file's own writer; nil where files cannot be watched.
  ///
  /// Changes that follow each other quickly are reported together.
  public init?(of file: StoreFile, changed: @escaping @Sendable () -> Void) {
    let seen = Seen(file.openedVersion)
    let queue = DispatchQueue(label: "changes elsewhere", qos: .utility)
    let look: @Sendable () -> Void = { [weak file] in
      guard let file else { return }
      // A writer fills the log first, which triggers the watch, and commits later. Waiting for the
      // write lock makes sure that it has committed.
      if seen.isNew(try? file.waitForVersion()) { changed() }
    }
    guard let watch = FileWatch(path: file.path + "-wal", queue: queue, changed: look) else {
      return nil
    }
    self.watch = watch
    // Report what was written before the watch started.
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
