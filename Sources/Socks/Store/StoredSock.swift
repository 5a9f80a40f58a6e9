import Foundation
import GRDB

/// Reads and writes socks as rows of the table.
extension Sock {
  private static let fieldColumns = SockField.allCases.map(\.rawValue).joined(separator: ", ")
  static let columns = "id, pair, created, changed, \(fieldColumns)"
  static let insertion = """
    INSERT INTO sock (id, created, changed, sortName, searchText, \(fieldColumns))
    VALUES (?, ?, ?, ?, ?\(String(repeating: ", ?", count: SockField.allCases.count)))
    """

  /// - Throws: `DatabaseError` for a row that this program cannot have written.
  init(_ row: Row) throws {
    let idText: String = row[0]
    guard let id = UUID(uuidString: idText) else {
      throw DatabaseError(resultCode: .SQLITE_CORRUPT, message: "a sock has no id")
    }
    let pair: String? = row[1]
    self.init(
      id: id, name: "", pair: pair.flatMap { UUID(uuidString: $0) },
      created: Date(seconds: row[2]), changed: Date(seconds: row[3]))
    for (index, field) in SockField.allCases.enumerated() {
      switch field.property {
      case .text(let path, _, _): self[keyPath: path] = row[4 + index]
      case .number(let path, _): self[keyPath: path] = row[4 + index]
      case .picture(let path, _):
        let text: String? = row[4 + index]
        self[keyPath: path] = text.flatMap { SockPicture($0) }
      }
    }
  }

  var sortName: String { SearchText.folded(name) }

  var searchText: String {
    SearchText.folded(SockField.texts.map { self[keyPath: $0] }.joined(separator: "\n"))
  }
}

extension SockValue {
  fileprivate var stored: (any DatabaseValueConvertible)? {
    switch self {
    case .text(let text): text
    case .number(let number): number
    case .picture(let picture): picture?.text
    }
  }
}

/// Normalises text so that case and the composition of accents make no difference.
enum SearchText {
  static func folded(_ text: String) -> String {
    // A fast path: most text is ASCII, for which Foundation is slow.
    let lowercased = text.lowercased()
    return lowercased.utf8.allSatisfy { $0 < 0x80 }
      ? lowercased : lowercased.precomposedStringWithCanonicalMapping
  }
}

extension Date {
  init(seconds: Int64) { self.init(timeIntervalSince1970: Double(seconds)) }

  /// Clamped, so that a date in an imported file cannot overflow.
  var seconds: Int64 {
    Int64(max(-1e11, min(1e11, timeIntervalSince1970.rounded(.down))))
  }
}

/// The operations that transactions consist of.
extension Database {
  func sock(_ id: Sock.ID) throws -> Sock {
    let row = try cachedStatement(sql: "SELECT \(Sock.columns) FROM sock WHERE id = ?")
    guard let found = try Row.fetchOne(row, arguments: [id.uuidString]) else {
      throw SockError.noSuchSock(id)
    }
    return try Sock(found)
  }

  func contains(_ id: Sock.ID) throws -> Bool {
    let statement = try cachedStatement(sql: "SELECT 1 FROM sock WHERE id = ?")
    return try Int.fetchOne(statement, arguments: [id.uuidString]) != nil
  }

  /// Inserts a sock without its pair, because the other sock may not exist yet.
  func insert(_ sock: Sock) throws {
    var values: [(any DatabaseValueConvertible)?] = [
      sock.id.uuidString, sock.created.seconds, sock.changed.seconds, sock.sortName,
      sock.searchText,
    ]
    values += SockField.allCases.map { sock[$0].stored }
    try cachedStatement(sql: Sock.insertion).execute(arguments: StatementArguments(values))
  }

  /// Writes only these fields of a sock.
  func update(_ sock: Sock, fields: Set<SockField>) throws {
    var assignments = ["changed = ?"]
    var values: [(any DatabaseValueConvertible)?] = [sock.changed.seconds]
    func set(_ column: String, _ value: (any DatabaseValueConvertible)?) {
      assignments.append("\(column) = ?")
      values.append(value)
    }
    var changesText = false
    // In a fixed order, so that equal sets use the same cached statement.
    for field in SockField.allCases where fields.contains(field) {
      set(field.rawValue, sock[field].stored)
      if field == .name { set("sortName", sock.sortName) }
      if case .text = field.property { changesText = true }
    }
    if changesText { set("searchText", sock.searchText) }
    values.append(sock.id.uuidString)
    try cachedStatement(
      sql: "UPDATE sock SET \(assignments.joined(separator: ", ")) WHERE id = ?"
    ).execute(arguments: StatementArguments(values))
  }

  func setPair(of id: Sock.ID, to pair: Sock.ID?) throws {
    try cachedStatement(sql: "UPDATE sock SET pair = ? WHERE id = ?")
      .execute(arguments: [pair?.uuidString, id.uuidString])
  }

  /// Makes these socks and their partners single.
  func separate(_ ids: [Sock.ID], at date: Date) throws {
    let statement = try cachedStatement(
      sql:
        "UPDATE sock SET pair = NULL, changed = ?2 WHERE pair = ?1 OR (id = ?1 AND pair IS NOT NULL)"
    )
    for id in ids { try statement.execute(arguments: [id.uuidString, date.seconds]) }
  }
}
