import GRDB

extension EmbeddedSockStore {
  public func count(_ filter: SockFilter) async throws -> Int {
    try await read { try $0.count(filter.rows()) }
  }

  public func socks(_ range: Range<Int>, _ query: SockQuery) async throws -> [Sock] {
    try await read { database in
      // Reaching a row means stepping over all rows before it, so start from the nearer end.
      if query.filter == .all, range.lowerBound > 0 {
        let count = try database.count(SockFilter.all.rows())
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
      let isSock: SQL = "id = \(id.uuidString)"
      guard try database.count(query.filter.rows(where: isSock)) > 0 else { return nil }
      let columns: SQL = "\(sql: query.order.column), key"
      let comparison: SQL = query.order.isDescending ? ">" : "<"
      let values: SQL = "(SELECT \(columns) FROM sock WHERE \(isSock))"
      return try database.count(
        query.filter.rows(where: "(\(columns)) \(comparison) \(values)"))
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
        sock WHERE pattern = \(sock.pattern) AND colour = \(sock.colour) AND +pair IS NULL
          AND id <> \(id.uuidString) ORDER BY sortName, key LIMIT \(limit)
        """)
    }
  }

  /// Returns the ids with this prefix, as users abbreviate them; at most `limit`.
  public func ids(withPrefix prefix: String, limit: Int = 10) async throws -> [Sock.ID] {
    guard prefix.utf8.count <= 36, prefix.allSatisfy(Self.isPartOfID) else { return [] }
    return try await read { database in
      let prefix = prefix.uppercased()
      // All characters of an id are less than "G".
      return try database.socks(
        "sock WHERE id >= \(prefix) AND id < \(prefix + "G") ORDER BY id LIMIT \(limit)"
      ).map(\.id)
    }
  }

  private static func isPartOfID(_ character: Character) -> Bool {
    character.isASCII && character.isHexDigit || character == "-"
  }
}

extension Database {
  fileprivate func count(_ rows: SQL) throws -> Int {
    try SQLRequest<Int>(literal: "SELECT COUNT(*) FROM \(rows)", cached: true).fetchOne(self) ?? 0
  }

  fileprivate func socks(
    _ range: Range<Int>, _ filter: SockFilter, _ order: SockOrder
  ) throws -> [Sock] {
    try socks(
      """
      \(filter.rows()) ORDER BY \(sql: order.sql)
      LIMIT \(range.count) OFFSET \(range.lowerBound)
      """)
  }

  /// - Parameter rows: the rows to read, for a FROM clause.
  func socks(_ rows: SQL) throws -> [Sock] {
    let request = SQLRequest<Row>(
      literal: "SELECT \(sql: Sock.columns) FROM \(rows)", cached: true)
    return try Array(request.fetchCursor(self).map { try Sock($0) })
  }
}

extension SockFilter {
  /// The socks that the filter includes and that meet a further condition, for a FROM clause.
  fileprivate func rows(where other: SQL? = nil) -> SQL {
    var terms: [SQL] = []
    let text = SearchText.folded(text)
    // The index has no texts of fewer than three characters: all rows are read, in the order of the
    // file. With another index, each row would be on another page.
    let isIndexed = text.unicodeScalars.count >= 3
    if isIndexed {
      // As one phrase, in which only quotes have to be escaped.
      let phrase = "\"\(text.replacing("\"", with: "\"\""))\""
      terms.append("key IN (SELECT rowid FROM sockText WHERE sockText MATCH \(phrase))")
    } else if !text.isEmpty {
      terms.append("instr(searchText, \(text))")
    }
    if let isPaired { terms.append(isPaired ? "pair IS NOT NULL" : "pair IS NULL") }
    if let other { terms.append(other) }
    let table: SQL = text.isEmpty || isIndexed ? "sock" : "sock NOT INDEXED"
    return terms.isEmpty ? table : "\(table) WHERE \(terms.joined(separator: " AND "))"
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
