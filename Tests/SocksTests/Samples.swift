import Foundation
import GRDB

@testable import Socks

let noon = Date(timeIntervalSince1970: 1_795_262_400)

/// The id that ends in `number`.
func id(_ number: Int) -> Sock.ID {
  let digits = String(number, radix: 16, uppercase: true)
  let text = "00000000-0000-0000-0000-" + String(repeating: "0", count: 12 - digits.count) + digits
  guard let id = UUID(uuidString: text) else { preconditionFailure(text) }
  return id
}

/// Sock number `number`, red and striped but for what is given.
func sock(
  _ number: Int, _ name: String? = nil, sogginess: Int = 10, pattern: String = "striped",
  colour: String = "red", pair: Int? = nil, notes: String = ""
) -> Sock {
  Sock(
    id: id(number), name: name ?? "Sock \(number)", sogginess: sogginess, pattern: pattern,
    colour: colour, pair: pair.map(id), notes: notes, created: noon, changed: noon)
}

/// Everything that is wrong with the pairs of a drawer: the other one of the other one is oneself.
func brokenPairs(_ socks: [Sock]) -> [Sock] {
  socks.filter { sock in
    guard let pair = sock.pair else { return false }
    return socks.first { $0.id == pair }?.pair != sock.id
  }
}

extension SockAPI {
  /// All socks, by name.
  func all() async throws -> [Sock] { try await socks(0..<1_000_000, SockQuery()) }
}

extension EmbeddedSockStore {
  /// Throws when what texts are looked up in is not what the texts are.
  func checkTexts() async throws {
    try await write {
      try $0.execute(sql: "INSERT INTO sockText (sockText, rank) VALUES ('integrity-check', 1)")
    }
  }
}
