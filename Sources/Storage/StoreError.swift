import Foundation
import GRDB
import GRDBSQLite

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
  /// The folder for the file cannot be created, for example because a file has its name.
  case noFolder(path: String)
  /// The disk has no room for the write; nothing was written.
  case full(path: String)
  /// The user's disk quota is used up; nothing was written.
  case overQuota(path: String)
  /// The file would exceed the size limit that the system sets for this process; nothing was
  /// written.
  case tooLarge(path: String)
  /// Another connection, mostly of another process, has kept the file locked for too long; or a
  /// ``FolderLock`` is already taken.
  case locked(path: String)
  /// The contents of the file are inconsistent.
  case damaged(path: String)
  /// The file was removed or replaced while the program had it open, or changed while it could only
  /// be read; nothing was written.
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

  /// Whether there is no space left for the file.
  var isOfSpace: Bool {
    switch self {
    case .full, .overQuota: true
    default: false
    }
  }

  /// Explains why the folder of the file at `path` cannot be created.
  init(makingFolderOf path: String, _ error: any Error) {
    self =
      switch (error as? CocoaError)?.code {
      case .fileWriteOutOfSpace: .full(path: path)
      case .fileWriteVolumeReadOnly, .fileWriteNoPermission: .readOnly(path: path)
      default: .noFolder(path: (path as NSString).deletingLastPathComponent)
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

extension Database {
  /// The `errno` of the last operation that the system refused to this connection; 0 if it is not
  /// known.
  var systemError: Int32 {
    let known = sqlite3_system_errno(sqliteConnection)
    if known != 0 { return known }
    // An error of a write during a commit is recorded only by the file objects.
    return [SQLITE_FCNTL_JOURNAL_POINTER, SQLITE_FCNTL_FILE_POINTER].lazy
      .map(lastError).first { $0 != 0 } ?? 0
  }

  /// The `errno` recorded for one of the connection's files.
  private func lastError(of file: Int32) -> Int32 {
    var pointer: UnsafeMutablePointer<sqlite3_file>?
    guard sqlite3_file_control(sqliteConnection, "main", file, &pointer) == SQLITE_OK,
      let methods = pointer?.pointee.pMethods
    else { return 0 }
    var error: Int32 = 0
    _ = methods.pointee.xFileControl(pointer, SQLITE_FCNTL_LAST_ERRNO, &error)
    return error
  }
}

/// The messages shown to the user when a file cannot be used.
extension StoreError {
  /// What happened, in one sentence; `contents` names what the file stores, such as "articles".
  public func what(of contents: String) -> String {
    switch self {
    case .notOurs: "The file of \(contents) was not written by this program."
    case .newer: "The file of \(contents) was written by a newer version of this program."
    case .readOnly: "The file of \(contents) cannot be written."
    case .cannotOpen: "The file of \(contents) cannot be opened."
    case .noFolder: "The folder for the \(contents) cannot be created."
    case .full: "There is no space left to save \(contents)."
    case .overQuota: "Your disk quota is used up: the \(contents) cannot be saved."
    case .tooLarge: "The file of \(contents) is as large as the system allows."
    case .locked: "Another program kept the \(contents) locked for too long."
    case .damaged: "The file of \(contents) is damaged."
    case .gone: "The file of \(contents) was removed, replaced or changed by another program."
    case .failed: "The \(contents) cannot be read or saved."
    }
  }

  /// What the user can do about it, in one sentence.
  public var advice: String {
    switch self {
    case .notOurs: "Move it away, or choose another folder with --data-dir."
    case .newer: "Use the newer version, or choose another folder with --data-dir."
    case .readOnly:
      "Check its permissions and the space on its disk, or choose another folder with --data-dir."
    case .noFolder: "Check that its path is one of a folder, or choose another with --data-dir."
    case .cannotOpen: "Check that its folder exists and that you may use it."
    case .full: "Free some space; nothing that was saved is lost."
    case .overQuota: "Delete some of your files; nothing that was saved is lost."
    case .tooLarge: "Raise the limit (ulimit -f); nothing that was saved is lost."
    case .locked: "Close the other program, or try again."
    case .damaged: "Restore it from a backup, or move it away to start with an empty one."
    case .gone: "Quit and start again; what was not saved has to be done again."
    case .failed: "Try again."
    }
  }

  /// The file's path, and the message of SQLite or the system.
  public var detail: String? {
    switch self {
    case .notOurs(let path), .readOnly(let path), .full(let path), .overQuota(let path),
      .tooLarge(let path), .locked(let path), .damaged(let path), .gone(let path),
      .noFolder(let path):
      path
    case .newer(let path, let version, let known):
      "\(path) has version \(version); this program knows \(known)"
    case .cannotOpen(let path, let reason), .failed(let path, let reason): "\(path): \(reason)"
    }
  }
}
