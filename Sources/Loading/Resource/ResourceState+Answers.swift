/// The events of a load: its signals, its values and its end.
extension ResourceState {
  mutating func receive(
    _ signal: LoadSignal, from ticket: LoadActivity.Ticket, at now: AnyClock.Instant
  ) {
    guard runningTicket == ticket else { return record(.discarded, ticket, at: now) }
    switch signal {
    case .progress(let next):
      let progress = (progress?.advanced(to: next) ?? next).shown
      self.progress = progress
      record(.progressed(progress), ticket, at: now)
    case .phase(.live) where isLive:
      // A subscription sends it with each value.
      break
    case .phase(.live) where !hasLoadedValue:
      // The value that it was sent with was discarded; the next one brings its own.
      break
    case .phase(let phase):
      let wasPaused = activity?.pauseReason != nil
      changeActivity { $0.phase = phase }
      if case .paused(let reason) = phase {
        record(.paused(reason), ticket, at: now)
      } else if wasPaused {
        record(.resumed, ticket, at: now)
      }
      // The next attempt is due, and only waits for a permit or a gate.
      if phase == .waiting || activity?.pauseReason != nil {
        changeActivity { $0.nextAttemptAt = nil }
      }
      // A load by the user does not wait for a gate, nor does one that the user has joined before.
      if let activity, activity.pauseReason != nil, let cause = activity.joinedBy,
        !activity.isAbandoned
      {
        return start(nil, cause, at: now)
      }
      if let activity, activity.isPausedRefresh, !activity.isAbandoned, let queued,
        queued.cause != .refresh
      {
        return start(nil, queued.cause, at: now)
      }
      if phase == .live {
        hasSubscribed = true
        validateValue()
        // A subscription does not end, so what waits for its load starts now, unless nobody sees it.
        if let queued, !isUnseen || !queued.cause.isAutomatic {
          return start(nil, queued.cause, at: now)
        }
        if isUnseen, let activity { return hide(activity, at: now) }
      }
      giveUpIfWaiting(at: now)
    case .attempt(let number, let limit):
      changeActivity { activity in
        activity.phase = .running
        activity.attempt = number
        activity.attemptLimit = limit
        activity.nextAttemptAt = nil
      }
      forgetProgress()
      if number > 1 { record(.attempted(number), ticket, at: now) }
    case .attemptFailed(let error, let nextAt):
      forgetProgress()
      let count = failure?.failureCount ?? 0
      changeActivity { activity in
        activity.phase = .backoff
        activity.nextAttemptAt = nextAt
        activity.attemptFailure = LoadFailure(error: error, failureCount: count, at: now)
      }
      record(.attemptFailed(error), ticket, at: now)
    case .foundInCache(let date):
      // A zipped load finds several values: the oldest date counts.
      changeActivity { $0.valueDate = min(date, $0.valueDate ?? date) }
      record(.foundInCache, ticket, at: now)
    }
  }

  mutating func receive(
    _ value: HeldValue, from ticket: LoadActivity.Ticket, at now: AnyClock.Instant
  ) {
    guard let activity, activity.ticket == ticket, !activity.overlapsCommit else {
      return record(.discarded, ticket, at: now)
    }
    settle(value, isWhole: false, at: now)
    record(.yielded, ticket, at: now)
  }

  mutating func finish(
    _ ticket: LoadActivity.Ticket, _ value: HeldValue?, at now: AnyClock.Instant
  ) {
    guard runningTicket == ticket else { return record(.discarded, ticket, at: now) }
    if overlapsCommit {
      // The activity stays, in the phase waiting: the load runs again when the mutations have
      // ended.
      changeActivity { $0.phase = .waiting }
      return record(.discarded, ticket, at: now)
    }
    if let value {
      settle(value, at: now)
    } else {
      settledAt = now
      if hasLoadedValue { validateValue() }
    }
    end(.finished, ticket, at: now)
  }

  mutating func fail(
    _ ticket: LoadActivity.Ticket, _ error: any Error, at now: AnyClock.Instant
  ) {
    guard runningTicket == ticket else { return record(.discarded, ticket, at: now) }
    settle(error, at: now)
    end(.failed(error), ticket, at: now)
  }

  private mutating func end(
    _ event: LoadingObserver.Record.Event, _ ticket: LoadActivity.Ticket, at now: AnyClock.Instant
  ) {
    record(event, ticket, at: now)
    hasSubscribed = false
    endActivity()
    if let next = queued {
      queued = nil
      start(next.loader, next.cause, at: now)
    }
  }

  /// Takes a value; `isWhole` is false if the load that has brought it continues, and may fail.
  mutating func settle(_ value: HeldValue, isWhole: Bool = true, at now: AnyClock.Instant) {
    let isLoaded = runningTicket != nil
    let earlierDate = loadedAt
    log.accept(value, isSame: isLoaded ? loader?.traits.isSame : nil)
    isProvisional = log.keptCount > 0
    valueInput = input
    valueLoader = isLoaded ? loader : nil
    failure = nil
    settledAt = now
    loadedAt = valueDate ?? now
    changeActivity { activity in
      activity.attemptFailure = nil
      if isWhole {
        activity.validateValue()
      } else if let date = activity.valueDate {
        // The date of a value from a cache is known.
        activity.earlierDate = date
      } else if !activity.hasValue {
        activity.earlierDate = earlierDate
      }
      activity.isCached = activity.valueDate != nil
      activity.valueDate = nil
      activity.hasValue = true
    }
  }

  /// Makes the value that the running load has yielded valid and fresh.
  ///
  /// Before the load has ended well, or is live, it may be an old one, which the loader has stored.
  private mutating func validateValue() {
    changeActivity { $0.validateValue() }
  }

  mutating func settle(_ error: any Error, at now: AnyClock.Instant) {
    failure = LoadFailure(error: error, failureCount: (failure?.failureCount ?? 0) + 1, at: now)
    failureInput = input
    settledAt = now
  }
}
