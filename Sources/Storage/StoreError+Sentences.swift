/// What a person is told of a file that cannot be used.
extension StoreError {
  /// What happened, in a sentence; `contents` is what the file keeps, as in “articles”.
  public func what(of contents: String) -> String {
    switch self {
    case .notOurs: "The file of \(contents) is not one that this program wrote."
    case .newer: "The file of \(contents) was written by a newer version of this program."
    case .readOnly: "The file of \(contents) may not be written."
    case .cannotOpen: "The file of \(contents) cannot be opened."
    case .full: "There is no space left to keep \(contents)."
    case .overQuota: "Your share of the disk is used up: the \(contents) cannot be kept."
    case .tooLarge: "The file of \(contents) is as large as the system lets a file become."
    case .locked: "Another program is using the \(contents) and does not let go."
    case .damaged: "The file of \(contents) is damaged."
    case .gone: "The file of \(contents) was removed or replaced by another program."
    case .failed: "The \(contents) cannot be read or kept."
    }
  }

  /// What can be done about it, in a sentence.
  public var advice: String {
    switch self {
    case .notOurs: "Move it away, or choose another folder with --data-dir."
    case .newer: "Use the newer version, or choose another folder with --data-dir."
    case .readOnly: "Change its permissions, or choose another folder with --data-dir."
    case .cannotOpen: "Check that its folder exists and may be used."
    case .full: "Make room on the disk; nothing that was kept is lost."
    case .overQuota: "Remove other files of yours; nothing that was kept is lost."
    case .tooLarge: "Raise that limit (ulimit -f); nothing that was kept is lost."
    case .locked: "Close the other program, or try again."
    case .damaged: "Restore it from a copy, or move it away to begin anew."
    case .gone: "Quit and start again; what was not saved has to be done again."
    case .failed: "Try again."
    }
  }

  /// What an engineer would want to know.
  public var detail: String {
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
