import Loading
import Socks
import TerminalUI

/// Changing the marked socks, or else the open or selected one, and undoing changes.
extension DrawerModel {
  /// The socks that keys change.
  var targets: [Sock] {
    if openSock == nil, !marked.isEmpty {
      return marked.values.map { drawer.sock($0.id).latestValue ?? $0 }
        .sorted { ($0.name, $0.id.uuidString) < ($1.name, $1.id.uuidString) }
    }
    return current.map { [$0.sock] } ?? []
  }

  func changeSogginess(by steps: Int) {
    let socks = targets
    guard socks.contains(where: { Sogginess.stepped($0.sogginess, by: steps) != $0.sogginess })
    else { return }
    undoing.note(sogginessOf: socks, at: clock.now)
    for sock in socks {
      drawer.setSogginess(
        of: sock.id, to: Sogginess.stepped(sock.sogginess, by: steps), known: sock)
    }
  }

  func remove() {
    let socks = targets
    undoing.note(socks.map { .putBack($0.id) })
    for sock in socks {
      drawer.remove(sock.id, known: sock)
      marked[sock.id] = nil
    }
  }

  // MARK: Marks

  /// Marks the selected sock, so that keys change it together with the other marked ones, or
  /// unmarks it.
  func toggleMark() {
    guard let sock = current?.sock else { return }
    marked[sock.id] = marked[sock.id] == nil ? sock : nil
  }

  func unmarkAll() { marked = [:] }

  /// Unmarks the sock of a failed change if another process has removed it.
  func unmark(after failure: FailedMutation) {
    let reason = (failure.error as? SockChangeFailure)?.reason ?? failure.error
    if case SockError.noSuchSock(let id) = reason { marked[id] = nil }
  }

  // MARK: Pairs

  /// Chooses the first sock of a pair, or pairs it with the current one.
  func pair() {
    guard let sock = current?.sock else { return }
    if let first = pairing {
      pairing = nil
      if first.id != sock.id { pair(first, sock) }
    } else {
      pairing = sock
    }
  }

  /// Pairs two socks, given as they were when the user chose them: they may not be listed any more.
  func pair(_ first: Sock, _ second: Sock) {
    let pairs = [first, second].compactMap { sock in
      (drawer.sock(shown: sock.id) ?? sock).pair.map { DrawerUndo.Step.pair(sock, $0) }
    }
    undoing.note([.unpair(first)] + pairs)
    drawer.pair(first.id, with: second.id, known: first)
  }

  func cancelPairing() { pairing = nil }

  func unpair() {
    guard let sock = current?.sock, let pair = sock.pair else { return }
    undoing.note([.pair(sock, pair)])
    drawer.unpair(sock.id, known: sock)
  }

  // MARK: Undo

  var canUndo: Bool { undoing.entries.contains(where: isPossible) }

  func undo() {
    guard let newest = undoing.entries.lastIndex(where: isPossible) else { return }
    for step in undoing.take(newest).steps {
      switch step {
      case .putBack(let id): drawer.undoRemoval(of: id)
      case .remove(let sock):
        drawer.remove(sock.id, known: sock)
        // Like any other removal, it can be undone within its time.
        undoing.note([.putBack(sock.id)])
      case .edit(let sock, let edits): drawer.takeBack(sock, edits)
      case .pair(let sock, let other): drawer.pair(sock.id, with: other, known: sock)
      case .unpair(let sock): drawer.unpair(sock.id, known: sock)
      }
    }
  }

  /// Whether the entry can be undone: a removed sock can be put back only within its undo window,
  /// and a sock that is being removed cannot be changed.
  private func isPossible(_ entry: DrawerUndo.Entry) -> Bool {
    entry.steps.contains { step in
      switch step {
      case .putBack(let id):
        if case .removable = drawer.state(of: id) { true } else { false }
      // A sock whose addition failed is not there to be removed, nor is one that was removed since.
      case .remove(let sock):
        !isRemoving(sock.id) && !hasFailedAddition(sock.id) && !wasRemoved(sock.id)
      case .edit(let sock, _), .pair(let sock, _), .unpair(let sock): !isRemoving(sock.id)
      }
    }
  }

  private func isRemoving(_ id: Sock.ID) -> Bool {
    if case .removing = drawer.state(of: id) { true } else { false }
  }

  private func wasRemoved(_ id: Sock.ID) -> Bool {
    // If its removal failed, it is still there.
    if case .failed = drawer.state(of: id) { return false }
    return undoing.entries.contains { $0.steps.contains(.putBack(id)) }
  }

  private func hasFailedAddition(_ id: Sock.ID) -> Bool {
    drawer.arrivals.contains { row in
      if case .failed = row.state { row.id == id } else { false }
    }
  }
}

extension SockDrawer {
  /// Returns a sock of the list if it is loaded; never loads it.
  func sock(shown id: Sock.ID) -> Sock? {
    listing.place(of: id).flatMap { row(at: $0).value?.sock }
  }

  /// Restores fields to their earlier values.
  fileprivate func takeBack(_ sock: Sock, _ edits: [SockEdit]) {
    if let edit = edits.first, edits.count == 1, edit.field == .sogginess,
      case .number(let sogginess) = edit.value
    {
      // Uses the same function as the change, so that it can supersede a change that is still
      // pending.
      setSogginess(of: sock.id, to: sogginess, known: sock)
    } else {
      edit(sock.id, edits, known: sock)
    }
  }
}
