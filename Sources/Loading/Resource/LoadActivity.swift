extension LoadActivity {
  /// The number of a load: loads of a resource are numbered in the order in which they start.
  ///
  /// Events of any load but the newest change nothing.
  public struct Ticket: Hashable, Comparable, Sendable, CustomStringConvertible {
    let number: UInt64

    /// Whether `left` started before `right`.
    public static func < (left: LoadActivity.Ticket, right: LoadActivity.Ticket) -> Bool {
      left.number < right.number
    }

    /// The number with "#", for a log.
    public var description: String { "#\(number)" }
  }
}

extension LoadActivity {
  /// The state of a load that has not ended.
  public enum Phase: Hashable, Sendable {
    /// It is loading.
    case running
    /// It waits to see whether another load is started, see ``Loader/debounced(for:leading:)``.
    case debouncing
    /// It waits for a permit of a ``LoadLimit``, for pending mutations, or for another load of the
    /// same cached value.
    case waiting
    /// It is paused for this reason: that of a ``LoadGate``, or "hidden" for a subscription that
    /// has delivered a value and that no view shows any more.
    case paused(reason: String)
    /// An attempt failed, and it waits before the next one.
    case backoff
    /// It is a subscription that has delivered a value, and may deliver more.
    case live
  }
}

/// A load that has not ended.
public struct LoadActivity: Sendable {
  /// The number of the load.
  public let ticket: LoadActivity.Ticket
  /// Why it was started.
  public let cause: LoadActivity.Cause
  /// When it was started, on the resource's clock.
  public let startedAt: AnyClock.Instant
  /// The state of the load.
  public internal(set) var phase = LoadActivity.Phase.running {
    didSet {
      guard phase == .live else { return }
      hasDelivered = true
      joinedBy = nil
    }
  }
  /// The number of the attempt; the first is 1.
  public internal(set) var attempt = 1
  /// The number of attempts at most; nil without ``Loader/retrying(limit:backoff:if:)``.
  public internal(set) var attemptLimit: Int?
  /// When the next attempt starts; nil unless it is in a backoff.
  public internal(set) var nextAttemptAt: AnyClock.Instant?
  /// The failure of the previous attempt of this load.
  public internal(set) var attemptFailure: LoadFailure?

  /// When the previous load was started.
  let previousStart: AnyClock.Instant?
  /// Whether it is not a load, but stands for a loading state that was set.
  let isPublished: Bool
  /// Whether it is a subscription that was stopped because no view shows it.
  var isHidden = false
  /// When the next value was loaded; nil for now.
  var valueDate: AnyClock.Instant?
  /// Whether the last viewer has left since it started: it is given up once it has to wait.
  var isAbandoned = false
  /// Why the user has joined it; nil if nobody did since it began or went live.
  var joinedBy: Cause?
  /// Whether the value before it was invalidated; false once it is live or has ended well.
  var replacesInvalid = false
  /// When the value was loaded that its first value has replaced, or that it has found in a cache
  /// since; nil like `replacesInvalid`.
  var earlierDate: AnyClock.Instant?
  /// Whether its newest value is one from a cache.
  var isCached = false
  /// Whether a commit overlaps it, so that its values may or may not contain the change.
  var overlapsCommit = false

  /// Whether it is a subscription that has delivered a value, even if it is paused.
  private(set) var hasDelivered = false
  /// Whether the resource has taken a value of it.
  var hasValue = false

  /// Why it is paused: the reason of its ``LoadGate``, such as "offline", or "hidden"; nil if it is
  /// not paused.
  public var pauseReason: String? {
    if case .paused(let reason) = phase { reason } else { nil }
  }

  mutating func validateValue() {
    replacesInvalid = false
    earlierDate = nil
  }

  /// Whether it is a refresh that waits for a gate, maybe one that only refreshes wait for.
  var isPausedRefresh: Bool { cause == .refresh && pauseReason != nil }

  /// Whether it is loading; false for a subscription that is live or hidden.
  public var isLoading: Bool { phase != .live && !isHidden }
}
