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
  /// The folder cannot be made or the file cannot be opened.
  case cannotOpen(path: String, reason: String)
  /// The disk has no room for what was to be written; none of it was.
  case full(path: String)
  /// Another process has kept it locked for too long.
  case locked(path: String)
  /// What is in the file contradicts itself.
  case damaged(path: String)
  /// Anything else that SQLite has to say.
  case failed(path: String, reason: String)

  /// What an error of SQLite means for the file at `path`.
  public init(_ error: any Error, path: String) {
    guard let error = error as? DatabaseError else {
      self = error as? StoreError ?? .failed(path: path, reason: String(describing: error))
      return
    }
    let reason = error.message ?? error.resultCode.description
    self =
      switch error.resultCode {
      case .SQLITE_NOTADB: .notOurs(path: path)
      case .SQLITE_READONLY: .readOnly(path: path)
      case .SQLITE_CANTOPEN, .SQLITE_PERM, .SQLITE_AUTH: .cannotOpen(path: path, reason: reason)
      case .SQLITE_FULL: .full(path: path)
      case .SQLITE_BUSY, .SQLITE_LOCKED: .locked(path: path)
      case .SQLITE_CORRUPT: .damaged(path: path)
      default: .failed(path: path, reason: reason)
      }
  }
}
