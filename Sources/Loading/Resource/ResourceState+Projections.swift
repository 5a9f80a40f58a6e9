/// What views show of the state.
extension ResourceState {
  /// The latest value with its patches, which may be hidden by a failure.
  var latestValue: HeldValue? { log.patches.value }

  /// The value to show.
  var validValue: HeldValue? { hasContent ? log.patches.value : nil }

  var hasContent: Bool {
    log.patches.base != nil && !(failure != nil && failureReplacesValue)
  }

  /// Whether the latest value was loaded for an earlier input.
  var showsEarlierInput: Bool { valueInput != input && log.patches.base != nil }

  /// Whether the failure is shown instead of the value.
  ///
  /// A value of an earlier input beside a failure of the current one would look like a value of the
  /// current one.
  private var failureReplacesValue: Bool {
    errorPolicy == .replace || valueInput != input && failureInput == input
  }

  var projection: LoadingState<HeldValue> {
    if let validValue { return .loaded(validValue) }
    if let activity, activity.isLoading { return .loading(progress) }
    if let failure { return .failed(failure.error) }
    return .idle
  }

  var currentFailure: LoadFailure? {
    if let activity, activity.isLoading { activity.attemptFailure } else { failure }
  }
}
