extension Loader {
  /// The loader, started only when no newer load was requested during `quiet`.
  ///
  /// Every ``Resource/load()`` begins the wait again and replaces a load that runs, whatever its
  /// ``LoadPolicy``: if it joined, the first keystroke would win. Loads that no input caused (an
  /// appearance, a refresh, a retry, a restart after a mutation) do not wait. Cancelling ends the
  /// wait.
  ///
  /// Progress and attempts are passed on. Outside `retrying` the wait comes once, before the first
  /// attempt; inside it would come before each.
  ///
  /// - Parameters:
  ///   - quiet: for how long no newer load may be requested.
  ///   - leading: whether a load starts at once when none was started during `quiet` before it.
  public func debounced(for quiet: Duration, leading: Bool = false) -> Loader {
    var traits = traits
    traits.demandsRestart = true
    return Loader(traits) { context, output in
      let sincePrevious = context.previousStart?.duration(to: context.clock.now)
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
