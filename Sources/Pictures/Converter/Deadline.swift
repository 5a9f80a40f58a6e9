import Loading

/// Returns the result of `work`, which is cancelled when it takes longer than `limit`.
///
/// - Throws: `PictureError.tookTooLong`, or the error of `work`.
func withDeadline<Value: Sendable>(
  _ limit: Duration, clock: AnyClock, _ work: @escaping @Sendable () async throws -> Value
) async throws -> Value {
  try await withThrowingTaskGroup(of: Value.self) { group in
    defer { group.cancelAll() }
    group.addTask(operation: work)
    group.addTask {
      try await clock.sleep(until: clock.now.advanced(by: limit))
      throw PictureError.tookTooLong(limit)
    }
    guard let value = try await group.next() else { throw CancellationError() }
    return value
  }
}
