import Foundation
import Loading
import PseudoTerminal
import Terminal
import Testing

@testable import Pictures

/// Damaged pictures: each is cells or an error, and the converter, or the next one, goes on.
///
/// `ARGYLE_FUZZ_SECONDS=600` makes of the short run a long one, with new mutants each time;
/// `ARGYLE_FUZZ_SEED` is the first seed of either, to see again what a seed did.
@Suite struct MutantTests {
  /// What became of mutants, and how often.
  struct Tally: Sendable {
    var count = 0
    var outcomes: [String: Int] = [:]
    /// Seeds of mutants that ended the converter.
    var deadly: [UInt64] = []

    mutating func note(_ result: Result<CellBuffer, any Error>, seed: UInt64) {
      count += 1
      let name =
        switch result {
        case .success: "cells"
        case .failure(let error): "\(error)".split(separator: "(").first.map(String.init) ?? ""
        }
      outcomes[name, default: 0] += 1
      if name == "converterEnded" || name == "tookTooLong" {
        print("seed \(seed): \(result)")
        deadly.append(seed)
      }
    }

    static func + (left: Tally, right: Tally) -> Tally {
      Tally(
        count: left.count + right.count,
        outcomes: left.outcomes.merging(right.outcomes, uniquingKeysWith: +),
        deadly: left.deadly + right.deadly)
    }
  }

  @Test func `mutants become cells or errors, and nothing else happens`() async throws {
    let environment = ProcessInfo.processInfo.environment
    let seconds = environment["ARGYLE_FUZZ_SECONDS"].flatMap(Double.init)
    let seed = environment["ARGYLE_FUZZ_SEED"].flatMap(UInt64.init)
    let isLong = seconds != nil
    let corpus = try Corpus.names().map(Corpus.bytes)
    let end = ContinuousClock.now.advanced(by: .seconds(seconds ?? 0))
    let first = seed ?? (isLong ? .random(in: 0 ... .max >> 1) : 0)
    // As many converters as there are processors here.
    let tally = try await withThrowingTaskGroup(of: Tally.self) { group in
      for lane in UInt64(0)..<2 {
        group.addTask {
          var tally = Tally()
          var seed = first + lane
          let converter = Converter.built()
          while isLong ? ContinuousClock.now < end : tally.count < 300 {
            tally.note(await Self.result(of: seed, corpus: corpus, with: converter), seed: seed)
            seed += 2
          }
          // Whatever they did, this one is right.
          let cells = try await converter.cells(
            of: Corpus.bytes("halves.png"), for: Corpus.request("halves.png"))
          #expect(described(cells)[0][0] == ". -/ff0000")
          return tally
        }
      }
      return try await group.reduce(Tally(), +)
    }
    #expect(tally.count >= 600 || isLong)
    #expect(tally.outcomes["invalidAnswer"] == nil)
    let outcomes = tally.outcomes.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)" }
    print(
      "\(tally.count) mutants from seed \(first): \(outcomes.joined(separator: ", "));",
      "deadly seeds: \(tally.deadly.prefix(20))")
  }

  private static func result(
    of seed: UInt64, corpus: [[UInt8]], with converter: Converter
  ) async -> Result<CellBuffer, any Error> {
    var generator = SeededGenerator(seed: seed)
    let picture = generator.mutant(of: corpus)
    let request = PictureRequest.sample(
      .random(in: 1...40, using: &generator), .random(in: 1...20, using: &generator))
    let result = await Result.of {
      try await converter.cells(of: picture, for: request, clock: .continuous)
    }
    if case .success(let cells) = result {
      #expect(
        cells.size.width <= request.room.width && cells.size.height <= request.room.height,
        "seed \(seed)")
    }
    if case .failure(let error) = result {
      #expect(error is PictureError, "seed \(seed)")
    }
    return result
  }
}
