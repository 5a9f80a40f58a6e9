import Loading

/// One event of a generated sequence.
///
/// Loads and mutations are referred to by an index that counts backwards from the newest and wraps
/// around. So every step stays valid when others are removed from the sequence to shorten it.
enum Step: Sendable {
  case load(LoadPolicy)
  case loadOther(LoadPolicy, isDebounced: Bool)
  case retry, cancel, abandon, show, invalidate, reset
  case appear, disappear
  case setIdle, setLoading(Double?), setFailed, setLoaded
  case progress(Int, Double)
  case yield(Int)
  case phase(Int, LoadActivity.Phase)
  case attempt(Int, Int)
  case attemptFailed(Int)
  case finish(Int, hasValue: Bool)
  case fail(Int)
  case mutate(MutationPlan)
  case release(Int), releaseAll
  case undo(Int)
  case keep(Int, isRepeated: Bool)
  case commit(Int, hasAnswer: Bool)
  case commitFailed(Int)
  case retryMutation(Int)
  case dismiss(Int)
  /// Adds a part to the value that may have changes already which are being stored.
  case loadPart
  case advance(Int)
  /// Runs all tasks that are ready to run.
  case run
}

/// The properties of a generated mutation.
///
/// Its patch appends to the value, so that a patch that is applied twice, or not at all, is
/// noticed.
struct MutationPlan: Sendable, Hashable {
  var scope: Int
  var field: Int?
  var isOptimistic: Bool
  var isHeld: Bool
  var merges: Bool
  /// Whether it is ignored where there is no value.
  var needsValue = true
  /// What the patch appends; no other mutation appends the same.
  var payload: [Int] = []

  static let window = Duration.milliseconds(300)

  func isOfSameField(as other: MutationPlan) -> Bool {
    field != nil && field == other.field && scope == other.scope
  }
}

/// A fast random number generator that gives the same sequence for a seed on every machine
/// (SplitMix64).
struct Seeded: RandomNumberGenerator {
  private var state: UInt64

  init(_ seed: UInt64) {
    state = seed
  }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }

  /// Returns a number in 0..<bound: faster than the standard library's, with a bias that does not
  /// matter here.
  mutating func below(_ bound: Int) -> Int {
    Int(truncatingIfNeeded: (next() >> 33) % UInt64(bound))
  }

  mutating func chance(_ percent: Int) -> Bool { below(100) < percent }
}

extension Step {
  static func sequence(seed: UInt64, longest: Int) -> [Step] {
    var random = Seeded(seed)
    let count = 1 + random.below(longest)
    // Some are about merged changes of one field that are in a journal and fail in any order.
    guard seed / 4 % 8 == 7 else { return (0..<count).map { _ in random.step() } }
    return [.setLoaded] + (0..<count).map { _ in random.stepOfOneField() }
  }

  /// A sequence with a `run` after most of its steps, for tests with real tasks.
  static func sequenceWithTurns(seed: UInt64, longest: Int) -> [Step] {
    var random = Seeded(~seed)
    return sequence(seed: seed, longest: longest).flatMap { step in
      random.chance(60) ? [step, .run] : [step]
    }
  }
}

extension Seeded {
  /// The index of a load or mutation, counted backwards: mostly that of the newest.
  private mutating func recent() -> Int { chance(75) ? 0 : below(4) }

  private static let phases: [LoadActivity.Phase] = [
    .debouncing, .waiting, .running, .live, .paused(reason: "offline"),
  ]

  private mutating func policy() -> LoadPolicy {
    switch below(4) {
    case 0: .join
    case 1: .restart
    case 2: .drop
    default: .keepLatest
    }
  }

  private mutating func fraction() -> Double { Double(below(140)) / 100 - 0.2 }

  fileprivate mutating func step() -> Step {
    switch below(100) {
    case 0..<13: .load(policy())
    case 13..<17: .loadOther(policy(), isDebounced: chance(40))
    case 17..<21: .retry
    case 21..<24: .cancel
    case 24: .invalidate
    case 25: chance(50) ? .abandon : .show
    case 26: chance(60) ? .appear : .disappear
    case 27..<29: .reset
    case 29: .setIdle
    case 30: .setLoading(chance(50) ? fraction() : nil)
    case 31: .setFailed
    case 32..<36: .setLoaded
    case 36..<41: .progress(recent(), fraction())
    case 41..<45: .yield(recent())
    case 45..<47: .phase(recent(), Self.phases[below(5)])
    case 47..<49: .attempt(recent(), 1 + below(3))
    case 49..<51: .attemptFailed(recent())
    case 51..<61: .finish(recent(), hasValue: chance(85))
    case 61..<66: .fail(recent())
    case 66..<80: .mutate(plan())
    case 80..<82: .release(below(4))
    case 82: .releaseAll
    case 83..<85: .undo(below(4))
    case 85..<88: .keep(below(4), isRepeated: chance(20))
    case 88..<92: .commit(below(4), hasAnswer: chance(40))
    case 92..<95: .commitFailed(below(4))
    case 95: .retryMutation(below(3))
    case 96: chance(50) ? .retryMutation(below(3)) : .loadPart
    case 97: .dismiss(below(3))
    default: .advance(50 * (1 + below(10)))
    }
  }

  fileprivate mutating func stepOfOneField() -> Step {
    switch below(8) {
    case 0..<3:
      .mutate(
        MutationPlan(
          scope: 0, field: 0, isOptimistic: true, isHeld: false, merges: chance(90),
          needsValue: true))
    case 3, 4: .keep(below(2), isRepeated: false)
    case 5, 6: .commitFailed(below(4))
    default: chance(70) ? .retryMutation(below(4)) : step()
    }
  }

  private mutating func plan() -> MutationPlan {
    MutationPlan(
      scope: below(2), field: chance(50) ? below(2) : nil, isOptimistic: chance(80),
      isHeld: chance(25), merges: chance(30), needsValue: chance(70))
  }
}
