/// One part of a dotted key.
struct TOMLKeyPart {
  let name: String
  let line: Int
}

/// The rules of which keys and headers may follow which others in a document.
extension TOMLTable {
  /// Changes the table at a path, creating missing tables on the way.
  ///
  /// - Parameter isHeader: whether the path is a header's, which may lead through tables that other
  ///   headers began and into the last element of a list of tables; a dotted key may not.
  mutating func descend(
    _ path: some Collection<TOMLKeyPart>, isHeader: Bool,
    _ change: (inout TOMLTable) throws(TOMLError) -> Void
  ) throws(TOMLError) {
    guard let step = path.first else { return try change(&self) }
    let refusal = TOMLError(
      line: step.line, message: "“\(step.name)” is already complete and cannot take more keys")
    if self[step.name] == nil {
      let table = TOMLTable(isHeader ? .implied : .dotted)
      append(
        Entry(
          key: step.name, line: step.line, value: TOMLValue(line: step.line, content: .table(table))
        ))
    }
    try self.change(step.name) { value throws(TOMLError) in
      if var table = value.takeTable() {
        guard isHeader ? table.origin != .inline : table.origin == .dotted else { throw refusal }
        try table.descend(path.dropFirst(), isHeader: isHeader, change)
        value.content = .table(table)
      } else if isHeader, var elements = value.takeElements(), let last = elements.indices.last,
        var table = elements[last].takeTable(), table.origin != .inline
      {
        try table.descend(path.dropFirst(), isHeader: isHeader, change)
        elements[last].content = .table(table)
        value.content = .array(elements)
      } else {
        throw refusal
      }
    }
  }

  /// Begins the table of a header, or another element of a list of tables.
  mutating func open(
    _ name: String, line: Int, isElement: Bool
  ) throws(TOMLError) {
    let header = TOMLValue(line: line, content: .table(TOMLTable(.header)))
    guard let firstLine = self[name]?.line else {
      let value = isElement ? TOMLValue(line: line, content: .array([header])) : header
      return append(Entry(key: name, line: line, value: value))
    }
    let refusal = TOMLError(
      line: line, message: "“\(name)” is set twice; the first time is in line \(firstLine)")
    try change(name) { value throws(TOMLError) in
      if isElement {
        // Only lists that began with such a header can get more elements.
        guard var elements = value.takeElements(),
          case .table(let first)? = elements.first?.content, first.origin != .inline
        else { throw refusal }
        elements.append(header)
        value.content = .array(elements)
      } else {
        guard var table = value.takeTable(), table.origin == .implied else { throw refusal }
        table.origin = .header
        value.content = .table(table)
      }
    }
  }
}
