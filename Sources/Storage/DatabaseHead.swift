import Foundation

/// What the first bytes of a SQLite file tell, without opening it: opening one, even for reading,
/// makes files beside it.
struct DatabaseHead {
  /// How many bytes are looked at: the header of the file, and that of its first page.
  static let size = 108

  let applicationID: Int32
  /// Its `user_version`.
  let version: Int
  /// Whether nothing was ever made in it.
  let isNew: Bool

  /// Nil when these are not the first bytes of a SQLite file.
  init?(_ bytes: Data) {
    let bytes = Array(bytes)
    guard bytes.count == Self.size, bytes.starts(with: "SQLite format 3\0".utf8) else { return nil }
    func number(at offset: Int) -> Int32 {
      Int32(bitPattern: bytes[offset..<offset + 4].reduce(0) { $0 << 8 | UInt32($1) })
    }
    applicationID = number(at: 68)
    version = Int(number(at: 60))
    // The first page lists what there is: a leaf without cells lists nothing.
    let isEmpty = bytes[100] == 0x0D && bytes[103] == 0 && bytes[104] == 0
    isNew = isEmpty && applicationID == 0 && version == 0
  }
}
