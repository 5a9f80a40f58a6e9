import GRDB

extension EmbeddedSockStore {
  public func count(_ filter: SockFilter) async throws -> Int {
    try await read { database in
      let condition = filter.condition
      return try Int.fetchOne(
        database, sql: "SELECT COUNT(*) FROM sock\(condition.sql)", arguments: condition.arguments)
        ?? 0
    }
  }

  public func socks(_ range: Range<Int>, _ query: SockQuery) async throws -> [Sock] {
    try await read { database in
      let condition = query.filter.condition
      return try database.socks(
        "\(condition.sql) ORDER BY \(query.order.sql) LIMIT ? OFFSET ?",
        condition.arguments + [range.count, range.lowerBound])
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
         WHERE pattern = ? AND colour = ? AND pair IS NULL AND id <> ?
        ORDER BY sortName, key LIMIT ?
        """, [sock.pattern, sock.colour, id.uuidString, limit])
    }
  }

  /// The ids that begin like this, as a person shortens them; at most `limit`.
  public func ids(withPrefix prefix: String, limit: Int = 10) async throws -> [Sock.ID] {
    guard prefix.utf8.count <= 36, prefix.utf8.allSatisfy(\.isPartOfID) else { return [] }
    return try await read { database in
      let prefix = prefix.uppercased()
      // Everything that may follow is below "G".
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
  /// The socks that the end of a query, with a space before it, selects and orders.
  func socks(_ end: String, _ arguments: StatementArguments) throws -> [Sock] {
    let statement = try cachedStatement(sql: "SELECT \(Sock.columns) FROM sock\(end)")
    let rows = try Row.fetchCursor(statement, arguments: arguments)
    var socks: [Sock] = []
    while let row = try rows.next() { socks.append(try Sock(row)) }
    return socks
  }
}

extension SockFilter {
  /// As SQL, with a space before it; empty for all.
  var condition: (sql: String, arguments: StatementArguments) {
    var terms: [String] = []
    var arguments = StatementArguments()
    if !text.isEmpty {
      terms.append("instr(searchText, ?)")
      arguments += [SearchText.folded(text)]
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
    return (terms.isEmpty ? "" : " WHERE " + terms.joined(separator: " AND "), arguments)
  }
}

extension SockOrder {
  fileprivate var sql: String {
    let column =
      switch key {
      case .name: "sortName"
      case .sogginess: "sogginess"
      case .pattern: "pattern"
      case .colour: "colour"
      case .created: "created"
      case .changed: "changed"
      }
    return isDescending ? "\(column) DESC, key DESC" : "\(column), key"
  }
}
