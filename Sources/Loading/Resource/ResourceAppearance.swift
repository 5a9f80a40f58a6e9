/// What a resource does by itself because views show it.
extension Resource {
  /// Loads what a view that appears would load, before one does: what the user will probably look at
  /// next.
  ///
  /// A load that was cancelled does not start again.
  public func prefetch() {
    if !truth.wasCancelled, !truth.lostSubscription { loadIfNeeded() }
  }

  /// Called when a view of it appears: starts the first load, if loading is automatic, and loads again
  /// what has gone stale, was invalidated or was given up, or a subscription that was cancelled.
  ///
  /// A load cancelled in an earlier appearance starts again, one cancelled in this one does not,
  /// also when another view of it comes. An appearance ends when the last view leaves. A subscription
  /// that paused then goes on.
  public func appear() {
    let staysCancelled = viewers > 0 && (truth.wasCancelled || truth.lostSubscription)
    viewers += 1
    shown?()
    if truth.isUnseen { apply(.show) }
    if !staysCancelled { loadIfNeeded() }
    planRefresh()
    if viewers == 1 { followGates() }
  }

  /// Called when a view of it disappears.
  ///
  /// After the last one, a load that only waits for a permit or a ``LoadGate`` is given up, also when it
  /// begins to wait later, and starts again with the next view. Nothing is loaded again by itself, and a
  /// subscription pauses: at once, or when it has delivered. Its value stays. A load that waits for a
  /// commit to end is kept, and so is one that is started when the views have gone. A resource that no
  /// view ever showed is left alone.
  public func disappear() {
    viewers = max(0, viewers - 1)
    shown?()
    guard viewers == 0 else { return }
    openings = []
    apply(.abandon)
  }

  /// Whether a view of it is on the screen.
  public var isShown: Bool { viewers > 0 }

  private func loadIfNeeded() {
    guard truth.runningTicket == nil else { return }
    if let cause = truth.owed {
      apply(.load(nil, .join, cause))
    } else if truth.lastSettled == nil || truth.lostSubscription {
      if startsOnAppear { apply(.load(nil, .join, .appeared)) }
    } else if isStale {
      apply(.load(nil, .join, .refresh))
    }
  }

  /// Whether the value is older than it may be; a failure after it does not make it fresh.
  private var isStale: Bool {
    guard let staleAfter = refreshing.staleAfter, let since = truth.loadedAt ?? truth.settledAt
    else { return false }
    return since.duration(to: clock.now) >= staleAfter
  }

  /// Waits for the next load by interval, or stops waiting, as things are now.
  func planRefresh() {
    guard let interval = refreshing.interval else { return }
    guard viewers > 0, truth.runningTicket == nil, let settledAt = truth.settledAt else {
      nextRefresh = nil
      return
    }
    // A load that the user cancelled must not start again at once.
    if truth.wasCancelled, nextRefresh != nil { return }
    let wait = refreshing.wait(interval, afterFailures: truth.failure?.failureCount ?? 0)
    let next = (truth.wasCancelled ? clock.now : settledAt).advanced(by: wait)
    guard nextRefresh?.at != next else { return }
    let task = scheduler.task { [clock, scheduler, weak self] in
      guard (try? await clock.sleep(until: next)) != nil else { return }
      scheduler.deliver { [weak self] in
        guard let self, nextRefresh?.at == next else { return }
        apply(.load(nil, .join, .refresh))
      }
    }
    nextRefresh = (next, OwnedTask(task))
  }

  /// Loads what has gone stale when a gate opens that refreshes wait for.
  private func followGates() {
    guard refreshing.staleAfter != nil else { return }
    openings = scheduler.refreshGates.map { [scheduler] gate in
      OwnedTask(
        scheduler.task { [weak self] in
          while (try? await gate.untilClosed()) != nil, (try? await gate.untilOpen()) != nil {
            scheduler.deliver { [weak self] in
              // What the user has cancelled does not start again, as it does not for a prefetch.
              if let self, isShown { prefetch() }
            }
          }
        })
    }
  }
}
