import Loading
import Socks

/// The changes of socks that can be undone, newest last.
struct DrawerUndo: Equatable {
  /// A step that undoes a change of one sock.
  enum Step: Equatable {
    case putBack(Sock.ID)
    case remove(Sock)
    /// The sock is as it was before the change, here and below.
    case edit(Sock, [SockEdit])
    case pair(Sock, Sock.ID)
    case unpair(Sock)
  }

  /// The steps that undo the changes of one key press together.
  struct Entry: Equatable {
    let steps: [Step]
    /// The changed socks, if only their sogginess changed; otherwise empty.
    var soggier: [Sock.ID] = []
    /// When it last changed.
    var time: AnyClock.Instant?
  }

  private(set) var entries: [Entry] = []

  /// The maximum number of entries, which is more than anyone undoes.
  private static let limit = 100

  mutating func note(_ steps: [Step]) { note(Entry(steps: steps)) }

  private mutating func note(_ entry: Entry) {
    guard !entry.steps.isEmpty else { return }
    entries = entries.suffix(Self.limit - 1) + [entry]
  }

  /// After a pause of this length, a further change of the same sogginess is one of its own.
  static let pause = Duration.seconds(1)

  /// Records the sogginess of socks before it changes.
  ///
  /// Changes of the same socks that follow each other quickly, as with a key that is held down, are
  /// undone together.
  mutating func note(sogginessOf socks: [Sock], at now: AnyClock.Instant) {
    let ids = socks.map(\.id)
    if let last = entries.last, last.soggier == ids, let time = last.time,
      time.duration(to: now) < Self.pause
    {
      entries[entries.count - 1].time = now
    } else {
      note(
        Entry(
          steps: socks.map { .edit($0, [.sogginess($0.sogginess)]) }, soggier: ids, time: now))
    }
  }

  /// Removes a step that was undone in another way.
  mutating func forget(_ step: Step) {
    entries = entries.compactMap { entry in
      let steps = entry.steps.filter { $0 != step }
      return steps.isEmpty
        ? nil : Entry(steps: steps, soggier: entry.soggier, time: entry.time)
    }
  }

  /// Removes and returns the change at an index, with those after it.
  mutating func take(_ index: Int) -> Entry {
    defer { entries.removeSubrange(index...) }
    return entries[index]
  }
}
