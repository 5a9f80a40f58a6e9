@testable import Loading

/// A simple, slow model of a resource, with which property tests compare the real one.
///
/// Its only state is a log of what has happened. Each property is computed from the log, and each
/// event reads these properties and appends to the log. It shares no code with the reducer, so that
/// both are unlikely to have the same mistake.
struct ReferenceModel {
  enum Fact {
    /// A load began; loads are numbered from 0.
    case began(Int, LoadActivity.Cause)
    /// Another loader has replaced the one before.
    case loader(isDebounced: Bool)
    /// A loading state was set by the program; no load runs for it.
    case published(Double?)
    /// What ran has ended: a load, a subscription or a loading state that was set.
    case ended
    case phase(LoadActivity.Phase)
    case progress(Double)
    case attempt(Int)
    case attemptFailed(Int)
    /// A load was requested that starts when the running one has ended.
    case queued(LoadActivity.Cause, isDebounced: Bool?)
    case value([Int])
    case failure(Int)
    case cancelled(wasLoading: Bool)
    /// A state was set.
    case set
    case cleared
    case reset
    case mutation(MutationPlan)
    case windowOver(Int)
    case committing(Int)
    /// The mutation was written into a journal; repeated if an earlier attempt had done that already.
    case kept(Int, isRepeated: Bool)
    case stored(Int, answer: [Int]?)
    case lost(Int)
    /// The mutation was undone, or superseded by a newer one.
    case gone(Int)
    /// The patch of the first mutation became a part of the second, newer one.
    case merged(Int, into: Int)
    /// A failed mutation was retried as a part of one that waits: that appends this payload, too.
    case carried([Int], by: Int)
    case retried(Int)
    case dismissed(Int)
    case appeared
    case disappeared
    /// Whether no view shows the resource: the last one has disappeared, or one has appeared again.
    case unseen(Bool)
    /// A subscription was paused because no view shows it.
    case hidden
    /// A load that only waited was ended because no view showed it.
    case givenUp(LoadActivity.Cause)
  }

  var log: [Fact] = []
  let errorPolicy: ErrorPolicy

  init(errorPolicy: ErrorPolicy) {
    self.errorPolicy = errorPolicy
  }

  // MARK: What runs

  var loadCount: Int {
    log.count { if case .began = $0 { true } else { false } }
  }

  /// What a backward search in the log concludes from one fact.
  private enum Finding<Answer> {
    case answer(Answer?)
    case readOn
  }

  /// Searches the log backwards, from its end to `start`, until `find` returns an answer.
  private func newest<Answer>(
    since start: Int = 0, _ find: (Int, Fact) -> Finding<Answer>
  ) -> Answer? {
    var index = log.count
    while index > start {
      index -= 1
      if case .answer(let answer) = find(index, log[index]) { return answer }
    }
    return nil
  }

  /// The index in the log at which the load, subscription or published state that runs now began.
  var runningSince: Int? {
    newest { index, fact in
      switch fact {
      case .began, .published, .hidden: .answer(index)
      case .ended: .answer(nil)
      default: .readOn
      }
    }
  }

  /// The number of the load that runs now; nil if none does, or if a loading state was set.
  var running: Int? {
    guard let index = runningSince, case .began(let number, _) = log[index] else { return nil }
    return number
  }

  var cause: LoadActivity.Cause? {
    guard let index = runningSince, case .began(_, let cause) = log[index] else { return nil }
    return cause
  }

  var phase: LoadActivity.Phase? {
    guard let start = runningSince else { return nil }
    return newest(since: start) { _, fact in
      switch fact {
      case .hidden: .answer(.paused(reason: "hidden"))
      case .phase(let phase): .answer(phase)
      case .attempt: .answer(.running)
      case .attemptFailed: .answer(.backoff)
      default: .readOn
      }
    } ?? .running
  }

  var isPaused: Bool { phase == .paused(reason: "offline") }

  /// Whether a subscription runs that has delivered a value.
  var hasDelivered: Bool {
    guard let start = runningSince else { return false }
    return log[start...].contains { if case .phase(.live) = $0 { true } else { false } }
  }

  var isLoading: Bool { phase.map { $0 != .live && !isHidden } ?? false }

  /// Whether a subscription is paused until a view shows it.
  var isHidden: Bool {
    guard let start = runningSince, case .hidden = log[start] else { return false }
    return true
  }

  /// Whether the last viewer has left.
  var isUnseen: Bool {
    newest { _, fact in
      if case .unseen(let isUnseen) = fact { .answer(isUnseen) } else { .readOn }
    } ?? false
  }

  /// Whether the last viewer has left since the load that runs began.
  var isAbandoned: Bool {
    guard let start = runningSince else { return false }
    return newest(since: start) { _, fact in
      if case .unseen(let isUnseen) = fact { .answer(isUnseen) } else { .readOn }
    } ?? false
  }

  /// Why the next viewer starts a load that was given up.
  var owed: LoadActivity.Cause? {
    newest { _, fact in
      switch fact {
      case .givenUp(let cause): .answer(cause)
      case .began, .set, .reset: .answer(nil)
      default: .readOn
      }
    }
  }

  var attempt: Int? {
    guard let start = runningSince else { return nil }
    return newest(since: start) { _, fact in
      if case .attempt(let number) = fact { .answer(number) } else { .readOn }
    } ?? 1
  }

  var progress: Double? {
    guard let start = runningSince else { return nil }
    var best: Double?
    for fact in log[start...] {
      switch fact {
      case .published(let fraction): best = fraction.map { min(max($0, 0), 1) }
      case .progress(let fraction): best = max(best ?? 0, min(max(fraction, 0), 1))
      case .attempt, .attemptFailed: best = nil
      default: continue
      }
    }
    return best
  }

  var queued: (cause: LoadActivity.Cause, isDebounced: Bool?)? {
    guard let start = runningSince else { return nil }
    return newest(since: start) { _, fact in
      if case .queued(let cause, let isDebounced) = fact {
        .answer((cause, isDebounced))
      } else {
        .readOn
      }
    }
  }

  /// Whether the current loader is debounced.
  var isDebounced: Bool {
    newest { _, fact in
      if case .loader(let isDebounced) = fact { .answer(isDebounced) } else { .readOn }
    } ?? false
  }

  var viewerCount: Int {
    log.reduce(0) { count, fact in
      switch fact {
      case .appeared: count + 1
      case .disappeared: max(0, count - 1)
      default: count
      }
    }
  }

  var wasCancelled: Bool {
    newest { _, fact in
      switch fact {
      case .cancelled(let wasLoading): .answer(wasLoading)
      case .began, .set, .reset: .answer(false)
      default: .readOn
      }
    } ?? false
  }

  /// Whether the last load was a subscription that was cancelled after it had delivered.
  var lostSubscription: Bool {
    newest { _, fact in
      switch fact {
      case .cancelled(let wasLoading): .answer(!wasLoading)
      case .began, .set, .reset: .answer(false)
      default: .readOn
      }
    } ?? false
  }

  // MARK: What came

  /// The errors since the last success, oldest first.
  var failures: [Int] {
    var failures: [Int] = []
    for fact in log {
      switch fact {
      case .failure(let number): failures.append(number)
      case .value, .cleared, .reset: failures = []
      default: continue
      }
    }
    return failures
  }

  /// Whether the last outcome was a value rather than a failure; nil before the first.
  var settledWell: Bool? {
    newest { _, fact in
      switch fact {
      case .value: .answer(true)
      case .failure: .answer(false)
      case .cleared, .reset: .answer(nil)
      default: .readOn
      }
    }
  }

  /// The failure of an earlier attempt of the running load, unless a value has come since.
  var attemptError: Int? {
    guard let start = runningSince else { return nil }
    return newest(since: start) { _, fact in
      switch fact {
      case .attemptFailed(let number): .answer(number)
      case .value: .answer(nil)
      default: .readOn
      }
    }
  }

  // MARK: Values and mutations

  var valueIndex: Int? {
    newest { index, fact in
      switch fact {
      case .value: .answer(index)
      case .cleared, .reset: .answer(nil)
      default: .readOn
      }
    }
  }

  var value: [Int]? {
    guard let start = valueIndex, case .value(var value) = log[start] else { return nil }
    let changes = changes
    for number in changes.indices {
      let whole = leader(of: number, in: changes)
      switch changes[whole].fate {
      case .gone, .lost, .merged: continue
      case .stored(let index, let answer):
        if index > start { value += stored(number, answer, in: changes) }
      case .held, .waiting, .committing, .kept:
        if changes[whole].plan.isOptimistic { value += changes[number].plan.payload }
      }
    }
    return value
  }

  /// What a mutation appends after it, or the one that it was merged into, was stored.
  private func stored(_ number: Int, _ answer: [Int]?, in changes: [Change]) -> [Int] {
    guard let answer else { return changes[number].plan.payload }
    return leader(of: number, in: changes) == number ? answer : []
  }

  /// The value that the commit of a mutation has to store: with all patches up to its own.
  func value(through last: Int) -> [Int]? {
    guard let start = valueIndex, case .value(var value) = log[start] else { return nil }
    let changes = changes
    for number in changes.indices where number <= last {
      let whole = leader(of: number, in: changes)
      switch changes[whole].fate {
      case .gone, .lost, .merged: continue
      case .stored(let index, let answer):
        if index > start { value += stored(number, answer, in: changes) }
      case .held, .waiting, .committing, .kept:
        if changes[whole].plan.isOptimistic || whole == last {
          value += changes[number].plan.payload
        }
      }
    }
    return value
  }

  /// The value that is shown, given the latest one: nil where a failure replaces it.
  func valid(_ value: [Int]?) -> [Int]? {
    if failures.isEmpty { return value }
    return errorPolicy == .replace || failedAfterChange ? nil : value
  }

  /// Whether the latest value came from an earlier loader.
  var showsEarlierInput: Bool {
    guard let valueIndex else { return false }
    return changeIndex.map { $0 > valueIndex } ?? false
  }

  /// Whether the current loader has failed and has never brought a value.
  private var failedAfterChange: Bool {
    guard showsEarlierInput, let changeIndex else { return false }
    return log[changeIndex...].contains { if case .failure = $0 { true } else { false } }
  }

  private var changeIndex: Int? {
    newest { index, fact in
      if case .loader = fact { .answer(index) } else { .readOn }
    }
  }

  enum Fate: Equatable {
    case held, waiting, committing, kept, gone, lost
    case stored(Int, answer: [Int]?)
    case merged(into: Int)

    var isPending: Bool {
      switch self {
      case .held, .waiting, .committing, .kept: true
      case .gone, .lost, .stored, .merged: false
      }
    }
  }

  typealias Change = (plan: MutationPlan, fate: Fate)

  /// The mutation that this one was merged into, or else itself.
  func leader(of number: Int, in changes: [Change]) -> Int {
    if case .merged(let newer) = changes[number].fate {
      leader(of: newer, in: changes)
    } else {
      number
    }
  }

  /// All mutations, in the order in which they began, and what became of each.
  var changes: [Change] {
    var changes: [Change] = []
    for index in 0..<log.count {
      switch log[index] {
      case .mutation(let plan): changes.append((plan, plan.isHeld ? .held : .waiting))
      case .windowOver(let number): changes[number].fate = .waiting
      case .committing(let number): changes[number].fate = .committing
      case .kept(let number, _): changes[number].fate = .kept
      case .stored(let number, let answer): changes[number].fate = .stored(index, answer: answer)
      case .lost(let number): changes[number].fate = .lost
      case .gone(let number): changes[number].fate = .gone
      case .merged(let number, let newer): changes[number].fate = .merged(into: newer)
      case .carried(let payload, let number):
        changes[number].plan.payload.insert(contentsOf: payload, at: 0)
      default: continue
      }
    }
    return changes
  }

  func fate(_ number: Int) -> Fate { changes[number].fate }

  var pending: [Int] {
    changes.enumerated().filter(\.element.fate.isPending).map(\.offset)
  }

  var mutationCount: Int {
    log.count { if case .mutation = $0 { true } else { false } }
  }

  var lostCount: Int {
    log.count { if case .lost = $0 { true } else { false } }
  }

  /// The failed mutations that the user can retry, in the order in which they failed, each with the
  /// mutation that a retry begins.
  ///
  /// One that was retried, dismissed or replaced by a newer mutation of its field is not among them.
  var failed: [(number: Int, plan: MutationPlan)] {
    let changes = changes
    var failed: [(number: Int, plan: MutationPlan)] = []
    for fact in log {
      switch fact {
      case .lost(let number):
        var plan = changes[number].plan
        plan.payload = changes.indices.filter { leader(of: $0, in: changes) == number }
          .flatMap { changes[$0].plan.payload }
        if let older = failed.firstIndex(where: { $0.plan.isOfSameField(as: plan) }) {
          let older = failed.remove(at: older)
          if plan.merges { plan.payload = older.plan.payload + plan.payload }
        }
        failed.append((number, plan))
      case .retried(let number), .dismissed(let number): failed.removeAll { $0.number == number }
      case .stored(let number, _):
        let plan = changes[number].plan
        failed.removeAll { $0.number < number && $0.plan.isOfSameField(as: plan) }
      default: continue
      }
    }
    return failed
  }

  /// The pending mutations that are in no journal, so that they would be lost with the process.
  var unkept: [Int] {
    changes.enumerated().filter { $0.element.fate.isPending && $0.element.fate != .kept }
      .map(\.offset)
  }

  /// Which mutations are pending, committing or kept in a journal after a part of the log, and whether
  /// the value may contain kept ones already.
  private struct Knowledge {
    var (pending, committing, kept): (Set<Int>, Set<Int>, Set<Int>) = ([], [], [])
    var hasValue = false
    /// Whether the value came after mutations were kept that are still shown over it: the server may
    /// have applied them before it answered.
    var isProvisional = false
    private var count = 0

    var overlapsLoads: Bool { !committing.isEmpty || !kept.isEmpty && hasValue }

    /// Adds the next fact; returns whether it ends a mutation that was being committed or was kept.
    mutating func takes(_ fact: Fact) -> Bool {
      switch fact {
      case .mutation:
        pending.insert(count)
        count += 1
      case .committing(let number): committing.insert(number)
      case .kept(let number, let isRepeated):
        committing.remove(number)
        kept.insert(number)
        if isRepeated, hasValue { isProvisional = true }
      case .gone(let number), .merged(let number, _): pending.remove(number)
      case .stored(let number, _), .lost(let number):
        pending.remove(number)
        let wasSent = committing.remove(number) != nil
        return kept.remove(number) != nil || wasSent
      case .value: (hasValue, isProvisional) = (true, !kept.isEmpty)
      case .cleared, .reset: (hasValue, isProvisional) = (false, false)
      case .began: if pending.isEmpty { isProvisional = false }
      default: break
      }
      return false
    }
  }

  /// Whether the value may contain mutations that are also shown over it, so that it has to be loaded
  /// again when they have arrived.
  var isProvisional: Bool {
    var knowledge = Knowledge()
    for fact in log { _ = knowledge.takes(fact) }
    return knowledge.isProvisional
  }

  /// Whether the answer of a load that runs now may or may not contain a mutation.
  var overlapsLoads: Bool {
    var knowledge = Knowledge()
    for fact in log { _ = knowledge.takes(fact) }
    return knowledge.overlapsLoads
  }

  /// Whether a mutation has overlapped the running load since that began.
  var isOverlapped: Bool {
    guard let start = runningSince else { return false }
    var knowledge = Knowledge()
    for index in log.indices {
      let isEnd = knowledge.takes(log[index])
      if index >= start, isEnd || knowledge.overlapsLoads { return true }
    }
    return false
  }

  // MARK: Projections

  func projection(_ value: [Int]?) -> LoadingState<[Int]> {
    valid(value).map { .loaded($0) } ?? emptyProjection ?? .idle
  }

  func strictProjection(_ value: [Int]?) -> LoadingState<[Int]> {
    emptyProjection ?? value.map { .loaded($0) } ?? .idle
  }

  /// The state if there were no value: loading, failed, or nil for idle.
  private var emptyProjection: LoadingState<[Int]>? {
    if isLoading { return .loading(progress.map { LoadingProgress(fraction: $0) }) }
    return failures.last.map { .failed(Broken("\($0)")) }
  }

  var currentFailure: (error: Int, count: Int)? {
    if isLoading { return attemptError.map { ($0, failures.count) } }
    return failures.last.map { ($0, failures.count) }
  }
}
