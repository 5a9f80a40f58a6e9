import Foundation
import Loading
import Storage
import Synchronization

/// The running fetches of feeds or whole accounts: reports their progress, shares their results and
/// cancels them.
final class FetchBoard<ID: Hashable & Sendable, Outcome: Sendable>: Sendable {
  private struct Fetch {
    var progress = LoadingProgress()
    let end: AsyncStream<Void>.Continuation
    /// The other reloads that need this feed and wait for the result.
    var waiters: [AsyncStream<Result<Outcome?, any Error>>.Continuation] = []
  }

  /// What a reload has to do for one feed.
  private enum Part {
    /// Fetch it, and stop when the stream yields: the user has cancelled the fetch.
    case fetching(AsyncStream<Void>)
    /// Wait for the result of the reload that is fetching it.
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

  /// How many callers wait for the fetch of a feed that another caller has started.
  func waiterCount(of id: ID) -> Int { state.withLock { $0.fetches[id]?.waiters.count ?? 0 } }

  /// Fetches a feed, or waits for a running fetch of it: two lists that show the same feed fetch it
  /// only once.
  ///
  /// - Parameters:
  ///   - sharesFailure: whether a failure of another caller's fetch also counts for this one, which
  ///     then does not try again.
  ///   - rests: whether the feed is not fetched because the user cancelled its fetch at this date.
  ///     Checked when the fetch would start: the decision that the feed is due may be older.
  /// - Returns: nil when the user cancelled the fetch.
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
        // Either the caller that fetched it was cancelled, or this one.
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
    try await withThrowingTaskGroup(of: Outcome?.self) { group in
      group.addTask { try await fetch() }
      group.addTask {
        for await _ in ends { return nil }
        // The fetch has finished, or the caller was cancelled.
        throw CancellationError()
      }
      defer { group.cancelAll() }
      return try await group.next() ?? nil
    }
  }

  private func finish(_ id: ID, _ result: Result<Outcome?, any Error>) {
    let fetch = state.withLock { $0.fetches.removeValue(forKey: id) }
    var isGivenUp = false
    if case .failure(let error) = result { isGivenUp = error is CancellationError }
    for waiter in fetch?.waiters ?? [] {
      // A cancelled fetch has no result: the next waiting caller fetches the feed.
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

  /// Cancels the fetch of a feed, or all fetches if `id` is nil.
  ///
  /// - Parameter date: when the user cancelled it, after which the feed is not fetched for a while;
  ///   nil if it may be fetched again at once.
  func end(_ id: ID?, at date: Date?) {
    let ends = state.withLock { state in
      let ended = state.fetches.filter { id == nil || $0.key == id }
      if let date { for id in ended.keys { state.ends[id] = date } }
      return ended.values.map(\.end)
    }
    for end in ends { end.yield() }
  }

  /// Cancels the fetch of a feed, and waits until it has ended and stores nothing any more; so also
  /// a fetch that begins meanwhile.
  func endAndWait(_ id: ID) async {
    let changes = changes()
    end(id, at: nil)
    guard progress[id] != nil else { return }
    for await _ in changes {
      guard progress[id] != nil else { return }
      end(id, at: nil)
    }
  }
}
