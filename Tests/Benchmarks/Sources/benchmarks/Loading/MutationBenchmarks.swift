import Loading
import LoadingTesting

/// Mutations that are pending on one value, all at once.
extension LoadingBenchmarks {
  static func mutations() async throws -> Table {
    var table = Table("cost of a mutation", "1", "10", "100", "1,000", "1,000 to 10", "linear")
    let counts = [1, 10, 100, 1_000]
    for step in MutationStep.allCases {
      var costs: [Double] = []
      let rounds = try await Rounds(
        5,
        counts.map { count in Contender(name: "\(count)") { try cost(of: step, pending: count) } }
      )
      for index in counts.indices { costs.append(rounds.median(index)) }
      let growth = rounds.ratio(3, to: 1)
      table.row(
        [step.rawValue] + costs.map { Unit.seconds.text($0) }
          + [growth.formatted(decimals: 2), isLinear(growth)])
    }
    table.note("each on its own element of an array of 1,000; states() is followed")
    table.note("1,000 to 10: about 1 is linear in all, 100 is quadratic")
    table.note("rolled back: all fail in one turn, and those that are left are replayed once")
    return table
  }

  /// Edits of one field, as by typing, while the commit of the first one hangs.
  static func edits() async throws -> Table {
    let counts = [1_000, 10_000, 100_000]
    var table = Table("cost of an edit", "1,000", "10,000", "100,000", "100,000 to 1,000", "linear")
    for overwrites in [false, true] {
      let rounds = try await Rounds(
        5,
        counts.map { count in
          Contender(name: "\(count)") { try cost(ofEdits: count, overwrites: overwrites) }
        })
      let growth = rounds.ratio(2, to: 0)
      table.row(
        [overwrites ? "a field is set" : "a field is added to"]
          + counts.indices.map { Unit.seconds.text(rounds.median($0)) }
          + [growth.formatted(decimals: 2), isLinear(growth)])
    }
    table.note("all edits are pending while the first commit hangs; then they are committed as one")
    return table
  }

  private static func isLinear(_ growth: Double) -> String { growth < 4 ? "yes" : "no" }

  @MainActor
  private static func cost(ofEdits count: Int, overwrites: Bool) throws -> Double {
    let runtime = ManualRuntime()
    let resource = runtime.resource(initialState: .loaded(0))
    let commits = ManualCalls<Int, Void>()
    guard let number = resource.access(commit: { try await commits.call($0.value) }) else {
      throw HarnessError.wrong("there is no value")
    }
    let clock = ContinuousClock()
    let start = clock.now
    for edit in 1...count {
      number.modify(overwrites: overwrites) { value in value = overwrites ? edit : value + 1 }
      if edit == 1 { runtime.run() }
    }
    for _ in 0..<2 {
      commits.latest?.succeed()
      runtime.run()
    }
    let end = clock.now
    guard commits.inputs == [1, count], resource.latestValue == count else {
      throw HarnessError.wrong("edits were lost")
    }
    return (end - start) / .seconds(1) / Double(count)
  }

  /// Seconds a mutation, of so many that are pending at once.
  private static func cost(of step: MutationStep, pending count: Int) throws -> Double {
    // Few are repeated, so that the clock has something to measure.
    let repetitions = max(1, 1_000 / count)
    var total = 0.0
    for _ in 0..<repetitions { total += try step.measure(count) }
    return total / Double(repetitions * count)
  }
}

/// What happens to mutations.
private enum MutationStep: String, CaseIterable {
  case begin = "begun"
  case commitInOrder = "committed, one scope"
  case commitInParallel = "committed, a scope each"
  case rollBack = "rolled back"

  @MainActor
  func measure(_ count: Int) throws -> Double {
    let runtime = ManualRuntime()
    let resource = runtime.resource(initialState: .loaded(Array(repeating: 0, count: 1_000)))
    // Somebody follows, so that every step makes the value that it leaves.
    let followed = resource.states()
    defer { withExtendedLifetime(followed) {} }
    let fails = self == .rollBack
    var sum = 0
    func begin() {
      for index in 0..<count {
        let item = self == .commitInOrder ? nil : index
        resource.mutate(item: item) {
          $0[index] += 1
        } commit: { _ in
          if fails { throw Refused() }
        }
        sum += resource.state.value?[index] ?? 0
      }
    }
    let clock = ContinuousClock()
    let start = clock.now
    begin()
    let begun = clock.now
    runtime.run()
    sum += resource.state.value?[0] ?? 0
    let settled = clock.now
    guard !resource.hasPendingMutations, sum == count + (fails ? 0 : 1) else {
      throw HarnessError.wrong("mutations were lost")
    }
    return (self == .begin ? begun - start : settled - begun) / .seconds(1)
  }

  private struct Refused: Error {}
}
