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
    /// The load that is about to end was not stopped: it has come to its end by itself.
    case over
    case phase(LoadActivity.Phase)
    case progress(Double)
    case attempt(Int)
    case attemptFailed(Int)
    /// A load was requested that starts when the running one has ended.
    case queued(LoadActivity.Cause, isDebounced: Bool?)
    case value([Int])
    case failure(Int)
    case cancelled(wasLoading: Bool)
    case set
    case cleared
    case reset
    case mutation(MutationPlan)
    case windowOver(Int)
    case committing(Int)
    /// The mutation was written into a journal; repeated if an earlier attempt had done that
    /// already.
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
    /// The user has joined the running load.
    case joined(LoadActivity.Cause)
    /// Whether no view shows the resource: the last one has disappeared, or one has appeared again.
    case unseen(Bool)
    /// A subscription was paused because no view shows it.
    case hidden
    /// A load that only waited was ended because no view showed it.
    case givenUp(LoadActivity.Cause)
    /// The value is out of date.
    case invalidated
    /// A part of the value was loaded while changes were being stored; it may have them already.
    case partLoaded
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
  enum Finding<Answer> {
    case answer(Answer?)
    case readOn
  }

  /// Searches the log backwards, from its end to `start`, until `find` returns an answer.
  func newest<Answer>(
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

  /// Whether the load that runs has brought a value.
  var hasValue: Bool {
    guard let start = runningSince else { return false }
    return log[start...].contains { if case .value = $0 { true } else { false } }
  }

  /// Why the user has joined the load that runs and has not delivered since.
  var joinedBy: LoadActivity.Cause? {
    guard let start = runningSince else { return nil }
    return newest(since: start) { _, fact in
      switch fact {
      case .joined(let cause): .answer(cause)
      case .phase(.live): .answer(nil)
      default: .readOn
      }
    }
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

  /// The index in the log of the newest invalidation, unless a load that began after it has brought
  /// a value and has ended well, or is a subscription that has delivered.
  private var invalidSince: Int? {
    guard
      let start = log.lastIndex(where: { if case .invalidated = $0 { true } else { false } })
    else { return nil }
    var hasBegun = false
    var hasValue = false
    for fact in log[start...] {
      switch fact {
      case .began: (hasBegun, hasValue) = (true, false)
      case .value: hasValue = hasBegun
      case .failure: hasValue = false
      case .over where hasValue, .phase(.live) where hasValue: return nil
      case .set, .reset: return nil
      default: continue
      }
    }
    return start
  }

  /// Why the next viewer starts a load: the value is invalid and no load is to replace it, or a load
  /// was given up.
  var owed: LoadActivity.Cause? {
    if let invalidSince, running == nil || runningSince.map({ $0 < invalidSince }) ?? true {
      return .invalidated
    }
    return newest { _, fact in
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

  /// Whether nothing runs although a subscription has delivered, after which no load has come to its
  /// end.
  var lostSubscription: Bool {
    guard runningSince == nil else { return false }
    return newest { _, fact in
      switch fact {
      case .phase(.live): .answer(true)
      case .over, .cleared, .reset: .answer(false)
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
