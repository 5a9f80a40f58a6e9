import GRDB
import GRDBSQLite

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
