import Foundation

/// A lock on a folder, held by this object as long as it lives; no other object of this or another
/// process can have it meanwhile.
///
/// The lock writes no file, and the system releases it when the process ends, however it ends. The
/// lock is advisory: a process that does not take it can still use the folder.
public final class FolderLock: Sendable {
  let folder: Int32

  /// Takes the lock of a folder.
  ///
  /// Does not wait.
  ///
  /// - Throws: ``StoreError/locked(path:)`` when the lock is already taken, another ``StoreError``
  ///   when the folder cannot be opened.
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

  deinit { Self.end(folder) }

  /// Ends the lock of a descriptor, and closes it.
  ///
  /// Closing is not enough: a program that another thread is starting has a copy of the descriptor
  /// until it is loaded.
  package static func end(_ descriptor: Int32) {
    flock(descriptor, LOCK_UN)
    close(descriptor)
  }
}
