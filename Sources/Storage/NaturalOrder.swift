import GRDB
import GRDBSQLite

/// The order of titles in lists: “Part 9” comes before “Part 10”, and the case of ASCII letters is
/// ignored.
///
/// In SQL, it is `COLLATE TITLES`. It must not be used in a schema, since other programs do not
/// know it.
public enum NaturalOrder {
  /// Whether a title comes before another one; of two that differ only in the case of letters or in
  /// zeros, the one whose characters come first does.
  public static func precedes(_ one: String, _ other: String) -> Bool {
    var (first, second) = (one, other)
    let order = first.withUTF8 { first in
      second.withUTF8 { compare(UnsafeRawBufferPointer(first), UnsafeRawBufferPointer($0)) }
    }
    return order == 0 ? one < other : order < 0
  }

  static func addCollation(to database: Database) {
    // Compares the bytes where SQLite has them: a list of 100,000 titles is sorted with more than a
    // million comparisons.
    sqlite3_create_collation_v2(
      database.sqliteConnection, "TITLES", SQLITE_UTF8, nil,
      { _, oneCount, one, otherCount, other in
        NaturalOrder.compare(
          UnsafeRawBufferPointer(start: one, count: Int(oneCount)),
          UnsafeRawBufferPointer(start: other, count: Int(otherCount)))
      }, nil)
  }

  /// Returns a number below, equal to or above 0, like `strcmp`.
  static func compare(_ one: UnsafeRawBufferPointer, _ other: UnsafeRawBufferPointer) -> Int32 {
    var (i, j) = (0, 0)
    while i < one.count, j < other.count {
      if isDigit(one[i]), isDigit(other[j]) {
        let (first, second) = (number(in: one, from: &i), number(in: other, from: &j))
        if first.count != second.count { return first.count < second.count ? -1 : 1 }
        for (a, b) in zip(first, second) where a != b { return a < b ? -1 : 1 }
      } else {
        let (a, b) = (lowercased(one[i]), lowercased(other[j]))
        if a != b { return a < b ? -1 : 1 }
        i += 1
        j += 1
      }
    }
    return Int32((one.count - i).signum() - (other.count - j).signum())
  }

  /// Returns the digits of the number that begins at an index, without leading zeros, and moves the
  /// index behind it.
  private static func number(
    in bytes: UnsafeRawBufferPointer, from index: inout Int
  ) -> Slice<UnsafeRawBufferPointer> {
    while index < bytes.count, bytes[index] == UInt8(ascii: "0") { index += 1 }
    let start = index
    while index < bytes.count, isDigit(bytes[index]) { index += 1 }
    return bytes[start..<index]
  }

  private static func isDigit(_ byte: UInt8) -> Bool { 0x30...0x39 ~= byte }

  private static func lowercased(_ byte: UInt8) -> UInt8 {
    0x41...0x5A ~= byte ? byte | 0x20 : byte
  }
}
