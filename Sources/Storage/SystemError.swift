import GRDB
import GRDBSQLite

extension Database {
  /// What the system said when it refused something to this connection last, as an `errno`; 0 where
  /// that is not known.
  var systemError: Int32 {
    let known = sqlite3_system_errno(sqliteConnection)
    if known != 0 { return known }
    // A write that fails while a transaction is committed is known to the files alone.
    return [SQLITE_FCNTL_JOURNAL_POINTER, SQLITE_FCNTL_FILE_POINTER].lazy
      .map(lastError).first { $0 != 0 } ?? 0
  }

  /// What the system said of one of the files of the connection.
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
