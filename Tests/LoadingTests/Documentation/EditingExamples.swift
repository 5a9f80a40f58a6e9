import Loading
import LoadingTesting
import Observation
import Testing

// The examples of the page "Editing what was loaded", word for word, and tests of what they do.

private struct Sock: Identifiable, Equatable, Sendable {
  let id: Int
  var name: String
}

private struct Renaming: Codable, Equatable, Sendable {
  let id: Int
  let name: String
}

private protocol SockAPI: Sendable {
  func rename(_ id: Sock.ID, to name: String) async throws
  func remove(_ id: Sock.ID) async throws
}

/// A server whose answers the test gives.
private struct Server: SockAPI {
  let renamings = ManualCalls<Renaming, Void>()
  let removals = ManualCalls<Sock.ID, Void>()
  let sent = ManualCalls<String, Void>()

  func rename(_ id: Sock.ID, to name: String) async throws {
    try await renamings.call(Renaming(id: id, name: name))
  }
  func remove(_ id: Sock.ID) async throws { try await removals.call(id) }
  func rename(_ id: Sock.ID, to name: String, idempotencyKey key: String) async throws {
    try await sent.call("\(key): \(id) \(name)")
  }
}

private struct Offline: Error {}

@MainActor @Observable
private final class Drawer {
  let socks: Resource<[Sock]>
  private let api: any SockAPI
  private var newest: PendingMutation.ID?

  init(_ socks: Resource<[Sock]>, api: any SockAPI) {
    self.socks = socks
    self.api = api
  }

  func rename(_ id: Sock.ID, to name: String) {
    newest = socks.mutate(
      item: id, field: "name", apply: { $0.modify(id: id) { $0.name = name } },
      commit: { [api] _ in try await api.rename(id, to: name) })
  }

  /// The row is gone at once, and its removal begins five seconds later.
  func remove(_ id: Sock.ID) {
    newest = socks.mutate(
      item: id, undoWindow: .seconds(5), apply: { $0.removeAll { $0.id == id } },
      commit: { [api] _ in try await api.remove(id) })
  }

  /// Takes back the newest edit; returns false if it is too late.
  func undo() -> Bool { newest.map { socks.undo($0) } ?? false }

  /// What is drawn beside a row.
  func mark(of id: Sock.ID) -> String {
    if socks.isModifying(id) { return "…" }
    return socks.failedMutation(of: id) == nil ? "" : "✗"
  }
}

@MainActor
private func keeping(_ journal: any MutationJournal, _ api: Server, _ runtime: ManualRuntime)
  -> (MutationOutbox, MutationOutbox.Handler<Renaming>)
{
  do {
    let renaming = MutationOutbox.Handler<Renaming>("rename") { change, key in
      try await api.rename(change.id, to: change.name, idempotencyKey: key)
    }
    let outbox = MutationOutbox(journal, handlers: renaming)
    _ = outbox
  }
  let renaming = MutationOutbox.Handler<Renaming>("rename") { change, key in
    try await api.rename(change.id, to: change.name, idempotencyKey: key)
  }
  let outbox = MutationOutbox(
    journal, handlers: renaming, attempts: 1, clock: runtime.clock.any,
    scheduler: runtime.scheduler, makeKey: { "key" })
  return (outbox, renaming)
}

@MainActor
private func rename(
  _ id: Sock.ID, to name: String, in socks: Resource<[Sock]>,
  by outbox: MutationOutbox, _ renaming: MutationOutbox.Handler<Renaming>
) {
  socks.mutate(
    item: id, field: "name", apply: { $0.modify(id: id) { $0.name = name } }
  ) { [outbox, renaming] _ in
    try await outbox.commit(
      renaming, Renaming(id: id, name: name), scope: "sock \(id)", field: "name")
  }
}

@MainActor
@Suite(.leavesNothingBehind, .timeLimit(.minutes(10))) struct EditingExamples {
  private let runtime = ManualRuntime()
  private let server = Server()

  private func socks() -> Resource<[Sock]> {
    runtime.resource(
      initialState: .loaded([Sock(id: 1, name: "Wool"), Sock(id: 2, name: "Silk")]))
  }

  private func rows(_ drawer: Drawer) -> [String] {
    (drawer.socks.latestValue ?? []).map { $0.name + drawer.mark(of: $0.id) }
  }

  @Test func `edits are rolled back one by one, and can be retried`() {
    let drawer = Drawer(socks(), api: server)
    drawer.rename(1, to: "Linen")
    drawer.rename(2, to: "Flax")
    #expect(rows(drawer) == ["Linen…", "Flax…"])
    runtime.run()
    server.renamings[0].fail(Offline())
    runtime.run()
    #expect(rows(drawer) == ["Wool✗", "Flax…"])
    server.renamings[1].succeed()
    runtime.run()
    drawer.socks.failedMutations.first?.retry?()
    #expect(rows(drawer) == ["Linen…", "Flax"])
    runtime.run()
    #expect(server.renamings.inputs.last == Renaming(id: 1, name: "Linen"))
    server.renamings[2].succeed()
    runtime.run()
    #expect(rows(drawer) == ["Linen", "Flax"])
  }

  @Test func `of the names that wait, only the newest is stored`() {
    let drawer = Drawer(socks(), api: server)
    for name in ["Linen", "Flax", "Hemp"] { drawer.rename(1, to: name) }
    runtime.run()
    server.renamings[0].succeed()
    runtime.run()
    server.renamings[1].succeed()
    runtime.run()
    #expect(server.renamings.inputs.map(\.name) == ["Linen", "Hemp"])
    #expect(rows(drawer) == ["Hemp", "Silk"])
  }

  @Test func `a removal can be undone for five seconds, and an edit that waits, too`() {
    let drawer = Drawer(socks(), api: server)
    drawer.remove(1)
    runtime.advance(by: .seconds(4))
    #expect(rows(drawer) == ["Silk"])
    #expect(drawer.undo())
    #expect(rows(drawer) == ["Wool", "Silk"])
    drawer.remove(1)
    runtime.advance(by: .seconds(5))
    #expect(!drawer.undo())
    server.removals[0].fail(Offline())
    runtime.run()
    #expect(rows(drawer) == ["Wool✗", "Silk"])
    drawer.rename(2, to: "Flax")
    drawer.rename(2, to: "Hemp")
    #expect(drawer.undo())
    #expect(rows(drawer) == ["Wool✗", "Flax…"])
    runtime.run()
    server.renamings[0].succeed()
    runtime.run()
  }

  @Test func `a kept edit fails when its attempts are used up, and is sent again with its key`()
    async
  {
    let (socks, journal) = (socks(), MemoryJournal())
    let (outbox, renaming) = keeping(journal, server, runtime)
    rename(1, to: "Linen", in: socks, by: outbox, renaming)
    await runtime.run { server.sent.count == 1 }
    await runtime.run { socks.pendingMutations.first?.phase == .kept }
    #expect(socks.isModifying(1))
    server.sent[0].fail(Offline())
    await runtime.run { !socks.failedMutations.isEmpty }
    #expect(socks.latestValue?.first?.name == "Wool")
    #expect(outbox.failed.count == 1)
    socks.retryFailedMutations()
    await runtime.run { server.sent.count == 2 }
    server.sent[1].succeed()
    await runtime.run { !socks.hasPendingMutations }
    #expect(server.sent.inputs == ["key: 1 Linen", "key: 1 Linen"])
    #expect(socks.latestValue?.first?.name == "Linen")
    #expect(journal.rows.isEmpty)
  }

  @Test func `a kept edit that is dismissed leaves the journal`() async {
    let (socks, journal) = (socks(), MemoryJournal())
    let (outbox, renaming) = keeping(journal, server, runtime)
    rename(1, to: "Linen", in: socks, by: outbox, renaming)
    await runtime.run { server.sent.count == 1 }
    server.sent[0].fail(Offline())
    await runtime.run { !socks.failedMutations.isEmpty }
    socks.dismissFailedMutations()
    await runtime.run { journal.rows.isEmpty }
    #expect(socks.failedMutations.isEmpty)
  }
}
