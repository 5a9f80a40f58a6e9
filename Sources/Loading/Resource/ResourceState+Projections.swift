/// What can be read of the state: what is on the screen, and what failed.
extension ResourceState {
  /// The latest value, patched; reset forgets it.
  var latestValue: HeldValue? { log.patches.value }

  /// The value that may be on the screen.
  var validValue: HeldValue? { hasContent ? log.patches.value : nil }

  var hasContent: Bool {
    log.patches.base != nil && !(failure != nil && failureReplacesValue)
  }

  /// Whether the latest value was loaded before what is to be loaded changed.
  var showsEarlierInput: Bool { log.patches.base != nil && valueInput != input }

  /// A value of an earlier input beside a failure of the current one would be taken for a value of
  /// the current one.
  private var failureReplacesValue: Bool {
    errorPolicy == .replace || valueInput != input && failureInput == input
  }

  var projection: LoadingState<HeldValue> {
    if let validValue { return .loaded(validValue) }
    if let activity, activity.isLoading { return .loading(progress) }
    if let failure { return .failed(failure.error) }
    return .idle
  }

  /// The projection in which every load and every failure takes the screen.
  var strictProjection: LoadingState<HeldValue> {
    if let activity, activity.isLoading { return .loading(progress) }
    if let failure { return .failed(failure.error) }
    if let latestValue { return .loaded(latestValue) }
    return .idle
  }

  var currentFailure: LoadFailure? {
    if let activity, activity.isLoading { activity.attemptFailure } else { failure }
  }
}
