/// The messages shown to the user when a file cannot be used.
extension StoreError {
  /// What happened, in one sentence; `contents` names what the file stores, such as "articles".
  public func what(of contents: String) -> String {
    switch self {
    case .notOurs: "The file of \(contents) was not written by this program."
    case .newer: "The file of \(contents) was written by a newer version of this program."
    case .readOnly: "The file of \(contents) cannot be written."
    case .cannotOpen: "The file of \(contents) cannot be opened."
    case .full: "There is no space left to save \(contents)."
    case .overQuota: "Your disk quota is used up: the \(contents) cannot be saved."
    case .tooLarge: "The file of \(contents) is as large as the system allows."
    case .locked: "Another program kept the \(contents) locked for too long."
    case .damaged: "The file of \(contents) is damaged."
    case .gone: "The file of \(contents) was removed or replaced by another program."
    case .failed: "The \(contents) cannot be read or saved."
    }
  }

  /// What the user can do about it, in one sentence.
  public var advice: String {
    switch self {
    case .notOurs: "Move it away, or choose another folder with --data-dir."
    case .newer: "Use the newer version, or choose another folder with --data-dir."
    case .readOnly: "Change its permissions, or choose another folder with --data-dir."
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
      .tooLarge(let path), .locked(let path), .damaged(let path), .gone(let path):
      path
    case .newer(let path, let version, let known):
      "\(path) has version \(version); this program knows \(known)"
    case .cannotOpen(let path, let reason), .failed(let path, let reason): "\(path): \(reason)"
    }
  }
}
