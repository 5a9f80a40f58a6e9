/// The events of mutations, and the loads that they overlap.
extension ResourceState {
  mutating func begin(
    _ result: (id: PendingMutation.ID, effects: [ResourceEffect])?, at now: AnyClock.Instant
  ) {
    begun = result?.id
    guard let result else { return }
    change(result.effects)
    record(.mutated(result.id), nil, at: now)
  }

  mutating func undo(_ id: PendingMutation.ID, at now: AnyClock.Instant) {
    step(id, .undone(id), at: now) { $0.undo(id, at: now) }
  }

  mutating func keep(_ id: PendingMutation.ID, _ needsReload: Bool, at now: AnyClock.Instant) {
    step(id, .kept(id), at: now) { $0.keep(id, at: now) }
    if needsReload, log.isKept(id), log.patches.base != nil { isProvisional = true }
  }

  mutating func confirm(
    _ id: PendingMutation.ID, _ answer: Mutation<HeldValue>.Patch?, at now: AnyClock.Instant
  ) {
    let isOver = step(id, .committed(id), at: now) { $0.confirm(id, answer, at: now) }
    if isOver { markOverlap() }
  }

  mutating func failMutation(
    _ id: PendingMutation.ID, _ error: any Error, at now: AnyClock.Instant
  ) {
    let isOver = step(id, .commitFailed(id, error), at: now) { $0.fail(id, error, at: now) }
    if isOver { markOverlap() }
  }

  /// Applies a step to a mutation; returns false, and changes nothing, if its phase does not allow
  /// it.
  @discardableResult
  private mutating func step(
    _ id: PendingMutation.ID, _ event: LoadingObserver.Record.Event, at now: AnyClock.Instant,
    _ body: (inout MutationLog) -> [ResourceEffect]?
  ) -> Bool {
    let start = log.start(of: id)
    guard let effects = body(&log) else { return false }
    change(effects)
    record(event, nil, since: start, at: now)
    return true
  }

  mutating func dismissMutation(_ id: PendingMutation.ID) {
    log.dismiss(id)
    mutationVersion += 1
  }

  mutating func change(_ effects: [ResourceEffect]) {
    self.effects += effects
    mutationVersion += 1
  }

  /// Whether a commit overlaps a running load, so that its answer may or may not contain the
  /// change.
  ///
  /// Kept mutations may wait for a long time, so without a value they do not hold up loads. A
  /// mutation of the value of an earlier input has to be committed before that value is replaced.
  private var overlapsLoads: Bool {
    log.committingCount > 0 || log.keptCount > 0 && log.patches.base != nil
      || showsEarlierInput && log.pendingCount > log.keptCount
  }

  /// Marks a running load that a commit overlaps; when no commit is left, loads again.
  ///
  /// It also loads again if the value may contain changes that were shown over it.
  mutating func noteOverlap(at now: AnyClock.Instant) {
    if showsEarlierInput, workTicket != nil, log.pendingCount > log.keptCount {
      // They would be shown over the value of the new input, and stored for that.
      let effects = log.releaseAll(at: now)
      if !effects.isEmpty { change(effects) }
    }
    if overlapsLoads { return markOverlap() }
    guard loader != nil, log.pendingCount == log.keptCount, !isPublished,
      overlapsCommit || isProvisional && log.isDrained
    else { return }
    start(nil, queued?.cause ?? .mutation, at: now)
  }

  private mutating func markOverlap() {
    if !isPublished { changeActivity { $0.overlapsCommit = true } }
  }
}
