import Foundation

/// A lock on a folder that one process has at a time, from when this is made until it is gone.
///
/// Nothing is written for it, and the system takes it from a process that ends, however that ends. It keeps
/// nobody from using the folder who does not take it.
public final class FolderLock: Sendable {
  private let folder: Int32

  /// Takes the lock of a folder.
  ///
  /// - Throws: ``StoreError/locked(path:)`` when another process has it, and where there can be none.
  public init(_ path: String) throws(StoreError) {
    let folder = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard folder >= 0 else {
      throw .cannotOpen(path: path, reason: String(cString: strerror(errno)))
    }
    guard flock(folder, LOCK_EX | LOCK_NB) == 0 else {
      close(folder)
      throw .locked(path: path)
    }
    self.folder = folder
  }

  deinit { close(folder) }
}
