import LoadingTesting

@testable import Loading

/// Performs the same steps on a resource with real tasks and on the reference model, and reports
/// the first difference.
///
/// The model has no tasks. A queue of jobs stands for the resource's executor, so that what a load
/// sends reaches the model in the same order as it reaches the resource.
@MainActor
struct ResourceHarness {
  private enum Job {
    case load(Int)
    case answer(Int, LoadAnswer)
    case mail(Int)
    case lastMail(Int, LoadAnswer)
    case commit(Int)
    case commitAnswer(Int, CommitAnswer)
    case commitMail(Int, CommitAnswer)
    case keepMail(Int, isRepeated: Bool)
    case hold(Int, until: AnyClock.Instant)
    case wake(Int)
    case releaseMail(Int)
  }

  private enum LoadAnswer {
    case value([Int])
    case error(Int)
  }

  private enum CommitAnswer {
    case stored([Int]?)
    case error
  }

  private let runtime = ManualRuntime()
  private let loads = ManualLoads<[Int]>()
  private let commits = ManualCalls<[Int], Mutation<[Int]>.Patch?>()
  /// The commit point of each commit that was called: passing it says that the mutation is kept.
  private let points = Lock<[CommitPoint]>([])
  private let resource: Resource<[Int]>
  private let debounced: Loader<[Int]>

  private var model: ReferenceModel
  private var queue: [Job] = []
  private var seenFacts = 0
  /// The numbers of the loads, and of the mutations, whose functions were called, in that order.
  private var calledLoads: [Int] = []
  private var calledCommits: [Int] = []
  private var answeredLoads: Set<Int> = []
  private var answeredCommits: Set<Int> = []
  private var mail: [Int: [ReferenceModel.Fact]] = [:]
  private var sleepers: [(mutation: Int, deadline: AnyClock.Instant)] = []
  private var mutations: [PendingMutation.ID] = []
  private var nextNumber = 0
  private var wrongCommit: String?

  init(errorPolicy: ErrorPolicy) {
    model = ReferenceModel(errorPolicy: errorPolicy)
    resource = runtime.resource(loads.loader, errorPolicy: errorPolicy)
    // Replaces a running load, as every debounced loader does, but without the wait.
    debounced = Loader(LoaderTraits(demandsRestart: true)) { [loader = loads.loader] in
      try await loader.run($0, $1)
    }
  }

  /// Performs the steps one after the other; returns the first difference, or what was left alive
  /// at the end, or nil.
  static func difference(in steps: [Step], errorPolicy: ErrorPolicy) -> String? {
    weak var leaked: Resource<[Int]>?
    let runtime: ManualRuntime
    do {
      var harness = ResourceHarness(errorPolicy: errorPolicy)
      leaked = harness.resource
      runtime = harness.runtime
      for step in steps {
        harness.perform(step)
        if let difference = harness.difference() {
          harness.end()
          return difference
        }
      }
      harness.end()
    }
    runtime.run()
    if leaked != nil { return "the resource is still alive" }
    return runtime.leftovers.map { "left behind: \($0)" }
  }

  /// Resets the resource and ends all loads and commits, so that nothing may be left alive.
  private func end() {
    resource.reset()
    for _ in 0..<4 {
      runtime.run()
      loads.end()
      commits.end()
    }
    runtime.run()
    // Each retains the resource.
    points.withLock { $0 = [] }
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

  // MARK: Steps

  private mutating func perform(_ step: Step) {
    switch step {
    case .load(let policy):
      resource.load(policy)
      model.load(policy, .user)
    case .loadOther(let policy, let isDebounced):
      resource.load(isDebounced ? debounced : loads.loader, policy)
      model.load(policy, .inputChanged, isDebounced: isDebounced)
    case .retry:
      resource.retry()
      model.retry()
    case .cancel:
      resource.cancel()
      model.cancel()
    case .abandon:
      resource.apply(.abandon)
      model.abandon()
    case .show:
      resource.apply(.show)
      model.show()
    case .appear:
      resource.appear()
      model.appear()
    case .disappear:
      resource.disappear()
      model.disappear()
    case .invalidate:
      resource.invalidate()
      model.invalidate()
    case .loadPart:
      resource.apply(.update({ _ in }, needsReload: true))
      model.loadPart()
    case .reset:
      resource.reset()
      model.reset()
    case .setIdle: set(.idle)
    case .setLoading(let fraction): set(.loading(fraction.map { LoadingProgress(fraction: $0) }))
    case .setFailed: set(.failed(Broken("\(nextNumber + 1)")))
    case .setLoaded: set(.loaded([number()]))
    case .advance(let milliseconds): advance(by: .milliseconds(milliseconds))
    case .run: run()
    default: if !performLoadStep(step) { performMutationStep(step) }
    }
    follow()
  }

  private mutating func set(_ value: LoadingState<[Int]>) {
    resource.set(value)
    model.set(value, error: value.isFailed ? number() : 0)
  }

  private mutating func performLoadStep(_ step: Step) -> Bool {
    switch step {
    case .progress(let ago, let fraction):
      tell(ago, .progress(fraction)) { $0.context.report(fraction: fraction) }
    case .yield(let ago):
      let value = [number()]
      tell(ago, .value(value)) { $0.output.yield(value) }
    case .phase(let ago, let phase): tell(ago, .phase(phase)) { $0.context.send(.phase(phase)) }
    case .attempt(let ago, let attempt):
      tell(ago, .attempt(attempt)) { $0.context.send(.attempt(attempt, limit: 3)) }
    case .attemptFailed(let ago):
      let error = number()
      let now = runtime.clock.now
      tell(ago, .attemptFailed(error)) {
        $0.context.send(.attemptFailed(Broken("\(error)"), nextAt: now))
      }
    case .finish(let ago, _):
      let value = [number()]
      guard let (call, load) = recent(calledLoads, ago), answeredLoads.insert(load).inserted
      else { break }
      loads[call].succeed(value)
      queue.append(.answer(load, .value(value)))
    case .fail(let ago):
      let error = number()
      guard let (call, load) = recent(calledLoads, ago), answeredLoads.insert(load).inserted
      else { break }
      loads[call].fail(Broken("\(error)"))
      queue.append(.answer(load, .error(error)))
    default: return false
    }
    return true
  }

  private mutating func tell(
    _ ago: Int, _ fact: ReferenceModel.Fact, send: (ManualLoads<[Int]>.Call) -> Void
  ) {
    guard let (call, load) = recent(calledLoads, ago) else { return }
    send(loads[call])
    if mail[load] == nil { queue.append(.mail(load)) }
    mail[load, default: []].append(fact)
  }

  private mutating func performMutationStep(_ step: Step) {
    switch step {
    case .mutate(var plan):
      plan.payload = [number()]
      begun(
        resource.mutate(
          Mutation(
            plan,
            commit: { [commits, points] value in
              if let point = CommitPoint.current { points.withLock { $0.append(point) } }
              return try await commits.call(value)
            })))
      model.mutate(plan)
    case .releaseAll:
      resource.commitHeldMutations()
      for number in 0..<model.mutationCount {
        model.release(number)
        model.settle()
      }
    case .release: advance(by: MutationPlan.window)
    case .undo(let ago):
      guard let (index, id) = recent(mutations, ago) else { return }
      resource.undo(id)
      model.undo(index)
    case .keep(let ago, let isRepeated):
      guard let (call, mutation) = recent(calledCommits, ago) else { return }
      points.withLock { $0[call] }.pass(isRepeated)
      queue.append(.keepMail(mutation, isRepeated: isRepeated))
    case .commit(let ago, let hasAnswer):
      let answer = hasAnswer ? [number()] : nil
      guard let (call, mutation) = recent(calledCommits, ago),
        answeredCommits.insert(mutation).inserted
      else { return }
      commits[call].succeed(Mutation.patch(answer))
      queue.append(.commitAnswer(mutation, .stored(answer)))
    case .commitFailed(let ago):
      guard let (call, mutation) = recent(calledCommits, ago),
        answeredCommits.insert(mutation).inserted
      else { return }
      commits[call].fail(Broken())
      queue.append(.commitAnswer(mutation, .error))
    case .retryMutation(let ago):
      guard let (index, id) = recent(mutations, ago) else { return }
      begun(resource.retryMutation(id))
      model.retryMutation(index)
    case .dismiss(let ago):
      guard let (index, id) = recent(mutations, ago) else { return }
      resource.dismissMutation(id)
      model.dismiss(index)
    default: break
    }
  }

  private mutating func begun(_ id: PendingMutation.ID?) {
    if let id, !mutations.contains(id) { mutations.append(id) }
  }

  private mutating func advance(by duration: Duration) {
    runtime.clock.advance(by: duration)
    let now = runtime.clock.now
    let due = sleepers.enumerated().filter { $0.element.deadline <= now }
      .sorted { ($0.element.deadline, $0.offset) < ($1.element.deadline, $1.offset) }
    sleepers.removeAll { $0.deadline <= now }
    queue += due.map { .wake($0.element.mutation) }
  }

  // MARK: The model's executor

  private mutating func run() {
    runtime.run()
    follow()
    while !queue.isEmpty {
      switch queue.removeFirst() {
      case .load(let load): calledLoads.append(load)
      case .answer(let load, let answer): queue.append(.lastMail(load, answer))
      case .mail(let load): read(from: load)
      case .lastMail(let load, let answer):
        read(from: load)
        switch answer {
        case .value(let value): model.finish(load, value)
        case .error(let error): model.fail(load, error)
        }
      case .commit(let mutation):
        if model.carriesOut(mutation) { calledCommits.append(mutation) }
      case .commitAnswer(let mutation, let answer): queue.append(.commitMail(mutation, answer))
      case .commitMail(let mutation, .stored(let answer)): model.commit(mutation, answer: answer)
      case .commitMail(let mutation, .error): model.commitFailed(mutation)
      case .keepMail(let mutation, let isRepeated):
        model.keep(mutation, isRepeated: isRepeated)
      case .hold(let mutation, let deadline):
        guard model.fate(mutation) == .held else { break }
        if deadline <= runtime.clock.now {
          queue.append(.releaseMail(mutation))
        } else {
          sleepers.append((mutation, deadline))
        }
      case .wake(let mutation): queue.append(.releaseMail(mutation))
      case .releaseMail(let mutation): model.release(mutation)
      }
      follow()
    }
  }

  private mutating func read(from load: Int) {
    for fact in mail.removeValue(forKey: load) ?? [] {
      model.tell(load, fact)
      follow()
    }
  }

  /// Queues the jobs of the loads, commits and undo windows that began with the newest facts.
  private mutating func follow() {
    model.settle()
    while seenFacts < model.log.count {
      let fact = model.log[seenFacts]
      seenFacts += 1
      switch fact {
      case .began(let load, _): queue.append(.load(load))
      case .committing(let mutation): queue.append(.commit(mutation))
      case .mutation(let plan) where plan.isHeld:
        let number = model.mutationCount - 1
        queue.append(
          .hold(number, until: runtime.clock.now.advanced(by: MutationPlan.window)))
      default: break
      }
    }
  }

  // MARK: Comparing

  private func difference() -> String? {
    let value = model.value
    let (shown, expected) = (resource.state, model.projection(value))
    if shown != expected { return "the state is \(shown), not \(expected)" }
    if resource.strictState != model.strictProjection(value) {
      return "the strict state is \(resource.strictState)"
    }
    if resource.showsEarlierInput != model.showsEarlierInput {
      return "of an earlier input: \(resource.showsEarlierInput)"
    }
    if resource.isLoading != model.isLoading { return "loading is \(resource.isLoading)" }
    if resource.activity?.phase != model.phase {
      return "the phase is \(resource.activity?.phase as Any), not \(model.phase as Any)"
    }
    let failureCount = resource.failure?.failureCount ?? 0
    if failureCount != model.failures.count {
      return "\(failureCount) failures, not \(model.failures.count)"
    }
    if resource.wasCancelled != model.wasCancelled { return "cancelled or not" }
    if loads.count != calledLoads.count {
      return "\(loads.count) loads were called, not \(calledLoads.count)"
    }
    if commits.count != calledCommits.count {
      return "\(commits.count) commits were called, not \(calledCommits.count)"
    }
    if mutations.count != model.mutationCount { return "another number of mutations" }
    if resource.pendingMutations.map(\.id) != model.pending.map({ mutations[$0] }) {
      return "pending are \(resource.pendingMutations), not \(model.pending)"
    }
    if resource.failedMutations.map(\.id) != model.failed.map({ mutations[$0.number] }) {
      return "failed are \(resource.failedMutations.map(\.id)), not \(model.failed)"
    }
    if runtime.clock.sleeperCount > sleepers.count {
      return "\(runtime.clock.sleeperCount) sleep, not \(sleepers.count)"
    }
    return nil
  }
}
