@testable import Loading

/// Performs the same steps on the reducer and on the reference model, and reports the first
/// difference.
struct ReducerHarness {
  private var state: ResourceState
  private var model: ReferenceModel
  private var now = AnyClock.Instant.ms(0)
  private var loads: [LoadActivity.Ticket] = []
  private var mutations: [PendingMutation.ID] = []
  /// The loads that the reducer has started, and that have neither ended nor been stopped by it.
  private var committing: Set<PendingMutation.ID> = []
  /// The mutations that have requested the turn of a scope, in that order; it stands for the order
  /// of commits that resources share.
  private var turns: [MutationKey: [PendingMutation.ID]] = [:]
  private var given: Set<PendingMutation.ID> = []
  private var reports = 0
  private var nextNumber = 0

  private static let loader = HeldLoader(Loader<[Int]>.constant([]))
  private static let debounced = HeldLoader(
    Loader<[Int]>.constant([]).debounced(for: .seconds(1)))

  init(errorPolicy: ErrorPolicy) {
    state = ResourceState(
      loader: Self.loader, errorPolicy: errorPolicy, historyCapacity: 4, at: now)
    model = ReferenceModel(errorPolicy: errorPolicy)
  }

  /// Performs the steps one after the other; returns the first difference, or nil when there is
  /// none.
  static func difference(in steps: [Step], errorPolicy: ErrorPolicy) -> String? {
    var harness = ReducerHarness(errorPolicy: errorPolicy)
    for step in steps {
      harness.perform(step)
      if let difference = harness.difference() { return difference }
    }
    return nil
  }

  private mutating func number() -> Int {
    nextNumber += 1
    return nextNumber
  }

  private func recent<Element>(_ elements: [Element], _ ago: Int) -> (Int, Element)? {
    guard !elements.isEmpty else { return nil }
    let index = elements.count - 1 - ago % elements.count
    return (index, elements[index])
  }

  private mutating func perform(_ step: Step) {
    switch step {
    case .load(let policy):
      apply(.load(nil, policy, .user))
      model.load(policy, .user)
    case .loadOther(let policy, let isDebounced):
      apply(.load(isDebounced ? Self.debounced : Self.loader, policy, .inputChanged))
      model.load(policy, .inputChanged, isDebounced: isDebounced)
    case .retry:
      apply(.retry)
      model.retry()
    case .cancel:
      apply(.cancel)
      model.cancel()
    case .abandon:
      apply(.abandon)
      model.abandon()
    case .show:
      apply(.show)
      model.show()
    case .invalidate:
      apply(.invalidate(reloads: false))
      model.invalidate()
    case .loadPart:
      apply(.update({ _ in }, needsReload: true))
      model.loadPart()
    case .reset:
      apply(.reset())
      model.reset()
    case .setIdle: set(.idle)
    case .setLoading(let fraction): set(.loading(fraction.map { LoadingProgress(fraction: $0) }))
    case .setFailed: set(.failed(Broken("\(nextNumber + 1)")))
    case .setLoaded: set(.loaded([number()]))
    case .advance(let milliseconds):
      now = now.advanced(by: .milliseconds(milliseconds))
    // A resource counts its viewers; the reducer is only told of the first and the last.
    case .run, .appear, .disappear: break
    default:
      if !performLoadStep(step) { performMutationStep(step) }
    }
    model.settle()
  }

  private mutating func set(_ value: LoadingState<[Int]>) {
    apply(.set(value.held))
    model.set(value, error: value.isFailed ? number() : 0)
  }

  private mutating func performLoadStep(_ step: Step) -> Bool {
    let ago: Int
    switch step {
    case .progress(let load, _), .yield(let load), .phase(let load, _), .attempt(let load, _),
      .attemptFailed(let load), .finish(let load, _), .fail(let load):
      ago = load
    default: return false
    }
    guard let (index, ticket) = recent(loads, ago) else { return true }
    switch step {
    case .progress(_, let fraction):
      apply(.signal(ticket, .progress(LoadingProgress(fraction: fraction))))
      model.tell(index, .progress(fraction))
    case .yield:
      let value = [number()]
      apply(.value(ticket, HeldValue(value)))
      model.tell(index, .value(value))
    case .phase(_, let phase):
      apply(.signal(ticket, .phase(phase)))
      model.tell(index, .phase(phase))
    case .attempt(_, let attempt):
      apply(.signal(ticket, .attempt(attempt, limit: 3)))
      model.tell(index, .attempt(attempt))
    case .attemptFailed:
      let error = number()
      apply(.signal(ticket, .attemptFailed(Broken("\(error)"), nextAt: now)))
      model.tell(index, .attemptFailed(error))
    case .finish(_, let hasValue):
      let value = hasValue ? [number()] : nil
      apply(.finished(ticket, value.map(HeldValue.init)))
      model.finish(index, value)
    case .fail:
      let error = number()
      apply(.failed(ticket, Broken("\(error)")))
      model.fail(index, error)
    default: break
    }
    return true
  }

  private mutating func performMutationStep(_ step: Step) {
    switch step {
    case .mutate(var plan):
      plan.payload = [number()]
      apply(.mutate(Mutation(plan).held))
      model.mutate(plan)
    case .releaseAll:
      apply(.release(nil))
      for number in 0..<model.mutationCount { model.release(number) }
    case .release(let ago):
      guard let (index, id) = recent(mutations, ago) else { return }
      apply(.release(id))
      model.release(index)
    case .undo(let ago):
      guard let (index, id) = recent(mutations, ago) else { return }
      apply(.undo(id))
      model.undo(index)
    case .keep(let ago, let isRepeated):
      guard let (index, id) = recent(mutations, ago) else { return }
      apply(.kept(id, needsReload: isRepeated))
      model.keep(index, isRepeated: isRepeated)
    case .commit(let ago, let hasAnswer):
      guard let (index, id) = recent(mutations, ago) else { return }
      let answer = hasAnswer ? [number()] : nil
      apply(.committed(id, Mutation.heldPatch(answer)))
      model.commit(index, answer: answer)
    case .commitFailed(let ago):
      guard let (index, id) = recent(mutations, ago) else { return }
      apply(.commitFailed(id, Broken()))
      model.commitFailed(index)
    case .retryMutation(let ago):
      guard let (index, id) = recent(mutations, ago) else { return }
      apply(.retryMutation(id))
      model.retryMutation(index)
    case .dismiss(let ago):
      guard let (index, id) = recent(mutations, ago) else { return }
      apply(.dismissMutation(id))
      model.dismiss(index)
    default: break
    }
  }

  private mutating func apply(_ event: ResourceEvent) {
    let ticket = state.runningTicket
    let effects = state.apply(event, at: now)
    if state.runningTicket != ticket, let started = state.workTicket { loads.append(started) }
    // A retry may become a part of a mutation that is pending already.
    if let begun = state.begun, !mutations.contains(begun) { mutations.append(begun) }
    for effect in effects {
      switch effect {
      case .commit(let id): committing.insert(id)
      case .stopMutation(let id): committing.remove(id)
      case .enter(let id, let scope): turns[scope, default: []].append(id)
      case .leave(let id, let scope): turns[scope]?.removeAll { $0 == id }
      case .hold, .ended, .merged: break
      case .report: reports += 1
      }
    }
    for scope in turns.values {
      guard let first = scope.first, given.insert(first).inserted else { continue }
      apply(.turn(first))
    }
  }

  // MARK: Comparing

  func difference() -> String? {
    let value = model.value
    let latest = state.latestValue?.value(as: [Int].self)
    if latest != value { return "the latest value is \(latest ?? []), not \(value ?? [])" }
    let (shown, expected) = (LoadingState<[Int]>(state.projection), model.projection(value))
    if shown != expected { return "the state is \(shown), not \(expected)" }
    if state.showsEarlierInput != model.showsEarlierInput { return "of an earlier input or not" }
    return loadDifference() ?? failureDifference() ?? mutationDifference()
  }

  private func loadDifference() -> String? {
    let activity = state.activity
    if loads.count != model.loadCount {
      return "\(loads.count) loads began, not \(model.loadCount)"
    }
    if activity?.phase != model.phase {
      return "the phase is \(activity?.phase as Any), not \(model.phase as Any)"
    }
    if activity?.attempt != model.attempt || state.progress?.fraction != model.progress {
      return "attempt or progress differ: \(activity as Any)"
    }
    if let cause = model.cause, activity?.cause != cause {
      return "the cause is \(activity?.cause as Any), not \(cause)"
    }
    if state.workTicket != model.running.map({ loads[$0] }) { return "another load runs" }
    if state.wasCancelled != model.wasCancelled { return "cancelled or not" }
    if state.owed != model.owed {
      return "owed is \(state.owed as Any), not \(model.owed as Any)"
    }
    return nil
  }

  private func failureDifference() -> String? {
    if (state.failure?.failureCount ?? 0) != model.failures.count {
      return "\(state.failure?.failureCount ?? 0) failures, not \(model.failures.count)"
    }
    if state.lastSettled.map({ $0 == .value }) != model.settledWell {
      return "the last result is \(state.lastSettled as Any)"
    }
    let (shown, expected) = (state.currentFailure, model.currentFailure)
    if (shown?.error as? Broken) != expected.map({ Broken("\($0.error)") })
      || shown?.failureCount != expected?.count
    {
      return "the failure shown is \(shown as Any), not \(expected as Any)"
    }
    return nil
  }

  private func mutationDifference() -> String? {
    if mutations.count != model.mutationCount { return "another number of mutations" }
    if mutations.isEmpty { return nil }
    let changes = model.changes
    let pending = changes.indices.filter { changes[$0].fate.isPending }
    if state.log.pending.map(\.id) != pending.map({ mutations[$0] }) {
      return "pending are \(state.log.pending), not \(pending)"
    }
    let running = pending.filter { changes[$0].fate == .committing }
    let kept = pending.filter { changes[$0].fate == .kept }
    if committing != Set((running + kept).map { mutations[$0] }) {
      return "being committed are \(committing), not \(running)"
    }
    if state.log.committingCount != running.count || state.log.pendingCount != pending.count {
      return "the counts of mutations differ"
    }
    if state.log.failed.map(\.report.id) != model.failed.map({ mutations[$0.number] }) {
      return "failed are \(state.log.failed.map(\.report.id)), not \(model.failed)"
    }
    if reports != model.lostCount { return "\(reports) reports of \(model.lostCount) failures" }
    let items = Set(pending.map { MutationKey(changes[$0].plan.scope) })
    if Set(state.log.modifying.keys) != items { return "another set of modified items" }
    return nil
  }
}

extension Mutation<[Int]> {
  /// A mutation with the properties of `plan`.
  init(
    _ plan: MutationPlan,
    commit: @escaping @Sendable ([Int]) async throws -> Patch? = { _ in nil }
  ) {
    self.init(
      item: plan.scope, scope: plan.scope, field: plan.field,
      timing: plan.isOptimistic ? .optimistic : .confirmed,
      undoWindow: plan.isHeld ? MutationPlan.window : nil,
      throttle: nil, patch: { [payload = plan.payload] in $0 += payload },
      anyCommit: { value in Loader { _ in try await commit(value ?? []) } })
    needsValue = plan.needsValue
    mergesWithWaiting = plan.merges
  }

  /// The patch by which the answer of a commit replaces that of its mutation; nil without an
  /// answer.
  static func patch(_ answer: [Int]?) -> Patch? {
    guard let answer else { return nil }
    return { $0 += answer }
  }

  /// The same patch for the reducer, whose values are erased.
  static func heldPatch(_ answer: [Int]?) -> Mutation<HeldValue>.Patch? {
    guard let patch = patch(answer) else { return nil }
    return { $0.modify(patch) }
  }
}
