import Foundation

/// A JSON array of socks for import and export; the names of members are those of ``Sock``.
///
/// Missing members of an existing sock change nothing. A new sock needs a name; everything else is
/// optional.
///
/// ```swift
/// let document = try DrawerDocument(bytes)
/// try await store.put(document)
/// ```
public struct DrawerDocument: Sendable {
  /// The members of one sock.
  struct Entry: Sendable {
    var id: Sock.ID?
    var edits: [SockEdit]
    /// The other sock of its pair; `.some(nil)` for none.
    var pair: Sock.ID??
    var created: Date?
    var changed: Date?
  }

  private(set) var entries: [Entry]

  /// The largest document, in bytes.
  public static let sizeLimit = 256 << 20

  /// Parses a document, and checks everything that can be checked without a drawer.
  ///
  /// - Throws: ``DrawerDocumentError``.
  public init(_ bytes: Data) throws(DrawerDocumentError) {
    do {
      entries = try JSONDecoder().decode([Entry].self, from: bytes)
    } catch {
      throw DrawerDocumentError(error)
    }
    try check()
  }

  /// Makes relative paths of picture files absolute.
  public mutating func resolveFiles(in folder: String) {
    for index in entries.indices {
      entries[index].edits = entries[index].edits.map { edit in
        guard case .picture(let picture?) = edit.value else { return edit }
        return .picture(picture.resolved(in: folder))
      }
    }
  }

  // MARK: Checks

  private func check() throws(DrawerDocumentError) {
    var numbers: [Sock.ID: Int] = [:]
    for (index, entry) in entries.enumerated() {
      for edit in entry.edits {
        do throws(SockError) {
          try edit.check()
        } catch {
          throw .entry(index + 1, key: edit.field.rawValue, .refused(error.what))
        }
      }
      guard let id = entry.id else { continue }
      if let first = numbers.updateValue(index + 1, forKey: id) {
        throw .entry(index + 1, key: "id", .repeated(first: first))
      }
    }
    var paired: [Sock.ID: Int] = [:]
    for (index, entry) in entries.enumerated() {
      guard let pair = entry.pair ?? nil else { continue }
      if let first = paired.updateValue(index + 1, forKey: pair) {
        throw .entry(index + 1, key: "pair", .repeated(first: first))
      }
      if pair == entry.id { throw .entry(index + 1, key: "pair", .pairedWithItself) }
      guard let other = numbers[pair] else { continue }
      guard let id = entry.id, entries[other - 1].pair == .some(id) else {
        throw .entry(index + 1, key: "pair", .notMutual(other: other))
      }
    }
  }
}

extension SockPicture {
  /// Returns the same picture; a relative path of a file becomes absolute.
  public func resolved(in folder: String) -> SockPicture {
    guard case .file(let path) = self, !path.hasPrefix("/") else { return self }
    let whole = folder + "/" + path
    return .file((whole as NSString).standardizingPath)
  }
}

extension DrawerDocument.Entry: Decodable {
  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: SockKey.self)
    // Misspelt members are refused, because their values would be silently lost.
    for key in container.allKeys where !SockKey.all.contains(key) {
      throw DrawerDocumentError.UnknownKey(path: decoder.codingPath + [key])
    }
    func value<Value: Decodable>(_ key: SockKey) throws -> Value? {
      container.contains(key) ? try container.decode(Value.self, forKey: key) : nil
    }
    func date(_ key: SockKey) throws -> Date? {
      guard let text: String = try value(key) else { return nil }
      if let date = try? Date(text, strategy: .iso8601) { return date }
      // The decoder reports the path of a wrong type, but not that of a wrong value.
      throw DecodingError.dataCorruptedError(
        forKey: key, in: container, debugDescription: "unreadable")
    }
    id = try value(.id)
    pair = container.contains(.pair) ? .some(try container.decode(UUID?.self, forKey: .pair)) : nil
    created = try date(.created)
    changed = try date(.changed)
    edits = try SockField.allCases.filter { container.contains(SockKey($0)) }.map {
      SockEdit($0, try container.value(of: $0, forKey: SockKey($0)))
    }
  }
}
