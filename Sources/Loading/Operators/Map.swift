extension Loader {
  /// Returns a loader that transforms every value, yielded ones included.
  ///
  /// Progress, attempts and cancellation are passed on.
  public func map<Other: Sendable>(
    _ transform: @escaping @Sendable (Value) -> Other
  ) -> Loader<Other> {
    Loader<Other>(of: self) { context, output in
      try await run(context, LoadContext.Output { output.yield(transform($0)) }).map(transform)
    }
  }

  /// Returns a loader that transforms every value, yielded ones included, by a function that can
  /// fail, such as a parser.
  ///
  /// When the function throws, the load is cancelled and fails with that error.
  public func map<Other: Sendable>(
    _ transform: @escaping @Sendable (Value) throws -> Other
  ) -> Loader<Other> {
    Loader<Other>(of: self) { context, output in
      let failure = Promise<any Error>()
      let transformed = LoadContext.Output<Value> { value in
        guard failure.reached == nil else { return }
        do {
          output.yield(try transform(value))
        } catch {
          failure.fulfil(error)
        }
      }
      // A subscription whose value cannot be transformed is not live: it has delivered none.
      let part = context.derived { signal in
        if failure.reached == nil { context.send(signal) }
      }
      return try await withThrowingTaskGroup(of: Other?.self) { group in
        group.addTask { try await run(part, transformed).map(transform) }
        group.addTask { throw try await failure.value() }
        defer { group.cancelAll() }
        let last = try await group.next() ?? nil
        // The load may end before the task that waits for the error has it.
        if let error = failure.reached { throw error }
        return last
      }
    }
  }
}

extension Loader {
  /// Returns a loader whose values a ``Resource`` ignores if they are the same as the value that it
  /// has.
  ///
  /// A duplicate is not a new state: no view is drawn again, and ``Resource/states()`` does not
  /// repeat it. It counts as loaded all the same: it ends a failure, and updates
  /// ``Resource/loadedAt``. While the resource has pending mutations, duplicates are not ignored.
  ///
  /// Operators that are applied after this one ignore duplicates, too, as long as their values have
  /// the same type.
  ///
  /// ```swift
  /// let articles = Loader { _ in try await api.articles() }
  /// let list = Resource(articles.removeDuplicates { $0.map(\.id) == $1.map(\.id) })
  /// ```
  ///
  /// - Parameter isSame: whether a new value is the same as the old one; called on the main actor
  ///   for every value, so it should be fast.
  public func removeDuplicates(
    by isSame: @escaping @Sendable (_ old: Value, _ new: Value) -> Bool
  ) -> Loader {
    var traits = traits
    traits.isSame = { isSame($0.value(as: Value.self), $1.value(as: Value.self)) }
    return Loader(traits) { context, output in try await run(context, output) }
  }
}

extension Loader where Value: Equatable {
  /// Returns a loader whose values a ``Resource`` ignores if they equal the value that it has, see
  /// ``removeDuplicates(by:)``.
  public func removeDuplicates() -> Loader { removeDuplicates(by: ==) }
}
