import Loading
import LoadingTesting

// The documentation's examples of journaled mutations, word for word, so that all of them compile.

private struct Sock: Identifiable, Sendable {
  let id: Int
  var name: String
}

private struct Renaming: Codable, Sendable {
  let id: Int
  let name: String
}

private struct API: Sendable {
  func rename(_ id: Int, to name: String, idempotencyKey: String) async throws {}
}

private let api = API()

private let rename = MutationOutbox.Handler<Renaming>("rename") { renaming, key in
  try await api.rename(renaming.id, to: renaming.name, idempotencyKey: key)
}

private let remove = MutationOutbox.Handler<Int>("remove") { _, _ in }

@MainActor
private func sending(_ journal: any MutationJournal, id: Int) async throws {
  let outbox = MutationOutbox(journal, handlers: rename, remove)
  try await outbox.start()
  try await outbox.keep(rename, Renaming(id: id, name: "Left"), scope: "sock \(id)")
}

@MainActor
private func restarting(_ renaming: Renaming) async throws {
  let journal = MemoryJournal()
  var outbox: MutationOutbox? = MutationOutbox(journal, handlers: rename)
  try await outbox?.keep(rename, renaming, scope: "socks")
  outbox = MutationOutbox(journal, handlers: rename)  // the program was killed and started again
  try await outbox?.start()
}

@MainActor
private func committing(_ sock: Resource<Sock>, _ outbox: MutationOutbox, name: String) {
  sock.mutate(apply: { $0.name = name }) { sock in
    try await outbox.commit(
      rename, Renaming(id: sock.id, name: sock.name), scope: "sock \(sock.id)", field: "name")
  }
}

@MainActor
private func resuming(_ outbox: MutationOutbox, _ socks: [Int: Resource<Sock>]) async throws {
  try await outbox.start()
  for row in outbox.failed + outbox.pending {
    guard let renaming = try rename.arguments(of: row) else { continue }
    socks[renaming.id]?.mutate(apply: { $0.name = renaming.name }) {
      try await outbox.resume(row.key)
    }
  }
}
