import Foundation
import GRDB

/// Why a file of the program cannot be opened or used.
///
/// The file is left unchanged.
public enum StoreError: Error, Sendable, Hashable {
  /// The file is not a SQLite database, or not one of this program.
  case notOurs(path: String)
  /// Written by a newer version of the program.
  case newer(path: String, version: Int, known: Int)
  /// The file or its folder may not be written.
  case readOnly(path: String)
  /// The folder cannot be created or the file cannot be opened.
  case cannotOpen(path: String, reason: String)
  /// The disk has no room for the write; nothing was written.
  case full(path: String)
  /// The user's disk quota is used up; nothing was written.
  case overQuota(path: String)
  /// The file would exceed the size limit that the system sets for this process; nothing was
  /// written.
  case tooLarge(path: String)
  /// Another process has kept the file locked for too long.
  case locked(path: String)
  /// The contents of the file are inconsistent.
  case damaged(path: String)
  /// The file was removed or replaced while the program had it open; nothing was written.
  case gone(path: String)
  /// Any other error of SQLite.
  case failed(path: String, reason: String)

  /// Translates an error of SQLite for the file at `path`.
  ///
  /// - Parameter systemError: the `errno` behind the error, if known: for most failed writes SQLite
  ///   itself reports only that they failed.
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
      // SQLite reports these codes when there is no room for the files beside the database.
      case .SQLITE_IOERR where Self.isFull(path), .SQLITE_CANTOPEN where Self.isFull(path):
        .full(path: path)
      case .SQLITE_CANTOPEN, .SQLITE_PERM, .SQLITE_AUTH: .cannotOpen(path: path, reason: reason)
      case .SQLITE_BUSY, .SQLITE_LOCKED: .locked(path: path)
      case .SQLITE_CORRUPT: .damaged(path: path)
      default: .failed(path: path, reason: reason)
      }
  }

  /// The error for an `errno` that means there is no room; nil for any other `errno`.
  private init?(systemError: Int32, path: String) {
    switch systemError {
    case ENOSPC: self = .full(path: path)
    case EDQUOT: self = .overQuota(path: path)
    case EFBIG: self = .tooLarge(path: path)
    default: return nil
    }
  }

  /// Explains why the folder of the file at `path` cannot be created.
  init(makingFolderOf path: String, _ error: any Error) {
    self =
      switch (error as? CocoaError)?.code {
      case .fileWriteOutOfSpace: .full(path: path)
      case .fileWriteVolumeReadOnly, .fileWriteNoPermission: .readOnly(path: path)
      default: .cannotOpen(path: path, reason: "the folder cannot be created")
      }
  }

  /// Whether the disk of a file has less room than one page.
  private static func isFull(_ path: String) -> Bool {
    let folder = (path as NSString).deletingLastPathComponent
    let facts = try? FileManager.default.attributesOfFileSystem(forPath: folder)
    guard let free = facts?[.systemFreeSize] as? NSNumber else { return false }
    return free.int64Value < 4_096
  }
}
