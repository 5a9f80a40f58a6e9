import Loading
import Synchronization

/// The faults of scripted loads: loads take longer, some of them fail, and all of them can be held.
final class Faults: Sendable {
  struct Settings: Equatable, Sendable {
    /// The time added to each load.
    var latency = Duration.zero
    /// How many of a hundred loads fail.
    var failureShare = 0
    var failure = Failure.noAnswer
    /// Whether loads are held until the user releases them.
    var isHolding = false
    /// The seed that decides which loads fail.
    var seed: UInt64 = 1
  }

  enum Failure: String, CaseIterable, Sendable {
    case noAnswer = "no answer"
    case diskFull = "disk full"
    case offline
  }

  private struct State {
    var settings = Settings()
    var chance = SharedChance(seed: 1)
    var nextNumber = 0
    var waiting: [(number: Int, continuation: CheckedContinuation<Void, Never>)] = []
  }

  private let state = Mutex(State())

  var settings: Settings {
    get { state.withLock(\.settings) }
    set {
      let released = state.withLock { state in
        if newValue.seed != state.settings.seed { state.chance = SharedChance(seed: newValue.seed) }
        state.settings = newValue
        guard !newValue.isHolding else { return [] as [CheckedContinuation<Void, Never>] }
        defer { state.waiting = [] }
        return state.waiting.map(\.continuation)
      }
      for continuation in released { continuation.resume() }
    }
  }

  /// Releases the load that has been held the longest.
  func step() {
    state.withLock { $0.waiting.isEmpty ? nil : $0.waiting.removeFirst().continuation }?.resume()
  }

  /// Holds a load, delays it and makes it fail, according to the settings; calls `holding` first if
  /// it is held.
  func strike(on clock: AnyClock, holding: () -> Void = {}) async throws {
    if settings.isHolding {
      holding()
      await untilReleased()
      try Task.checkCancellation()
    }
    let settings = settings
    if settings.latency > .zero {
      try await clock.sleep(until: clock.now.advanced(by: settings.latency))
    }
    guard settings.failureShare > 0 else { return }
    let chance = state.withLock(\.chance)
    if chance.next() * 100 < Double(settings.failureShare) { throw settings.failure.error }
  }

  private func untilReleased() async {
    let number = state.withLock { state in
      state.nextNumber += 1
      return state.nextNumber
    }
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isFree = state.withLock { state in
          if Task.isCancelled || !state.settings.isHolding { return true }
          state.waiting.append((number, continuation))
          return false
        }
        if isFree { continuation.resume() }
      }
    } onCancel: {
      let continuation = state.withLock { state in
        state.waiting.firstIndex { $0.number == number }.map { state.waiting.remove(at: $0) }?
          .continuation
      }
      continuation?.resume()
    }
  }
}

extension Faults.Failure {
  /// The error that a load fails with.
  var error: DescribedError {
    switch self {
    case .noAnswer:
      DescribedError("The server did not answer.", advice: "Try again in a moment.")
    case .diskFull:
      DescribedError("The disk is full.", advice: "Free some space, then try again.")
    case .offline:
      DescribedError("There is no network.", advice: "Connect, then try again.")
    }
  }
}

extension Loader {
  /// Returns the loader, made as slow and as faulty as `faults` say.
  func under(_ faults: Faults) -> Loader {
    Loader(of: self) { context, output in
      try await faults.strike(on: context.clock) {
        context.report(message: "held by the faults")
      }
      return try await run(context, output)
    }
  }
}
