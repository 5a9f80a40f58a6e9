import Foundation
import Loading
import Storage
public import UserErrors

/// Changes that survive the process: each is first stored in a journal, and sent from there.
extension SockDrawer {
  /// Commits a change, through the journal if there is one.
  ///
  /// - Parameter stored: returns the sock without pending changes, as far as known.
  nonisolated static func commit(
    _ change: SockChange, _ part: SockPart, by outbox: DrawerOutbox?, _ api: any SockAPI,
    stored: @MainActor @Sendable () -> Sock? = { nil }
  ) async throws {
    guard let outbox else { return try await api.apply(change, key: nil) }
    try change.check()
    let known = await outbox.expecting(change, over: stored)
    // One scope for all changes, because a pair involves two socks.
    try await outbox.queue.commit(
      outbox.handler, known, scope: "drawer", field: "\(change.sock) \(part.name)")
  }

  /// Applies the changes that an earlier process has stored but not applied, and shows them as
  /// pending.
  public func resumeChanges() async throws(UnreadSockChanges) {
    guard let outbox else { return }
    do { try await outbox.queue.start() } catch { throw UnreadSockChanges(error) }
    for (change, key) in outbox.changes { await resume(change, key, by: outbox) }
  }

  private func resume(_ change: SockChange, _ key: String, by outbox: DrawerOutbox) async {
    if case .add(let draft) = change {
      return show(draft) { [weak queue = outbox.queue] in try await queue?.resume(key) }
    }
    let sock: Sock
    do {
      sock = try await api.sock(change.sock)
    } catch SockError.noSuchSock {
      // There is no sock to show a failure for.
      return forget(key, of: outbox.queue)
    } catch {
      // The change is applied all the same; if that fails, the next start reports it.
      return
    }
    let part = change.part
    // A retry by the user replaces the value of another program.
    let replaces = Lock(false)
    let resource = changing(sock.id)
    if resource.latestValue == nil { resource.set(.loaded(sock)) }
    resource.mutate(item: part, field: part.field) { sock in
      if case .update(_, let edits, _) = change { edits.forEach { sock.apply($0) } }
      if case .pair(_, let other) = change { sock.pair = other }
      if case .unpair = change { sock.pair = nil }
    } commit: { [api, handler = outbox.handler, weak queue = outbox.queue, gone] sock in
      try await SockChangeFailure.telling(part, of: sock) {
        guard let queue else { return }
        if replaces.withLock({ $0 }) {
          let outbox = DrawerOutbox(queue: queue, handler: handler)
          return try await Self.commit(change.unconditional, part, by: outbox, api)
        }
        do {
          try await queue.resume(key)
        } catch {
          // A failure of an earlier process may have been one, too.
          let isOvertaken = if case SockError.changedElsewhere = error { true } else { false }
          replaces.withLock { $0 = isOvertaken || error is MutationOutbox.Entry.Failure }
          throw error
        }
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

/// The changes that an earlier process has stored but not applied could not be read; they stay
/// stored.
public struct UnreadSockChanges: ExplainedError {
  /// Why they could not be read.
  public let reason: any Error

  /// Creates the error for a journal that cannot be opened or read.
  public init(_ reason: any Error) { self.reason = reason }

  /// What happened, in one sentence.
  public var what: String { "Changes of socks from the last run could not be read." }

  /// The reason, and what the user can do about it.
  public var advice: String {
    let explained = explained(reason)
    guard case SockError.store(let error) = reason else {
      return "\(explained.what) \(explained.advice)"
    }
    return "\(error.what(of: "unsaved changes")) \(explained.advice)"
  }

  /// Technical details of the reason.
  public var detail: String? { explained(reason).detail }
}

extension SockChange {
  /// The part of the sock that is changed.
  var part: SockPart {
    switch self {
    case .update(_, let edits, _):
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

/// Sends the changes of a drawer's journal.
struct DrawerOutbox: Sendable {
  let queue: MutationOutbox
  let handler: MutationOutbox.Handler<SockChange>
}

extension DrawerOutbox {
  /// Creates an outbox for a journal.
  ///
  /// A change fails if it is invalid, if its sock is gone, or if an earlier process has left it and
  /// another program has changed the same field since. If another program has locked the file, it
  /// is retried. A change of this process is made in any case: its user saw the current value.
  @MainActor
  init(
    _ journal: any MutationJournal, _ api: any SockAPI, clock: AnyClock, scheduler: LoadScheduler
  ) {
    let session = UUID().uuidString
    handler = MutationOutbox.Handler("change") { change, error in
      switch (change, error as? SockError) {
      // Another process was faster, or the answer of an earlier attempt was lost.
      case (.remove(let id), .noSuchSock(let gone)?) where id == gone: .drop
      case (.add(let draft), .alreadyThere(let id)?) where id == draft.id: .drop
      case (_, .store(.locked)?): .retry
      default: .fail
      }
    } send: { change, key in
      try await api.apply(key.hasPrefix(session) ? change.unconditional : change, key: key)
    }
    // Few attempts, because each waits long for a lock.
    queue = MutationOutbox(
      journal, handlers: handler, attempts: 3, clock: clock, scheduler: scheduler,
      makeKey: { "\(session) \(UUID().uuidString)" })
  }

  /// The changes that have failed, then those that are pending, with their keys.
  @MainActor var changes: [(SockChange, key: String)] {
    (queue.failed + queue.pending).compactMap { row in
      (try? handler.arguments(of: row)).map { ($0, row.key) }
    }
  }

  /// Returns the change with the values that its fields may have when it is sent: those of the
  /// stored sock, and those of changes that are sent before.
  @MainActor func expecting(_ change: SockChange, over stored: @MainActor () -> Sock?) -> SockChange
  {
    guard case .update(let id, let edits, _) = change, let stored = stored() else { return change }
    // A retry has to be the same change, so that it gets the same key.
    let failed = queue.failed.lazy.compactMap { try? handler.arguments(of: $0) }
    if let same = failed.first(where: { $0.unconditional == change }) { return same }
    let fields = Set(edits.map(\.field))
    let earlier = changes.filter { $0.0.sock == id }.flatMap(\.0.values)
    let values = (stored.edits + earlier).filter { fields.contains($0.field) }
    return .update(id, edits, from: Array(Set(values)))
  }
}
