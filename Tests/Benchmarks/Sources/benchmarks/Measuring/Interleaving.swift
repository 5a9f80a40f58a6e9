/// One of those that do the same work.
struct Contender {
  let name: String
  /// Does the work once and returns the measured number.
  let measure: @MainActor () async throws -> Double
}

/// What contenders measured, a number a round each.
struct Rounds {
  let names: [String]
  private(set) var values: [[Double]]

  /// Lets each contender warm up once, then measures A B C, A B C …, so that what else the machine
  /// does meets all of them.
  @MainActor
  init(_ count: Int, _ contenders: [Contender]) async throws {
    names = contenders.map(\.name)
    values = contenders.map { _ in [] }
    for contender in contenders { _ = try await contender.measure() }
    for _ in 0..<count {
      for (index, contender) in contenders.enumerated() {
        values[index].append(try await contender.measure())
      }
    }
  }

  /// The median of one contender's rounds.
  func median(_ index: Int) -> Double { values[index].median }

  /// How many times as much as `base` contender `index` needs: the median of the rounds' ratios.
  func ratio(_ index: Int, to base: Int) -> Double {
    zip(values[index], values[base]).map { $0 / $1 }.median
  }
}

/// The seconds that `body` takes.
@MainActor
func seconds(_ body: @MainActor () async throws -> Void) async rethrows -> Double {
  let start = ContinuousClock.now
  try await body()
  return (ContinuousClock.now - start) / .seconds(1)
}
