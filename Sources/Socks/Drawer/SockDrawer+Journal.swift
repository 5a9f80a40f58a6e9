import Loading

/// Changes that survive the process: each is first stored in a journal, and sent from there.
extension SockDrawer {
  /// Returns the handler that applies the changes of a journal.
  ///
  /// A change fails if it is invalid or its sock is gone; if another program has locked the file,
  /// it is retried.
  nonisolated static func handler(_ api: any SockAPI) -> MutationOutbox.Handler<SockChange> {
    MutationOutbox.Handler("change") { change, error in
      switch (change, error as? SockError) {
      // Another process was faster, or the answer of an earlier attempt was lost.
      case (.remove(let id), .noSuchSock(let gone)?) where id == gone: .drop
      case (.add(let draft), .alreadyThere(let id)?) where id == draft.id: .drop
      case (_, .store(.locked)?): .retry
      default: .fail
      }
    } send: { change, key in
      try await api.apply(change, key: key)
    }
  }

  /// Commits a change, through the journal if there is one.
  nonisolated static func commit(
    _ change: SockChange, _ part: SockPart, by outbox: MutationOutbox?, _ api: any SockAPI
  ) async throws {
    guard let outbox else { return try await api.make(change) }
    try change.check()
    // One scope for all changes, because a pair involves two socks.
    try await outbox.commit(
      handler(api), change, scope: "drawer", field: "\(change.sock) \(part.name)")
  }

  /// Applies the changes that an earlier process has stored but not applied, and shows them as
  /// pending.
  public func resumeChanges() async {
    guard let outbox, (try? await outbox.start()) != nil else { return }
    for row in outbox.failed + outbox.pending {
      guard let change = try? Self.handler(api).arguments(of: row) else { continue }
      await resume(change, row.key, by: outbox)
    }
  }

  private func resume(_ change: SockChange, _ key: String, by outbox: MutationOutbox) async {
    if case .add(let draft) = change {
      return show(draft) { [weak outbox] in try await outbox?.resume(key) }
    }
    let sock: Sock
    do {
      sock = try await api.sock(change.sock)
    } catch SockError.noSuchSock {
      // There is no sock to show a failure for.
      return forget(key, of: outbox)
    } catch {
      // The change is applied all the same; if that fails, the next start reports it.
      return
    }
    let part = change.part
    let resource = changing(sock.id)
    if resource.latestValue == nil { resource.set(.loaded(sock)) }
    resource.mutate(item: part, field: part.field) { sock in
      if case .update(_, let edits) = change { edits.forEach { sock.apply($0) } }
      if case .pair(_, let other) = change { sock.pair = other }
      if case .unpair = change { sock.pair = nil }
    } commit: { [weak outbox, gone] sock in
      try await SockChangeFailure.telling(part, of: sock) {
        try await outbox?.resume(key)
      }
      if case .remove(let id) = change { gone.insert(id) }
    }
  }

  private func forget(_ key: String, of outbox: MutationOutbox) {
    Task {
      guard (try? await outbox.delivered(key)) == nil else { return }
      try? await outbox.dismiss(key)
    }
  }
}

extension SockChange {
  /// The part of the sock that is changed.
  var part: SockPart {
    switch self {
    case .update(_, let edits):
      edits.map(\.field) == [.sogginess] ? .sogginess : .fields(Set(edits.map(\.field)))
    case .add: .addition
    case .remove: .removal
    case .pair, .unpair: .pair
    }
  }
}

extension SockPart {
  /// The name in a journal.
  var name: String {
    switch self {
    case .sogginess: "sogginess"
    case .pair: "pair"
    case .addition, .removal: "presence"
    case .fields(let fields): fields.map(\.rawValue).sorted().joined(separator: ",")
    }
  }

  /// The field of its mutations.
  fileprivate var field: any Hashable & Sendable {
    if case .fields(let fields) = self { fields } else { self }
  }
}
