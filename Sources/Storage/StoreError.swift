import Foundation
import GRDB

/// Why a file of the program cannot be opened or used.
///
/// A file that is refused is left as it is.
public enum StoreError: Error, Sendable, Hashable {
  /// The file is no SQLite database, or not one of ours.
  case notOurs(path: String)
  /// Written by a newer version of the program.
  case newer(path: String, version: Int, known: Int)
  /// The file or its folder may not be written.
  case readOnly(path: String)
  /// The folder cannot be created or the file cannot be opened.
  case cannotOpen(path: String, reason: String)
  /// The disk has no room for what was to be written; none of it was.
  case full(path: String)
  /// The user's disk quota is used up; nothing was written.
  case overQuota(path: String)
  /// The system lets no file of this process grow as large as this one would have; nothing was
  /// written.
  case tooLarge(path: String)
  /// Another process has kept it locked for too long.
  case locked(path: String)
  /// What is in the file contradicts itself.
  case damaged(path: String)
  /// The file was removed, or another one put in its place, while the program had it open; nothing was
  /// written.
  case gone(path: String)
  /// Anything else that SQLite has to say.
  case failed(path: String, reason: String)

  /// What an error of SQLite means for the file at `path`.
  ///
  /// - Parameter systemError: the `errno` behind it, where it is known: SQLite itself says of most
  ///   writes that fail only that they did.
  public init(_ error: any Error, path: String, systemError: Int32 = 0) {
    guard let error = error as? DatabaseError else {
      self = error as? StoreError ?? .failed(path: path, reason: String(describing: error))
      return
    }
    if [.SQLITE_IOERR, .SQLITE_CANTOPEN].contains(error.resultCode),
      let noRoom = StoreError(systemError: systemError, path: path)
    {
      self = noRoom
      return
    }
    let reason = error.message ?? error.resultCode.description
    self =
      switch error.resultCode {
      case .SQLITE_NOTADB: .notOurs(path: path)
      case .SQLITE_READONLY: .readOnly(path: path)
      case .SQLITE_FULL: .full(path: path)
      // What SQLite says when there is no room for the files beside its own.
      case .SQLITE_IOERR where Self.isFull(path), .SQLITE_CANTOPEN where Self.isFull(path):
        .full(path: path)
      case .SQLITE_CANTOPEN, .SQLITE_PERM, .SQLITE_AUTH: .cannotOpen(path: path, reason: reason)
      case .SQLITE_BUSY, .SQLITE_LOCKED: .locked(path: path)
      case .SQLITE_CORRUPT: .damaged(path: path)
      default: .failed(path: path, reason: reason)
      }
  }

  /// That there is no room for what was to be written; nil where that is not what `errno` says.
  private init?(systemError: Int32, path: String) {
    switch systemError {
    case ENOSPC: self = .full(path: path)
    case EDQUOT: self = .overQuota(path: path)
    case EFBIG: self = .tooLarge(path: path)
    default: return nil
    }
  }

  /// Why the folder of the file at `path` cannot be created.
  init(makingFolderOf path: String, _ error: any Error) {
    self =
      switch (error as? CocoaError)?.code {
      case .fileWriteOutOfSpace: .full(path: path)
      case .fileWriteVolumeReadOnly, .fileWriteNoPermission: .readOnly(path: path)
      default: .cannotOpen(path: path, reason: "the folder cannot be created")
      }
  }

  /// Whether the disk of a file has no room for a page.
  private static func isFull(_ path: String) -> Bool {
    let folder = (path as NSString).deletingLastPathComponent
    let facts = try? FileManager.default.attributesOfFileSystem(forPath: folder)
    guard let free = facts?[.systemFreeSize] as? NSNumber else { return false }
    return free.int64Value < 4_096
  }
}
