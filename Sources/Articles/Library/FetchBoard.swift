import Loading
import Storage
import Synchronization

/// Which feeds are being fetched, how far that is, and how it is ended.
final class FetchBoard: Sendable {
  private struct Fetch {
    var progress = LoadingProgress()
    /// More than one when a feed is fetched twice at a time: each has its own end.
    var ends: [Int: AsyncStream<Void>.Continuation] = [:]
  }

  private struct State {
    var fetches: [Feed.ID: Fetch] = [:]
    var last = 0
  }

  private let state = Mutex(State())
  private let hub = ChangeHub<Void>()

  var progress: [Feed.ID: LoadingProgress] {
    state.withLock { $0.fetches.mapValues(\.progress) }
  }

  func changes() -> AsyncStream<Void> { hub.changes() }

  /// Runs a fetch as one of a feed's; nil when a person ended it.
  func run<Value: Sendable>(
    _ id: Feed.ID, _ fetch: @escaping @Sendable () async throws -> Value
  ) async throws -> Value? {
    let (ends, end) = AsyncStream.makeStream(of: Void.self)
    let number = state.withLock { state in
      state.last += 1
      state.fetches[id, default: Fetch()].ends[state.last] = end
      return state.last
    }
    hub.notify(())
    defer {
      state.withLock { state in
        state.fetches[id]?.ends[number] = nil
        if state.fetches[id]?.ends.isEmpty == true { state.fetches[id] = nil }
      }
      hub.notify(())
    }
    return try await withThrowingTaskGroup(of: Value?.self) { group in
      group.addTask { try await fetch() }
      group.addTask {
        for await _ in ends { return nil }
        throw CancellationError()
      }
      defer { group.cancelAll() }
      return try await group.next() ?? nil
    }
  }

  func report(_ progress: LoadingProgress, of id: Feed.ID) {
    let isNew = state.withLock { state in
      guard let known = state.fetches[id]?.progress, known != progress else { return false }
      state.fetches[id]?.progress = progress
      return true
    }
    if isNew { hub.notify(()) }
  }

  /// Ends the fetches of a feed; of all without one.
  func end(_ id: Feed.ID?) {
    let ends = state.withLock { state in
      state.fetches.filter { id == nil || $0.key == id }.values.flatMap(\.ends.values)
    }
    for end in ends { end.yield() }
  }
}
