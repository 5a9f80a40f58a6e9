/// The result of an attempt, which is written to the journal before the state changes.
struct OutboxEvent: Sendable {
  enum Kind: Sendable {
    case arrived(isDropped: Bool)
    case retries(MutationOutbox.Entry, next: AnyClock.Instant, any Error)
    case gaveUp(MutationOutbox.Entry, any Error)
  }

  let key: String
  let kind: Kind
  /// The failed mutations that are removed together with one that was sent.
  var erased: [String] = []
  /// The rows that could not be removed before, and are removed together with it.
  var removed: Set<String> = []
  /// Whether it was written to the journal.
  var isNoted = true

  init(
    _ outcome: DeliveryOutcome, of mutation: MutationOutbox.Entry, attemptLimit: Int,
    backoff: Backoff, now: AnyClock.Instant, makeKey: () -> String
  ) {
    key = mutation.key
    var next = mutation
    next.failedAttempts += 1
    let isLast = next.failedAttempts >= attemptLimit
    switch outcome {
    case .arrived: kind = .arrived(isDropped: false)
    case .dropped: kind = .arrived(isDropped: true)
    case .failed(let error, isFinal: true),
      .failed(let error, _) where isLast,
      .conflicted(_, let error) where isLast:
      next.failure = StoredArguments.words(of: error)
      kind = .gaveUp(next, error)
    case .failed(let error, _):
      let delay = (error as? any RetryAdvice)?.retryAfter ?? backoff.delay(next.failedAttempts)
      kind = .retries(next, next: now.advanced(by: max(.zero, delay)), error)
    case .conflicted(let arguments, let error):
      next = MutationOutbox.Entry(
        key: makeKey(), handler: next.handler, scope: next.scope, field: next.field,
        arguments: arguments, failedAttempts: next.failedAttempts)
      kind = .retries(next, next: now, error)
    }
  }

  /// The event for a ``LoadingObserver``.
  var reported: LoadingObserver.Record.Event {
    switch kind {
    case .arrived: .delivered(key)
    case .retries(_, _, let error): .deliveryFailed(key, error, isFinal: false)
    case .gaveUp(_, let error): .deliveryFailed(key, error, isFinal: true)
    }
  }

  /// Writes it to the journal; returns false if that failed.
  ///
  /// If the journal cannot be written, for example because its file is locked or the disk is full,
  /// a change that was sent is shown as sent all the same: its row is removed later, or the next
  /// process sends it again with the same key. Only a change that gets a new key has to be written
  /// before it is sent, so that is tried until it succeeds.
  func note(in journal: any MutationJournal, clock: AnyClock, backoff: Backoff) async -> Bool {
    var attempt = 1
    while true {
      do {
        switch kind {
        case .arrived: try await journal.remove([key] + erased + removed)
        case .retries(let mutation, _, _), .gaveUp(let mutation, _):
          try await journal.update(key, to: mutation)
        }
        return true
      } catch {
        guard case .retries(let mutation, _, _) = kind, mutation.key != key else { return false }
        let next = clock.now.advanced(by: max(.milliseconds(10), backoff.delay(attempt)))
        guard (try? await clock.sleep(until: next)) != nil else { return false }
        attempt += 1
      }
    }
  }
}
