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

extension Loader {
  /// The loader, of which a resource takes no value that is the same as the one it has.
  ///
  /// Such a value is no new state: no view is drawn again for it, and ``Resource/states()`` does not
  /// repeat it. It counts as loaded all the same: the failure before it is over, and
  /// ``Resource/loadedAt`` says when it came. While changes wait over the value, every value is taken.
  ///
  /// It holds for the operators after it, too, as long as these have values of the same type.
  ///
  /// ```swift
  /// let articles = Loader { _ in try await api.articles() }
  /// let list = Resource(articles.removeDuplicates { $0.map(\.id) == $1.map(\.id) })
  /// ```
  ///
  /// - Parameter isSame: whether a new value is the same as the one before; called on the main actor
  ///   with every value, so it should be quick.
  public func removeDuplicates(
    by isSame: @escaping @Sendable (_ old: Value, _ new: Value) -> Bool
  ) -> Loader {
    var traits = traits
    traits.isSame = { isSame($0.value(as: Value.self), $1.value(as: Value.self)) }
    return Loader(traits) { context, output in try await run(context, output) }
  }
}

extension Loader where Value: Equatable {
  /// The loader, of which a resource takes no value that equals the one it has, see
  /// ``removeDuplicates(by:)``.
  public func removeDuplicates() -> Loader { removeDuplicates(by: ==) }
}
