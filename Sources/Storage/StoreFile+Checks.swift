import Foundation

/// The checks of a file before it is opened as a database.
extension StoreFile {
  /// Returns the path that symbolic links at `path` lead to, or else `path` itself.
  ///
  /// SQLite creates the files beside a database beside the target of a link.
  static func target(of path: String) -> String {
    var path = path
    // The system follows as many links, so that a circle of links ends.
    for _ in 0..<40 {
      guard let target = try? FileManager.default.destinationOfSymbolicLink(atPath: path)
      else { break }
      let folder = (path as NSString).deletingLastPathComponent
      path = target.hasPrefix("/") ? target : "\(folder)/\(target)"
    }
    return path
  }

  /// Makes a file and those beside it readable by the user only: feed addresses may contain
  /// passwords.
  ///
  /// SQLite would create the file with the user's default permissions, and the files beside it with
  /// those of the file.
  static func hideFromOthers(_ path: String) {
    // Never open an existing file here: closing it would release the locks of this process's other
    // connections.
    let file = open(path, O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC, 0o600)
    if file >= 0 { close(file) }
    for path in [path, path + "-wal", path + "-shm", path + "-journal"] {
      var status = stat()
      // A file of another user stays as it is.
      guard stat(path, &status) == 0, status.st_mode & 0o077 != 0 else { continue }
      chmod(path, status.st_mode & 0o700)
    }
  }

  /// Checks a file before it is opened as a database, which would already change it.
  static func checkIsOurs(_ path: String, schema: StoreSchema) throws {
    // Opening a pipe would block forever.
    for path in [path, path + "-wal", path + "-shm"] {
      var status = stat()
      guard stat(path, &status) != 0 || status.st_mode & S_IFMT == S_IFREG else {
        throw StoreError.notOurs(path: path)
      }
    }
    // A log means that part of the data is in there, and that opening changes nothing that has not
    // been changed already. There is also a log while this process has another connection to the
    // file: closing the file here would release the locks of that connection, and another process
    // would take it for closed and remove the log that it writes to.
    guard access(path + "-wal", F_OK) != 0 else { return }
    guard let file = FileHandle(forReadingAtPath: path) else { return }
    defer { try? file.close() }
    guard let bytes = try file.read(upToCount: DatabaseHead.size), !bytes.isEmpty else { return }
    guard let head = DatabaseHead(bytes) else { throw StoreError.notOurs(path: path) }
    if head.applicationID == schema.applicationID {
      try schema.check(version: head.version, path: path)
    } else if !head.isNew {
      throw StoreError.notOurs(path: path)
    }
  }
}

/// The facts in the first bytes of a SQLite file, read without opening it as a database.
///
/// SQLite creates files beside a database even when it is opened for reading only.
struct DatabaseHead {
  /// How many bytes are read: the header of the file and that of its first page.
  static let size = 108

  let applicationID: Int32
  /// The file's `user_version`.
  let version: Int
  /// Whether the database is empty: it has no tables, and neither an application ID nor a version.
  let isNew: Bool

  /// Reads the head; nil when these are not the first bytes of a SQLite file.
  init?(_ bytes: Data) {
    let bytes = Array(bytes)
    guard bytes.count == Self.size, bytes.starts(with: "SQLite format 3\0".utf8) else { return nil }
    func number(at offset: Int) -> Int32 {
      Int32(bitPattern: bytes[offset..<offset + 4].reduce(0) { $0 << 8 | UInt32($1) })
    }
    applicationID = number(at: 68)
    version = Int(number(at: 60))
    // The first page lists the tables: a leaf page without cells lists none.
    let isEmpty = bytes[100] == 0x0D && bytes[103] == 0 && bytes[104] == 0
    isNew = isEmpty && applicationID == 0 && version == 0
  }
}

/// Identifies the file that a path leads to.
struct FileIdentity: Equatable {
  private let device: UInt64
  private let number: UInt64

  /// Nil if there is no file at the path.
  init?(_ path: String) {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    self.init(status)
  }

  fileprivate init(_ status: stat) {
    (device, number) = (UInt64(status.st_dev), UInt64(status.st_ino))
  }
}

/// Tells whether a file is still the one that it was, with the same contents.
struct FileVersion: Equatable {
  private let identity: FileIdentity
  private let size: Int
  private let seconds: Int
  private let nanoseconds: Int

  /// Nil if there is no file at the path.
  init?(_ path: String) {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    identity = FileIdentity(status)
    size = Int(status.st_size)
    (seconds, nanoseconds) = (Int(status.st_mtim.tv_sec), Int(status.st_mtim.tv_nsec))
  }
}
