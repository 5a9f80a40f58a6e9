import Socks

/// The changes of socks that can be undone, newest last.
struct DrawerUndo: Equatable {
  /// What undoes a change of one sock.
  enum Step: Equatable {
    case putBack(Sock.ID)
    case remove(Sock.ID)
    case edit(Sock.ID, [SockEdit])
    case pair(Sock.ID, Sock.ID)
    case unpair(Sock.ID)
  }

  /// What one key changed, which is undone together.
  struct Entry: Equatable {
    let steps: [Step]
    /// The socks of which only the sogginess changed.
    var soggier: [Sock.ID] = []
  }

  private(set) var entries: [Entry] = []

  /// More changes than anyone undoes.
  private static let limit = 100

  mutating func note(_ steps: [Step]) { note(Entry(steps: steps)) }

  private mutating func note(_ entry: Entry) {
    guard !entry.steps.isEmpty else { return }
    entries = entries.suffix(Self.limit - 1) + [entry]
  }

  /// Records how soggy socks were.
  ///
  /// Repeated changes of the same socks, as with a key that is held down, are undone together.
  mutating func note(sogginessOf socks: [Sock]) {
    let ids = socks.map(\.id)
    guard entries.last?.soggier != ids else { return }
    note(
      Entry(steps: socks.map { .edit($0.id, [.sogginess($0.sogginess)]) }, soggier: ids))
  }

  /// Removes and returns the newest change that can be undone.
  mutating func takeLast(where isPossible: (Entry) -> Bool) -> Entry? {
    while let entry = entries.popLast() {
      if isPossible(entry) { return entry }
    }
    return nil
  }

}
