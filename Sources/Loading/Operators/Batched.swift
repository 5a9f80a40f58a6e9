/// Gathers the keys that are requested within a few milliseconds into one request, for a server or
/// database that can answer many at once.
///
/// ```swift
/// let users = LoadBatch<User.ID, User> { ids in try await api.users(ids) }
/// let authors = ResourcePool<User.ID, User> { id in Loader.batched(id, in: users) }
/// ```
///
/// A list of twenty rows, each of which loads its author, makes one request.
public final class LoadBatch<Key: Hashable & Sendable, Value: Sendable>: Sendable {
  /// Loads the values of many keys; a key without a value is left out of the result.
  public typealias Request = @Sendable (_ keys: [Key]) async throws -> [Key: Value]

  private let moment: Duration
  private let limit: Int
  private let request: Request
  /// The round that new keys are added to.
  private let open = Lock<Round?>(nil)

  /// The keys of one request.
  private final class Round: Sendable {
    struct Status {
      /// Where each key comes in the request, and how many loads wait for it.
      var loads: [Key: (order: Int, count: Int)] = [:]
      private var lastOrder = 0
      var work: Task<Void, Never>?
      var isOver = false

      /// Adds a load of a key; returns false if the round is full or over.
      mutating func take(_ key: Key, limit: Int) -> Bool {
        guard !isOver, loads[key] != nil || loads.count < limit else { return false }
        lastOrder += 1
        loads[key, default: (lastOrder, 0)].count += 1
        return true
      }

      /// Removes a load of a key.
      mutating func leave(_ key: Key) {
        loads[key]?.count -= 1
        if loads[key]?.count == 0 { loads[key] = nil }
      }
    }

    let status = Lock(Status())
    let answer = Promise<Result<[Key: Value], any Error>>()
  }

  /// Creates a batch.
  ///
  /// - Parameters:
  ///   - moment: how long keys are gathered, from the first one.
  ///   - limit: how many keys a request has at most, at least 1; more keys make several requests.
  ///   - request: loads the values of the gathered keys.
  public init(
    within moment: Duration = .milliseconds(5), limit: Int = 100, request: @escaping Request
  ) {
    self.moment = moment
    self.limit = max(1, limit)
    self.request = request
  }

  /// Loads the value of a key, together with others.
  fileprivate func value(_ key: Key, _ context: LoadContext) async throws -> Value {
    let round = join(key, context)
    let answer: Result<[Key: Value], any Error>
    do {
      answer = try await round.answer.value()
    } catch {
      leave(round, key)
      throw error
    }
    guard let value = try answer.get()[key] else { throw LoadingError.noValue }
    return value
  }

  private func join(_ key: Key, _ context: LoadContext) -> Round {
    open.withLock { open in
      if let round = open, round.status.withLock({ $0.take(key, limit: limit) }) { return round }
      let round = Round()
      round.status.withLock { status in
        _ = status.take(key, limit: limit)
        status.work = context.origin.scheduler.task { await self.run(round, on: context.clock) }
      }
      open = round
      return round
    }
  }

  private func run(_ round: Round, on clock: AnyClock) async {
    do {
      try await clock.sleep(for: moment)
      let keys = close(round)
      // The last load may have left after the wait had ended.
      if keys.isEmpty { return }
      round.answer.fulfil(.success(try await request(keys)))
    } catch {
      _ = close(round)
      round.answer.fulfil(.failure(error))
    }
  }

  /// Closes the round for more keys; returns the keys whose value a load still waits for.
  private func close(_ round: Round) -> [Key] {
    open.withLock { open in
      if open === round { open = nil }
      return round.status.withLock { status in
        status.isOver = true
        return status.loads.sorted { $0.value.order < $1.value.order }.map(\.key)
      }
    }
  }

  /// Removes a cancelled load; if no other load waits for the request, it is cancelled, too.
  private func leave(_ round: Round, _ key: Key) {
    let abandoned: Task<Void, Never>? = round.status.withLock { status in
      status.leave(key)
      guard status.loads.isEmpty else { return nil }
      status.isOver = true
      return status.work
    }
    abandoned?.cancel()
  }
}

extension Loader {
  /// Returns a loader of the value of `key`, which is loaded together with others in one request of
  /// `batch`.
  ///
  /// If the request fails, the loads of all of its keys fail. A key without a value fails with
  /// ``LoadingError/noValue``. Cancelling a load does not affect the others; the request is
  /// cancelled when no load waits for it any more. There is no progress. Further attempts by
  /// `retrying` are gathered, too.
  ///
  /// Under a ``LoadLimit``, a load keeps its permit while it waits for the request, so no request
  /// has more keys than there are permits: limit the requests instead, inside of the batch.
  public static func batched<Key>(_ key: Key, in batch: LoadBatch<Key, Value>) -> Loader {
    Loader { context in try await batch.value(key, context) }
  }
}
