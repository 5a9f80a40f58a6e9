/// What a resource loads automatically because views show it.
extension Resource {
  /// Starts the load that ``appear()`` would start, for content that the user will probably look at
  /// next.
  ///
  /// A load that was cancelled does not start again.
  public func prefetch() {
    if !truth.isStopped { loadIfNeeded() }
  }

  /// Call this when a view that shows the resource appears.
  ///
  /// It starts the first load, unless ``startsOnAppear`` is false. It loads again if the value has
  /// gone stale or was invalidated, or if the last load was given up. A subscription that was
  /// paused or cancelled starts again.
  ///
  /// If the user has cancelled the load while a view shows the resource, another view that appears
  /// does not start it again; the next view after the last one has left does.
  public func appear() {
    let staysStopped = viewers > 0 && truth.isStopped
    viewers += 1
    shown?()
    if truth.isUnseen { apply(.show) }
    if !staysStopped { loadIfNeeded() }
    planRefresh()
    if viewers == 1 { followGates() }
  }

  /// Call this when a view that shows the resource disappears.
  ///
  /// When the last view has left, a load that waits for a permit or a ``LoadGate``, now or later,
  /// is given up, and starts again with the next view. Nothing is loaded again automatically. A
  /// subscription pauses, at once or when it has delivered a value, and its value stays. A load
  /// that waits for a commit continues, and so does one that is started after the last view has
  /// left. All this does not affect resources that no view ever showed.
  public func disappear() {
    viewers = max(0, viewers - 1)
    shown?()
    guard viewers == 0 else { return }
    openings = []
    apply(.abandon)
  }

  /// Whether a view shows it.
  public var isShown: Bool { viewers > 0 }

  private func loadIfNeeded() {
    if let cause = truth.owed {
      // After the load that runs: it began before the value was invalidated.
      if truth.queued == nil { apply(.load(nil, .keepLatest, cause)) }
    } else if truth.runningTicket != nil {
      return
    } else if truth.lastSettled == nil || truth.hasLostSubscription {
      if startsOnAppear { apply(.load(nil, .join, .appeared)) }
    } else if isStale {
      refreshWhenAllowed()
    }
  }

  /// Until when the server has asked to wait, by the ``RetryAdvice`` of the last failure.
  private var retryPauseEnd: AnyClock.Instant? {
    guard let failure = truth.failure else { return nil }
    return ((failure.error as? any RetryAdvice)?.retryAfter).map(failure.at.advanced)
  }

  /// Loads again, at once or when the time for which the server has asked to wait has passed.
  private func refreshWhenAllowed() {
    guard let end = retryPauseEnd, clock.now < end else {
      return apply(.load(nil, .join, .refresh))
    }
    // The interval has planned a load after that time already.
    if isShown, truth.runningTicket == nil, nextRefresh == nil { refresh(at: end) }
  }

  /// Whether the value has gone stale; a failure after it does not make it fresh.
  private var isStale: Bool {
    guard let staleAfter = refreshing.staleAfter, let since = truth.loadedAt ?? truth.settledAt
    else { return false }
    return since.duration(to: clock.now) >= staleAfter
  }

  /// Schedules or cancels the next automatic load, according to the current state.
  func planRefresh() {
    guard refreshing != .never else { return }
    guard viewers > 0, truth.runningTicket == nil, let settledAt = truth.settledAt else {
      nextRefresh = nil
      return
    }
    guard let interval = refreshing.interval else {
      // Without the failure that it waits for, it would load a value that was set.
      if nextRefresh?.at != retryPauseEnd { nextRefresh = nil }
      return
    }
    // A load that the user cancelled must not start again at once.
    if truth.isStopped, nextRefresh != nil { return }
    let wait = refreshing.wait(interval, afterFailures: truth.failure?.failureCount ?? 0)
    let due = (truth.isStopped ? clock.now : settledAt).advanced(by: wait)
    let next = max(due, retryPauseEnd ?? due)
    if nextRefresh?.at != next { refresh(at: next) }
  }

  private func refresh(at next: AnyClock.Instant) {
    let task = scheduler.task { [clock, scheduler, weak self] in
      guard (try? await clock.sleep(until: next)) != nil else { return }
      scheduler.deliver { [weak self] in
        guard let self, nextRefresh?.at == next else { return }
        apply(.load(nil, .join, .refresh))
      }
    }
    nextRefresh = (next, OwnedTask(task))
  }

  private func refreshAfterOpening() {
    // Like a prefetch, this must not start a load again that the user has cancelled.
    guard isShown, !truth.isStopped else { return }
    if truth.owed != nil || isStale {
      loadIfNeeded()
    } else if truth.failure?.error.allowsRetry == true {
      refreshWhenAllowed()
    }
  }

  /// Loads a stale value again, and what has failed, whenever a gate opens that refreshes wait for.
  private func followGates() {
    guard refreshing.staleAfter != nil else { return }
    openings = scheduler.refreshGates.map { [scheduler] gate in
      OwnedTask(
        scheduler.task { [weak self] in
          while (try? await gate.untilClosed()) != nil, (try? await gate.untilOpen()) != nil {
            scheduler.deliver { [weak self] in
              self?.refreshAfterOpening()
            }
          }
        })
    }
  }
}
