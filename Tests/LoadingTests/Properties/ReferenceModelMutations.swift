@testable import Loading

/// The value, and the mutations that change it, as computed from the log.
extension ReferenceModel {
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

  /// Whether the commit of a mutation is carried out when its task runs: not if the value was removed
  /// since it began.
  func carriesOut(_ number: Int) -> Bool { fate(number) == .committing }

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
  /// One that was retried, dismissed or replaced by a newer mutation of its field is not among
  /// them.
  var failed: [(number: Int, plan: MutationPlan)] {
    let changes = changes
    var failed: [(number: Int, plan: MutationPlan)] = []
    // What each failed mutation includes, by the numbers of the changes.
    var parts: [Int: [Int: [Int]]] = [:]
    for fact in log {
      switch fact {
      case .lost(let number):
        var plan = changes[number].plan
        let whole = changes.indices.filter { leader(of: $0, in: changes) == number }
        var own = Dictionary(uniqueKeysWithValues: whole.map { ($0, changes[$0].plan.payload) })
        var newest = number
        if let other = failed.firstIndex(where: { $0.plan.isOfSameField(as: plan) }) {
          let removed = failed[other]
          newest = max(removed.number, number)
          if newest == number { failed.remove(at: other) } else { plan = removed.plan }
          let others = parts[removed.number] ?? [:]
          if plan.merges {
            own.merge(others) { own, _ in own }
          } else if newest != number {
            own = others
          }
        }
        parts[newest] = own
        plan.payload = own.sorted { $0.key < $1.key }.flatMap(\.value)
        if let index = failed.firstIndex(where: { $0.number == newest }) {
          failed[index].plan = plan
        } else {
          failed.append((newest, plan))
        }
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

  /// Which mutations are pending, committing or kept in a journal after a part of the log, and
  /// whether the value may contain kept ones already.
  private struct Knowledge {
    var (pending, committing, kept): (Set<Int>, Set<Int>, Set<Int>) = ([], [], [])
    var hasValue = false
    /// Whether the value or a part of it came while mutations were being sent that are still shown
    /// over it: the server may have applied them before it answered.
    var isProvisional = false
    private var count = 0

    /// Whether another loader has replaced that of the value: mutations of the value have to be
    /// stored before the next one replaces it.
    var hasEarlierValue = false

    var overlapsLoads: Bool {
      !committing.isEmpty || !kept.isEmpty && hasValue
        || hasEarlierValue && !pending.subtracting(kept).isEmpty
    }

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
      case .value: (hasValue, hasEarlierValue, isProvisional) = (true, false, !kept.isEmpty)
      case .cleared, .reset: (hasValue, hasEarlierValue, isProvisional) = (false, false, false)
      case .loader: hasEarlierValue = hasValue
      case .partLoaded: isProvisional = true
      case .began: if pending.isEmpty { isProvisional = false }
      default: break
      }
      return false
    }
  }

  /// Whether the value may contain mutations that are also shown over it, so that it has to be
  /// loaded again when they were sent.
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
}
