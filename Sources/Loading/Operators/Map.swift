extension Loader {
  /// The loader of a transformed value.
  ///
  /// Progress, attempts and cancellation are passed on as they are; every yielded value is
  /// transformed too.
  public func map<Other: Sendable>(
    _ transform: @escaping @Sendable (Value) -> Other
  ) -> Loader<Other> {
    Loader<Other>(of: self) { context, output in
      try await run(context, LoadOutput { output.yield(transform($0)) }).map(transform)
    }
  }
}
