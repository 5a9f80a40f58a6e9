import Foundation
import Loading
import Storage
import Synchronization

/// What is being fetched, how far that is, and how it is ended: feeds, or whole accounts.
final class FetchBoard<ID: Hashable & Sendable, Outcome: Sendable>: Sendable {
  private struct Fetch {
    var progress = LoadingProgress()
    let end: AsyncStream<Void>.Continuation
    /// The other reloads that want this feed, which get the outcome.
    var waiters: [AsyncStream<Result<Outcome?, any Error>>.Continuation] = []
  }

  /// What a reload has to do about a feed.
  private enum Part {
    /// Fetch it, and stop when the stream ends: the user has cancelled the fetch.
    case fetching(AsyncStream<Void>)
    /// Wait for the outcome of the reload that is fetching it.
    case waiting(AsyncStream<Result<Outcome?, any Error>>)
    /// Nothing: the user has cancelled its fetch.
    case none
  }

  private struct State {
    var fetches: [ID: Fetch] = [:]
    /// When the user last cancelled the fetch of a feed that has not been fetched since.
    var ends: [ID: Date] = [:]
  }

  private let state = Mutex(State())
  private let hub = ChangeHub<Void>()

  var progress: [ID: LoadingProgress] {
    state.withLock { $0.fetches.mapValues(\.progress) }
  }

  func changes() -> AsyncStream<Void> { hub.changes() }

  /// How many wait for the fetch of a feed without doing it.
  func waiterCount(of id: ID) -> Int { state.withLock { $0.fetches[id]?.waiters.count ?? 0 } }

  /// Fetches a feed, or waits for the fetch that is at work: two lists that show the same feed are
  /// no reason to ask its server twice.
  ///
  /// - Parameters:
  ///   - sharesFailure: whether there is no reason to try what failed for another.
  ///   - rests: whether the feed is left alone, since a user ended its fetch at a date. Asked when
  ///     it would start: what decided that it is due may have done so before.
  /// - Returns: nil when a user ended it.
  func run(
    _ id: ID, sharesFailure: (any Error) -> Bool = { _ in true },
    rests: (Date) -> Bool = { _ in false },
    _ fetch: @escaping @Sendable () async throws -> Outcome
  ) async throws -> Outcome? {
    while true {
      let part = part(in: id, rests: rests)
      hub.notify(())
      switch part {
      case .fetching(let ends):
        let result: Result<Outcome?, any Error>
        do {
          result = .success(try await run(until: ends, fetch))
        } catch {
          result = .failure(error)
        }
        finish(id, result)
        return try result.get()
      case .none: return nil
      case .waiting(let results):
        for await result in results {
          if case .failure(let error) = result, !sharesFailure(error) { continue }
          return try result.get()
        }
        // Who fetched it was cancelled, or else we are.
        try Task.checkCancellation()
      }
    }
  }

  private func part(in id: ID, rests: (Date) -> Bool) -> Part {
    state.withLock { state in
      if let end = state.ends[id] {
        if rests(end) { return .none }
        state.ends[id] = nil
      }
      if state.fetches[id] != nil {
        let (results, waiter) = AsyncStream.makeStream(of: Result<Outcome?, any Error>.self)
        state.fetches[id]?.waiters.append(waiter)
        return .waiting(results)
      }
      let (ends, end) = AsyncStream.makeStream(of: Void.self)
      state.fetches[id] = Fetch(end: end)
      return .fetching(ends)
    }
  }

  private func run(
    until ends: AsyncStream<Void>, _ fetch: @escaping @Sendable () async throws -> Outcome
  ) async throws -> Outcome? {
    try await withThrowingTaskGroup(of: Event.self) { group in
      group.addTask { .fetched(try await fetch()) }
      group.addTask {
        for await _ in ends { return .ended }
        return .unwatched
      }
      defer { group.cancelAll() }
      for try await event in group {
        switch event {
        case .fetched(let outcome): return outcome
        case .ended: return nil
        case .unwatched: continue
        }
      }
      return nil
    }
  }

  private enum Event {
    case fetched(Outcome)
    /// By a user.
    case ended
    /// Nobody can end it any more, since it is over or cancelled: what comes of it comes by itself.
    case unwatched
  }

  private func finish(_ id: ID, _ result: Result<Outcome?, any Error>) {
    let fetch = state.withLock { $0.fetches.removeValue(forKey: id) }
    var isGivenUp = false
    if case .failure(let error) = result { isGivenUp = error is CancellationError }
    for waiter in fetch?.waiters ?? [] {
      // One who gave up knows nothing of the feed: the next one fetches it.
      if !isGivenUp { waiter.yield(result) }
      waiter.finish()
    }
    hub.notify(())
  }

  func report(_ progress: LoadingProgress, of id: ID) {
    let isNew = state.withLock { state in
      guard let known = state.fetches[id]?.progress, known != progress else { return false }
      state.fetches[id]?.progress = progress
      return true
    }
    if isNew { hub.notify(()) }
  }

  /// Ends the fetch of a feed; of all without one.
  func end(_ id: ID?, at date: Date) {
    let ends = state.withLock { state in
      let ended = state.fetches.filter { id == nil || $0.key == id }
      for id in ended.keys { state.ends[id] = date }
      return ended.values.map(\.end)
    }
    for end in ends { end.yield() }
  }
}
