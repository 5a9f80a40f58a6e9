@testable import Loading

// MARK: What happens

extension ReferenceModel {
  /// Requests a load.
  ///
  /// - Parameter isDebounced: whether the other loader that the request brings is debounced; nil
  ///   for a load with the current loader.
  mutating func load(_ policy: LoadPolicy, _ cause: LoadActivity.Cause, isDebounced: Bool? = nil) {
    guard isLoading, running != nil else { return begin(cause, isDebounced: isDebounced) }
    if isPaused, cause == .user || self.cause == .refresh && cause != .refresh {
      return begin(cause, isDebounced: isDebounced)
    }
    let isInput = cause == .user || cause == .inputChanged
    switch isInput && (isDebounced ?? self.isDebounced) ? .restart : policy {
    case .join: if cause == .user { log.append(.joined(cause)) }
    case .drop: return
    case .keepLatest:
      if isDebounced != nil || queued?.isDebounced == nil {
        log.append(.queued(cause, isDebounced: isDebounced))
      }
    case .restart: begin(cause, isDebounced: isDebounced)
    }
  }

  private mutating func begin(_ cause: LoadActivity.Cause, isDebounced: Bool? = nil) {
    let number = loadCount
    let isDebounced = isDebounced ?? queued?.isDebounced
    // The value stays out of date if this load brings no other one.
    if isProvisional, pending.isEmpty { log.append(.invalidated) }
    log.append(.ended)
    if let isDebounced { log.append(.loader(isDebounced: isDebounced)) }
    log.append(.began(number, cause))
  }

  mutating func appear() {
    let staysCancelled = viewerCount > 0 && (wasCancelled || lostSubscription)
    log.append(.appeared)
    show()
    if staysCancelled { return }
    if let owed {
      if queued == nil { load(.keepLatest, owed) }
    } else if runningSince != nil {
      return
    } else if settledWell == nil || lostSubscription {
      begin(.appeared)
    }
  }

  mutating func disappear() {
    log.append(.disappeared)
    if viewerCount == 0 { abandon() }
  }

  mutating func invalidate() {
    guard runningSince != nil || settledWell != nil else { return }
    log.append(.invalidated)
    if viewerCount > 0 { load(.keepLatest, .invalidated) }
  }

  mutating func loadPart() {
    if valueIndex != nil { log.append(.partLoaded) }
  }

  mutating func retry() {
    if running != nil, phase == .running || phase == .waiting {
      return log.append(.joined(.retry))
    }
    begin(.retry)
  }

  mutating func cancel() {
    guard runningSince != nil else { return }
    log.append(.cancelled(wasLoading: isLoading))
    stop()
  }

  /// Ends the running load; the next one loads the input that waits.
  private mutating func stop() {
    let isDebounced = queued?.isDebounced
    log.append(.ended)
    if let isDebounced { log.append(.loader(isDebounced: isDebounced)) }
  }

  mutating func abandon() {
    log.append(.unseen(true))
    if phase == .live || isPaused && hasDelivered { return hide() }
    giveUpIfWaiting()
  }

  private mutating func giveUpIfWaiting() {
    guard let cause, isAbandoned, phase == .waiting || isPaused, !isOverlapped else { return }
    let waiting = queued?.cause
    stop()
    log.append(.givenUp(waiting ?? cause))
  }

  mutating func show() {
    guard isUnseen else { return }
    log.append(.unseen(false))
    if isHidden { begin(owed ?? .appeared) }
  }

  private mutating func hide() {
    let waiting = queued?.cause
    stop()
    log.append(.hidden)
    if let waiting { log.append(.givenUp(waiting)) }
  }

  mutating func reset() {
    stop()
    let unkept = unkept
    log += [.reset] + unkept.map { .lost($0) }
  }

  mutating func set(_ state: LoadingState<[Int]>, error: Int) {
    stop()
    log.append(.set)
    switch state {
    case .idle: log += [.cleared] + unkept.map { .lost($0) }
    case .loading(let progress): log.append(.published(progress?.fraction))
    case .failed: log.append(.failure(error))
    case .loaded(let value): log.append(.value(value))
    }
  }

  /// Takes a signal or a value of a load; one that does not run any more is ignored.
  mutating func tell(_ load: Int, _ fact: Fact) {
    guard running == load else { return }
    if case .value = fact, isOverlapped { return }
    if case .phase(.live) = fact, !hasValue { return }
    log.append(fact)
    guard case .phase(let phase) = fact else { return }
    if isPaused, let cause = joinedBy, !isAbandoned { return begin(cause) }
    if isPaused, cause == .refresh, let queued, queued.cause != .refresh, !isAbandoned {
      return begin(queued.cause, isDebounced: queued.isDebounced)
    }
    guard phase == .live else { return giveUpIfWaiting() }
    if let queued, !isUnseen || [.user, .inputChanged, .retry].contains(queued.cause) {
      return begin(queued.cause, isDebounced: queued.isDebounced)
    }
    if isUnseen { hide() }
  }

  mutating func finish(_ load: Int, _ value: [Int]?) {
    guard running == load else { return }
    if isOverlapped { return log.append(.phase(.waiting)) }
    if let value { log.append(.value(value)) }
    end()
  }

  mutating func fail(_ load: Int, _ error: Int) {
    guard running == load else { return }
    log.append(.failure(error))
    end()
  }

  private mutating func end() {
    let next = queued
    log += [.over, .ended]
    if let next { begin(next.cause, isDebounced: next.isDebounced) }
  }

  mutating func mutate(_ plan: MutationPlan) {
    guard valueIndex != nil || !plan.needsValue else { return }
    let changes = changes
    if let field = plan.field,
      let older = changes.lastIndex(where: {
        $0.plan.scope == plan.scope && $0.plan.field == field
          && ($0.fate == .held || $0.fate == .waiting)
      })
    {
      log.append(plan.merges ? .merged(older, into: changes.count) : .gone(older))
      advanceScopes()
    }
    log.append(.mutation(plan))
  }

  mutating func release(_ number: Int) {
    if fate(number) == .held { log.append(.windowOver(number)) }
  }

  mutating func undo(_ number: Int) {
    let fate = fate(number)
    if fate == .held || fate == .waiting { log.append(.gone(number)) }
  }

  mutating func keep(_ number: Int, isRepeated: Bool) {
    let fate = fate(number)
    guard fate == .committing || fate == .kept && isRepeated else { return }
    log.append(.kept(number, isRepeated: isRepeated))
  }

  mutating func commit(_ number: Int, answer: [Int]?) {
    if fate(number) == .committing || fate(number) == .kept {
      log.append(.stored(number, answer: answer))
    }
  }

  mutating func commitFailed(_ number: Int) {
    if fate(number) == .committing || fate(number) == .kept { log.append(.lost(number)) }
  }

  mutating func retryMutation(_ number: Int) {
    guard let plan = failed.first(where: { $0.number == number })?.plan,
      valueIndex != nil || !plan.needsValue
    else { return }
    let changes = changes
    let isKept = changes.indices.contains {
      $0 > number && changes[$0].fate == .kept && changes[$0].plan.isOfSameField(as: plan)
    }
    if isKept { return }
    let newer = changes.firstIndex {
      $0.fate.isPending && $0.fate != .kept && $0.plan.isOfSameField(as: plan)
    }
    guard let newer else {
      log.append(.retried(number))
      return mutate(plan)
    }
    guard changes[newer].fate != .committing, changes[newer].plan.merges else { return }
    let first = changes.indices.first { leader(of: $0, in: changes) == newer }
    log += [.retried(number), .carried(plan.payload, by: first ?? newer)]
  }

  mutating func dismiss(_ number: Int) {
    if failed.contains(where: { $0.number == number }) { log.append(.dismissed(number)) }
  }

  /// Does what follows without another event: undo windows of an earlier input's value end, commits
  /// begin, and a load that they overlapped is run again.
  mutating func settle() {
    if showsEarlierInput, running != nil {
      for number in changes.indices where fate(number) == .held {
        log.append(.windowOver(number))
        advanceScopes()
      }
    }
    advanceScopes()
    guard runningSince == nil || running != nil || isHidden, unkept.isEmpty, !overlapsLoads else {
      return
    }
    guard isOverlapped || isProvisional && pending.isEmpty else { return }
    let next = queued
    begin(next?.cause ?? .mutation, isDebounced: next?.isDebounced)
  }

  /// Begins the commit of the first pending mutation of each scope, unless it may still be undone.
  private mutating func advanceScopes() {
    let changes = changes
    for scope in 0..<2 {
      let first = changes.firstIndex {
        $0.plan.scope == scope && $0.fate.isPending && $0.fate != .kept
      }
      guard let first, changes[first].fate == .waiting else { continue }
      log.append(.committing(first))
    }
  }
}
