/// One part of a key with dots.
struct TOMLKeyPart {
  let name: String
  let line: Int
}

/// Which keys and headers of a document may stand after which others.
extension TOMLTable {
  /// Changes the table at a path, making what is missing on the way.
  ///
  /// - Parameter isHeader: whether the path is a header's, which may lead through what other headers
  ///   began and into the last element of a list of tables; a key with dots may not.
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
      switch value.content {
      case .table(var table):
        guard isHeader ? table.origin != .inline : table.origin == .dotted else { throw refusal }
        // Alone in its place while it is changed: else every key would copy all before it.
        value.content = .boolean(false)
        defer { value.content = .table(table) }
        try table.descend(path.dropFirst(), isHeader: isHeader, change)
      case .array(var elements):
        guard isHeader, case .table(var table)? = elements.last?.content, table.origin != .inline
        else { throw refusal }
        value.content = .boolean(false)
        elements[elements.count - 1].content = .boolean(false)
        defer {
          elements[elements.count - 1].content = .table(table)
          value.content = .array(elements)
        }
        try table.descend(path.dropFirst(), isHeader: isHeader, change)
      default: throw refusal
      }
    }
  }

  /// Begins the table of a header, or one more element of a list of tables.
  mutating func open(
    _ name: String, line: Int, isElement: Bool
  ) throws(TOMLError) {
    let header = TOMLValue(line: line, content: .table(TOMLTable(.header)))
    guard let known = self[name] else {
      let value = isElement ? TOMLValue(line: line, content: .array([header])) : header
      return append(Entry(key: name, line: line, value: value))
    }
    let refusal = TOMLError(
      line: line,
      message: "“\(name)” is set twice; the first time is in line \(known.line)")
    try change(name) { value throws(TOMLError) in
      switch value.content {
      case .table(var table) where !isElement && table.origin == .implied:
        table.origin = .header
        value.content = .table(table)
      case .array(var elements) where isElement:
        // Only lists that began like this one have elements that can be added to.
        guard case .table(let first)? = elements.first?.content, first.origin != .inline else {
          throw refusal
        }
        elements.append(header)
        value.content = .array(elements)
      default: throw refusal
      }
    }
  }
}
