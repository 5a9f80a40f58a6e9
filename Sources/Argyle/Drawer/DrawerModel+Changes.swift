import Loading
import Socks
import TerminalUI

/// Changing socks: the marked ones, or else the one that is open or selected; and taking it back.
extension DrawerModel {
  /// The socks that keys change.
  var targets: [Sock] {
    if openSock == nil, !marked.isEmpty {
      return marked.values.map { drawer.sock(shown: $0.id) ?? $0 }
        .sorted { ($0.name, $0.id.uuidString) < ($1.name, $1.id.uuidString) }
    }
    return current.map { [$0.sock] } ?? []
  }

  func changeSogginess(by steps: Int) {
    let socks = targets
    undoing.note(sogginessOf: socks)
    for sock in socks {
      drawer.setSogginess(of: sock.id, to: Sogginess.stepped(sock.sogginess, by: steps))
    }
  }

  func remove() {
    let socks = targets
    undoing.note(socks.map { .putBack($0.id) })
    for sock in socks { drawer.remove(sock.id) }
    marked = [:]
  }

  // MARK: Marks

  /// Marks the selected sock, so that keys change it together with the others that are marked; or no
  /// longer.
  func toggleMark() {
    guard let sock = current?.sock else { return }
    marked[sock.id] = marked[sock.id] == nil ? sock : nil
  }

  func unmarkAll() { marked = [:] }

  // MARK: Pairs

  /// Marks a sock to be paired, or pairs the marked one with this one.
  func pair() {
    guard let sock = current?.sock else { return }
    if let first = pairing {
      pairing = nil
      if first.id != sock.id { pair(first.id, sock.id) }
    } else {
      pairing = sock
    }
  }

  func pair(_ first: Sock.ID, _ second: Sock.ID) {
    let pairs = [first, second].compactMap { id in
      drawer.sock(shown: id)?.pair.map { DrawerUndo.Step.pair(id, $0) }
    }
    undoing.note([.unpair(first)] + pairs)
    drawer.pair(first, with: second)
  }

  func cancelPairing() { pairing = nil }

  func unpair() {
    guard let sock = current?.sock, let pair = sock.pair else { return }
    undoing.note([.pair(sock.id, pair)])
    drawer.unpair(sock.id)
  }

  // MARK: Undo

  var canUndo: Bool { undoing.entries.contains(where: isPossible) }

  func undo() {
    guard let entry = undoing.takeLast(where: isPossible) else { return }
    for step in entry.steps {
      switch step {
      case .putBack(let id): drawer.undoRemoval(of: id)
      case .remove(let id): drawer.remove(id)
      case .edit(let id, let edits): drawer.takeBack(id, edits)
      case .pair(let id, let other): drawer.pair(id, with: other)
      case .unpair(let id): drawer.unpair(id)
      }
    }
  }

  /// A sock whose time to be taken out is over cannot be put back, and one that is gone cannot be
  /// changed.
  private func isPossible(_ entry: DrawerUndo.Entry) -> Bool {
    entry.steps.contains { step in
      switch step {
      case .putBack(let id):
        if case .removable = drawer.state(of: id) { true } else { false }
      // One that could not be added is not there to be removed.
      case .remove(let id): drawer.sock(shown: id) != nil
      case .edit(let id, _), .pair(let id, _), .unpair(let id):
        if case .removing = drawer.state(of: id) { false } else { true }
      }
    }
  }
}

extension SockDrawer {
  /// A sock as it is in the list, if it is there; nothing is loaded for it.
  func sock(shown id: Sock.ID) -> Sock? {
    listing.place(of: id).flatMap { row(at: $0).value?.sock }
  }

  /// Makes fields what they were.
  fileprivate func takeBack(_ id: Sock.ID, _ edits: [SockEdit]) {
    if case .sogginess(let sogginess)? = edits.first, edits.count == 1 {
      // By the same way as the change, which it may still overtake.
      setSogginess(of: id, to: sogginess)
    } else {
      edit(id, edits)
    }
  }
}
