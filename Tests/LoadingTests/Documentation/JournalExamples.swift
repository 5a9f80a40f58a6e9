import Loading
import LoadingTesting

// The examples of journaled mutations, word by word, so that all of them compile.

private struct Renaming: Codable, Sendable {
  let id: Int
  let name: String
}

private struct API: Sendable {
  func rename(_ id: Int, to name: String, idempotencyKey: String) async throws {}
}

private let api = API()

private let rename = MutationHandler<Renaming>("rename") { renaming, key in
  try await api.rename(renaming.id, to: renaming.name, idempotencyKey: key)
}

private let remove = MutationHandler<Int>("remove") { _, _ in }

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
