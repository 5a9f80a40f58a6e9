import Socks

/// What was done to socks, newest last, with what takes it back.
struct DrawerUndo: Equatable {
  /// The opposite of a change of one sock.
  enum Step: Equatable {
    case putBack(Sock.ID)
    case remove(Sock.ID)
    case edit(Sock.ID, [SockEdit])
    case pair(Sock.ID, Sock.ID)
    case unpair(Sock.ID)
  }

  /// What one key did, which one key takes back.
  struct Entry: Equatable {
    let steps: [Step]
    /// Of which socks it was how soggy they are that changed.
    var soggier: [Sock.ID] = []
  }

  private(set) var entries: [Entry] = []

  /// Nobody goes further back.
  private static let limit = 100

  mutating func note(_ steps: [Step]) { note(Entry(steps: steps)) }

  private mutating func note(_ entry: Entry) {
    guard !entry.steps.isEmpty else { return }
    entries = entries.suffix(Self.limit - 1) + [entry]
  }

  /// Notes how soggy socks were.
  ///
  /// A key that is held down, or pressed again, is one change with what it did before.
  mutating func note(sogginessOf socks: [Sock]) {
    let ids = socks.map(\.id)
    guard entries.last?.soggier != ids else { return }
    note(
      Entry(steps: socks.map { .edit($0.id, [.sogginess($0.sogginess)]) }, soggier: ids))
  }

  /// Takes out the newest that can be taken back.
  mutating func takeLast(where isPossible: (Entry) -> Bool) -> Entry? {
    while let entry = entries.popLast() {
      if isPossible(entry) { return entry }
    }
    return nil
  }

}
