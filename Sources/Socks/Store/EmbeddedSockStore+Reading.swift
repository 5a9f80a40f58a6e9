import GRDB

extension EmbeddedSockStore {
  public func count(_ filter: SockFilter) async throws -> Int {
    try await read { try $0.count(filter) }
  }

  public func socks(_ range: Range<Int>, _ query: SockQuery) async throws -> [Sock] {
    try await read { database in
      // Reaching a row means stepping over all rows before it, so start from the nearer end.
      if query.filter == .all, range.lowerBound > 0 {
        let count = try database.count(.all)
        if range.lowerBound > count / 2 {
          let rest = range.clamped(to: 0..<count)
          let reversed = count - rest.upperBound..<count - rest.lowerBound
          return try database.socks(reversed, .all, query.order.reversed).reversed()
        }
      }
      return try database.socks(range, query.filter, query.order)
    }
  }

  public func place(of id: Sock.ID, in query: SockQuery) async throws -> Int? {
    try await read { database in
      let isListed = query.filter.condition.and("id = ?", [id.uuidString])
      guard try database.count(where: isListed) > 0 else { return nil }
      let columns = "(\(query.order.column), key)"
      let isBefore = query.filter.condition.and(
        "\(columns) \(query.order.isDescending ? ">" : "<") "
          + "(SELECT \(query.order.column), key FROM sock WHERE id = ?)", [id.uuidString])
      return try database.count(where: isBefore)
    }
  }

  public func sock(_ id: Sock.ID) async throws -> Sock {
    try await read { try $0.sock(id) }
  }

  public func partners(of id: Sock.ID, limit: Int) async throws -> [Sock] {
    try await read { database in
      let sock = try database.sock(id)
      return try database.socks(
        """
         WHERE pattern = ? AND colour = ? AND +pair IS NULL AND id <> ?
        ORDER BY sortName, key LIMIT ?
        """, [sock.pattern, sock.colour, id.uuidString, limit])
    }
  }

  /// Returns the ids with this prefix, as users abbreviate them; at most `limit`.
  public func ids(withPrefix prefix: String, limit: Int = 10) async throws -> [Sock.ID] {
    guard prefix.utf8.count <= 36, prefix.utf8.allSatisfy(\.isPartOfID) else { return [] }
    return try await read { database in
      let prefix = prefix.uppercased()
      // All characters of an id are less than "G".
      return try database.socks(
        " WHERE id >= ? AND id < ? ORDER BY id LIMIT ?", [prefix, prefix + "G", limit]
      ).map(\.id)
    }
  }
}

extension UInt8 {
  fileprivate var isPartOfID: Bool {
    switch self {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"),
      UInt8(ascii: "A")...UInt8(ascii: "F"), UInt8(ascii: "-"):
      true
    default: false
    }
  }
}

extension Database {
  fileprivate func count(_ filter: SockFilter) throws -> Int {
    try count(where: filter.condition)
  }

  fileprivate func count(where condition: SockCondition) throws -> Int {
    let statement = try cachedStatement(sql: "SELECT COUNT(*) FROM sock \(condition.sql)")
    return try Int.fetchOne(statement, arguments: condition.arguments) ?? 0
  }

  fileprivate func socks(
    _ range: Range<Int>, _ filter: SockFilter, _ order: SockOrder
  ) throws -> [Sock] {
    let condition = filter.condition
    return try socks(
      " \(condition.sql) ORDER BY \(order.sql) LIMIT ? OFFSET ?",
      condition.arguments + [range.count, range.lowerBound])
  }

  /// Returns the socks for the rest of a query, which starts with a space.
  func socks(_ end: String, _ arguments: StatementArguments) throws -> [Sock] {
    let statement = try cachedStatement(sql: "SELECT \(Sock.columns) FROM sock\(end)")
    let rows = try Row.fetchCursor(statement, arguments: arguments)
    var socks: [Sock] = []
    while let row = try rows.next() { socks.append(try Sock(row)) }
    return socks
  }
}

/// The WHERE clause of a query; empty for all rows.
struct SockCondition {
  let sql: String
  let arguments: StatementArguments

  fileprivate func and(_ term: String, _ arguments: StatementArguments) -> SockCondition {
    SockCondition(
      sql: sql.isEmpty ? "WHERE \(term)" : "\(sql) AND \(term)",
      arguments: self.arguments + arguments)
  }
}

extension SockFilter {
  var condition: SockCondition {
    var terms: [String] = []
    var arguments = StatementArguments()
    let text = SearchText.folded(text)
    // The index has no texts of fewer than three characters: all rows are read, in the order of the
    // file. With another index, each row would be on another page.
    let isIndexed = text.unicodeScalars.count >= 3
    if isIndexed {
      terms.append("key IN (SELECT rowid FROM sockText WHERE sockText MATCH ?)")
      // As one phrase, in which only quotes have to be escaped.
      arguments += ["\"\(text.replacing("\"", with: "\"\""))\""]
    } else if !text.isEmpty {
      terms.append("instr(searchText, ?)")
      arguments += [text]
    }
    if let isPaired { terms.append(isPaired ? "pair IS NOT NULL" : "pair IS NULL") }
    if let pattern {
      terms.append("pattern = ?")
      arguments += [pattern]
    }
    if let colour {
      terms.append("colour = ?")
      arguments += [colour]
    }
    let sql = terms.isEmpty ? "" : "WHERE " + terms.joined(separator: " AND ")
    return SockCondition(
      sql: text.isEmpty || isIndexed ? sql : "NOT INDEXED " + sql, arguments: arguments)
  }
}

extension SockOrder {
  fileprivate var reversed: SockOrder { SockOrder(by: key, descending: !isDescending) }

  fileprivate var column: String {
    switch key {
    case .name: "sortName"
    case .sogginess: "sogginess"
    case .pattern: "pattern"
    case .colour: "colour"
    case .created: "created"
    case .changed: "changed"
    }
  }

  fileprivate var sql: String {
    isDescending ? "\(column) DESC, key DESC" : "\(column), key"
  }
}
