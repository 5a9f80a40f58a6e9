/// Several resources as one that shows what came when a part failed: a profile and its posts,
/// where either may fail and each can be retried.
///
/// ```swift
/// let page = zipPartial(user, posts)
/// if case .loaded((let user, let posts)) = page.state { draw(user, posts) }  // either may be nil
/// page.retry()  // only what failed
/// ```
@MainActor
public final class PartialResource<each Part: Sendable>: LoadableObject {
  /// What came of each part; nil for one that is not there.
  public typealias Value = (repeat (each Part)?)

  /// The parts, to be shown, retried and changed each by itself.
  public let parts: (repeat Resource<each Part>)

  /// Combines resources; it owns no work of its own.
  public init(_ part: repeat Resource<each Part>) {
    parts = (repeat each part)
  }

  /// Loaded as soon as a part is; failed when nothing came and nothing is on its way.
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

  /// What came of each part.
  public var values: Value { (repeat (each parts).state.value) }

  /// The failures to show now, in the order of the parts.
  public var failures: [LoadFailure] {
    var failures: [LoadFailure] = []
    for part in repeat each parts {
      if let failure = part.currentFailure { failures.append(failure) }
    }
    return failures
  }

  /// Whether a part is on its way.
  public var isLoading: Bool {
    for part in repeat each parts {
      if part.isLoading { return true }
    }
    return false
  }

  /// The mean progress of the parts: done is 1, unknown 0.
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

  /// Stops every part and puts back what was there.
  public func cancel() {
    repeat (each parts).cancel()
  }
}

/// Combines resources into one that shows what came when a part failed.
@MainActor
public func zipPartial<each Part: Sendable>(
  _ part: repeat Resource<each Part>
) -> PartialResource<repeat each Part> {
  PartialResource(repeat each part)
}
