extension Loader {
  /// Returns a loader that starts only if no other load is started for `quiet`.
  ///
  /// Every ``Resource/load()`` restarts the wait and replaces a running load, whatever the
  /// ``LoadPolicy``: if it joined the running load, the result would be that of the first
  /// keystroke. Loads that were not caused by input (an appearance, a refresh, a retry, a restart
  /// after a mutation) do not wait. Cancelling ends the wait.
  ///
  /// Progress and attempts are passed on. Outside of `retrying` there is one wait, before the first
  /// attempt; inside there is one before each attempt.
  ///
  /// - Parameters:
  ///   - quiet: how long to wait for another load.
  ///   - leading: whether a load starts at once if the previous one started at least `quiet`
  ///     earlier.
  public func debounced(for quiet: Duration, leading: Bool = false) -> Loader {
    var traits = traits
    traits.demandsRestart = true
    return Loader(traits) { context, output in
      let sincePrevious = context.origin.previousStart?.duration(to: context.clock.now)
      let isLeading = leading && sincePrevious.map { $0 >= quiet } ?? true
      let isInput = context.cause == .inputChanged || context.cause == .user
      if isInput, !isLeading {
        context.send(.phase(.debouncing))
        try await context.sleep(for: quiet)
        context.send(.phase(.running))
      }
      return try await run(context, output)
    }
  }
}
