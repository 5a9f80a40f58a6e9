extension Loader {
  /// The loader of a transformed value.
  ///
  /// Progress, attempts and cancellation are passed on as they are; every yielded value is
  /// transformed too.
  public func map<Other: Sendable>(
    _ transform: @escaping @Sendable (Value) -> Other
  ) -> Loader<Other> {
    Loader<Other>(of: self) { context, output in
      try await run(context, LoadContext.Output { output.yield(transform($0)) }).map(transform)
    }
  }

  /// The loader of a value whose transformation can fail, such as text that is parsed.
  ///
  /// The load is cancelled and fails with the error of the first value, yielded ones included, that
  /// cannot be transformed.
  public func map<Other: Sendable>(
    _ transform: @escaping @Sendable (Value) throws -> Other
  ) -> Loader<Other> {
    Loader<Other>(of: self) { context, output in
      let failure = Promise<any Error>()
      let transformed = LoadContext.Output<Value> { value in
        do {
          output.yield(try transform(value))
        } catch {
          failure.fulfil(error)
        }
      }
      return try await withThrowingTaskGroup(of: Other?.self) { group in
        group.addTask { try await run(context, transformed).map(transform) }
        group.addTask { throw try await failure.value() }
        defer { group.cancelAll() }
        return try await group.next() ?? nil
      }
    }
  }
}
