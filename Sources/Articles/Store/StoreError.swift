import GRDB

/// Why the store cannot be opened or used.
///
/// A file that is refused is left as it is.
public enum StoreError: Error, Sendable, Hashable {
  /// The file is no SQLite database, or not one of ours.
  case notOurs(path: String)
  /// Written by a newer version of the program.
  case newer(path: String, version: Int, known: Int)
  case readOnly(path: String)
  case cannotOpen(path: String, reason: String)
  case full(path: String)
  /// Another process has kept it locked for too long.
  case locked(path: String)
  case damaged(path: String)
  case failed(path: String, reason: String)

  init(_ error: any Error, path: String) {
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

  /// What a person is told.
  public var message: PersonMessage {
    switch self {
    case .notOurs(let path):
      PersonMessage(
        what: "The file of articles is not one that this program wrote.",
        advice: "Move it away, or choose another folder with --data-dir.", detail: path)
    case .newer(let path, let version, let known):
      PersonMessage(
        what: "The file of articles was written by a newer version of this program.",
        advice: "Use the newer version, or choose another folder with --data-dir.",
        detail: "\(path) has version \(version); this program knows \(known)")
    case .readOnly(let path):
      PersonMessage(
        what: "The file of articles may not be written.",
        advice: "Change its permissions, or choose another folder with --data-dir.", detail: path)
    case .cannotOpen(let path, let reason):
      PersonMessage(
        what: "The file of articles cannot be opened.",
        advice: "Check that its folder exists and may be used.", detail: "\(path): \(reason)")
    case .full(let path):
      PersonMessage(
        what: "There is no space left to keep articles.",
        advice: "Make room on the disk; nothing that was kept is lost.", detail: path)
    case .locked(let path):
      PersonMessage(
        what: "Another program is using the articles and does not let go.",
        advice: "Close the other program, or try again.", detail: path)
    case .damaged(let path):
      PersonMessage(
        what: "The file of articles is damaged.",
        advice: "Restore it from a copy, or move it away to begin anew.", detail: path)
    case .failed(let path, let reason):
      PersonMessage(
        what: "The articles cannot be read or kept.", advice: "Try again.",
        detail: "\(path): \(reason)")
    }
  }
}
