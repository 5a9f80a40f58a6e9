extension Loader {
  /// The loader of a transformed value.
  ///
  /// Progress, attempts and cancellation are passed on as they are; every yielded value is
  /// transformed too.
  public func map<Other: Sendable>(
    _ transform: @escaping @Sendable (Value) -> Other
  ) -> Loader<Other> {
    Loader<Other>(traits) { context in
      try await run(
        context.derived { signal in
          context.send(signal.map(transform))
        }
      ).map(transform)
    }
  }
}
