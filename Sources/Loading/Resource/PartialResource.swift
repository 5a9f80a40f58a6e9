import Observation

/// Several resources as one, which shows the loaded parts even if others fail: for example a
/// profile with its posts, of which each can fail and be retried.
///
/// ```swift
/// let page = PartialResource(user, posts)
/// if case .loaded((let user, let posts)) = page.state { draw(user, posts) }  // either may be nil
/// page.retry()  // only the failed parts
/// ```
@MainActor
public final class PartialResource<each Part: Sendable>: LoadableObject, Observable {
  /// The values of the parts; nil for a part without a value.
  public typealias Value = (repeat (each Part)?)

  /// The parts, each of which can also be shown, retried and changed separately.
  public let parts: (repeat Resource<each Part>)

  /// Combines resources; their loads stay their own.
  public init(_ part: repeat Resource<each Part>) {
    parts = (repeat each part)
  }

  /// The combined state: loaded as soon as one part is loaded, failed if a part has failed and none
  /// is loaded or loading.
  public var state: LoadingState<Value> {
    var isAnyLoaded = false
    var isAnyLoading = false
    var error: (any Error)?
    for part in repeat each parts {
      switch part.state {
      case .idle: break
      case .loading: isAnyLoading = true
      case .failed(let failure): error = error ?? failure
      case .loaded: isAnyLoaded = true
      }
    }
    if isAnyLoaded { return .loaded(values) }
    if isAnyLoading { return .loading(progress) }
    return error.map { .failed($0) } ?? .idle
  }

  /// The parts.
  public var sources: [any LoadableObject] {
    var sources: [any LoadableObject] = []
    for part in repeat each parts { sources.append(part) }
    return sources
  }

  /// The values of the parts; nil for a part without a value.
  public var values: Value { (repeat (each parts).state.value) }

  /// The current failures, in the order of the parts.
  public var failures: [LoadFailure] {
    var failures: [LoadFailure] = []
    for part in repeat each parts {
      if let failure = part.currentFailure { failures.append(failure) }
    }
    return failures
  }

  /// Whether a part is loading.
  public var isLoading: Bool {
    for part in repeat each parts {
      if part.isLoading { return true }
    }
    return false
  }

  /// The mean progress of the parts; nil if no loading part knows its progress.
  ///
  /// A part that is not loading counts as 1, one with unknown progress as 0.
  public var progress: LoadingProgress? {
    var sum = 0.0
    var count = 0.0
    var isKnown = false
    for part in repeat each parts {
      count += 1
      if !part.isLoading {
        sum += 1
      } else if let fraction = part.progress?.fraction {
        sum += fraction
        isKnown = true
      }
    }
    return isKnown ? LoadingProgress(fraction: sum / count) : nil
  }

  /// Loads every part.
  public func load() {
    repeat (each parts).load()
  }

  /// Loads the failed parts again.
  public func retry() {
    for part in repeat each parts {
      if part.failure != nil { part.retry() }
    }
  }

  /// Cancels the loads that run, see ``Resource/cancel()``; a live subscription is not one.
  public func cancel() {
    for part in repeat each parts {
      if part.isLoading { part.cancel() }
    }
  }
}
