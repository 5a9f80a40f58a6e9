import Foundation

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
