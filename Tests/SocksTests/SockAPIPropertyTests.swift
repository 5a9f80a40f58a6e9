import Foundation
import PseudoTerminal
import Testing

@testable import Socks

/// The stored and the scripted drawer are the same drawer: whatever is done, both answer alike.
@Suite struct SockAPIPropertyTests {
  @Test(arguments: 0..<UInt64(40))
  func `any sequence of calls has one meaning`(seed: UInt64) async throws {
    var generator = SeededGenerator(seed: seed)
    let scripted = ScriptedSockAPI(now: { noon })
    let stored = try EmbeddedSockStore(inMemoryWith: [], now: { noon })
    for step in 0..<60 {
      let call = Call(&generator)
      let answers = (await call.answer(of: stored), await call.answer(of: scripted))
      try #require(answers.0 == answers.1, "seed \(seed), step \(step): \(call)")
      try #require(brokenPairs(scripted.socks).isEmpty, "seed \(seed), step \(step): \(call)")
    }
    #expect(try await stored.all() == scripted.all())
    try await stored.checkTexts()
  }
}

/// A call with its arguments.
private enum Call {
  case count(SockFilter)
  case socks(Range<Int>, SockQuery)
  case place(Sock.ID, SockQuery)
  case sock(Sock.ID)
  case update(Sock.ID, [SockEdit], from: [SockEdit]?, key: String?)
  case add(SockDraft)
  case remove(Sock.ID)
  case pair(Sock.ID, Sock.ID)
  case unpair(Sock.ID)
  case partners(Sock.ID)

  init(_ generator: inout SeededGenerator) {
    let texts = [
      "Ärmel", "ärmel", "A\u{308}RMEL", "sock", "SOCK", "ock", "b%", "_", "'", "", "x\ny",
      "靴下", "赤い靴下", "い靴", "جورب أحمر", "رب", "ب أح", "a \"b\" c", "\"b\"", "\"\"\"", "AND OR",
      "ock*", "l s", "🧦🧦", "🧦🧦🧦", "e\u{301}e\u{301}",
    ]
    func text() -> String { texts.randomElement(using: &generator) ?? "" }
    func someID() -> Sock.ID { id(.random(in: 0..<12, using: &generator)) }
    func filter() -> SockFilter {
      var filter = SockFilter()
      if Bool.random(using: &generator) { filter.text = text() }
      if .random(in: 0..<3, using: &generator) == 0 { filter.isPaired = .random(using: &generator) }
      return filter
    }
    func edit() -> SockEdit {
      switch Int.random(in: 0..<6, using: &generator) {
      case 0: .name(text())
      case 1: .notes(text())
      case 2: .pattern(text())
      case 3: .colour(text())
      case 4: .picture(SockPicture(text()))
      default: .sogginess(.random(in: -5...105, using: &generator))
      }
    }
    func order() -> SockOrder {
      SockOrder(
        by: SockOrder.Key.allCases.randomElement(using: &generator) ?? .name,
        descending: .random(using: &generator))
    }
    switch Int.random(in: 0..<13, using: &generator) {
    case 0: self = .count(filter())
    case 1, 2:
      let start = Int.random(in: 0..<8, using: &generator)
      self = .socks(
        start..<start + .random(in: 0..<8, using: &generator),
        SockQuery(filter: filter(), order: order()))
    case 3: self = .sock(someID())
    case 4, 5:
      func edits() -> [SockEdit] {
        (0..<Int.random(in: 0..<3, using: &generator)).map { _ in edit() }
      }
      let key = Int.random(in: 0..<9, using: &generator)
      self = .update(
        someID(), edits(), from: Bool.random(using: &generator) ? edits() : nil,
        key: key < 6 ? "\(key)" : nil)
    case 6, 7:
      self = .add(
        SockDraft(
          id: someID(),
          [
            .name(text()), .sogginess(.random(in: 0...100, using: &generator)), .pattern(text()),
            .colour(text()), .notes(text()),
          ]))
    case 8: self = .remove(someID())
    case 9: self = .pair(someID(), someID())
    case 10: self = .unpair(someID())
    case 11: self = .place(someID(), SockQuery(filter: filter(), order: order()))
    default: self = .partners(someID())
    }
  }

  /// What comes of it, in words.
  func answer(of api: some SockAPI) async -> String {
    do {
      switch self {
      case .count(let filter): return "\(try await api.count(filter))"
      case .socks(let range, let query): return "\(try await api.socks(range, query))"
      case .place(let id, let query):
        return "\(String(describing: try await api.place(of: id, in: query)))"
      case .sock(let id): return "\(try await api.sock(id))"
      case .update(let id, let edits, let from, let key):
        try await api.apply(.update(id, edits, from: from), key: key)
        return "\(try await api.sock(id))"
      case .add(let draft): return "\(try await api.add(draft))"
      case .remove(let id): return "\(try await api.remove(id))"
      case .pair(let first, let second): return "\(try await api.pair(first, second))"
      case .unpair(let id): return "\(try await api.unpair(id))"
      case .partners(let id): return "\(try await api.partners(of: id, limit: 3))"
      }
    } catch {
      return "\(error)"
    }
  }
}
