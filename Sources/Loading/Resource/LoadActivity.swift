extension LoadActivity {
  /// The number of a load, in the order of their starts; an event of an older one changes nothing.
  public struct Ticket: Hashable, Comparable, Sendable, CustomStringConvertible {
    let number: UInt64

    /// Whether `left` was started before `right`.
    public static func < (left: LoadActivity.Ticket, right: LoadActivity.Ticket) -> Bool {
      left.number < right.number
    }

    /// The number, for a log.
    public var description: String { "#\(number)" }
  }
}

extension LoadActivity {
  /// What a load that has not ended is doing.
  public enum Phase: Hashable, Sendable {
    /// It is loading.
    case running
    /// It waits for a quiet moment before it starts to work.
    case debouncing
    /// It waits for a permit of a ``LoadLimit``, for mutations to be settled, or for another load of
    /// the same cached value.
    case waiting
    /// It is held back for this reason: that of a ``LoadGate``, or "hidden" for a subscription that has
    /// delivered and that no view shows any more.
    case paused(reason: String)
    /// An attempt failed; it waits before the next.
    case backoff
    /// A subscription that has delivered: its content is current and more may come.
    case live
  }
}

/// What runs now.
public struct LoadActivity: Sendable {
  /// The number of the load.
  public let ticket: LoadActivity.Ticket
  /// Why it was started.
  public let cause: LoadActivity.Cause
  /// When it was started, on the resource's clock.
  public let startedAt: AnyClock.Instant
  /// What it is doing.
  public internal(set) var phase = LoadActivity.Phase.running {
    didSet { if phase == .live { hasDelivered = true } }
  }
  /// The number of the attempt, from 1.
  public internal(set) var attempt = 1
  /// How many attempts it has in all; nil when it is not retried by itself.
  public internal(set) var attemptLimit: Int?
  /// When the next attempt starts, during a backoff.
  public internal(set) var nextAttemptAt: AnyClock.Instant?
  /// Why the attempt before this one failed.
  public internal(set) var attemptFailure: LoadFailure?

  /// When the load before it was started.
  let previousStart: AnyClock.Instant?
  /// A state that was set, not a load: nothing runs behind it.
  let isPublished: Bool
  /// A subscription that is paused because no view shows it: nothing runs behind it.
  var isHidden = false
  /// When the value that comes next was loaded; nil for now.
  var valueDate: AnyClock.Instant?
  /// Whether its last viewer has left and none has come since: when it has to wait, it is given up.
  var isAbandoned = false
  /// Whether what was loaded before has changed since, and this load has brought no value yet.
  var replacesInvalid = false
  /// Whether a commit overlaps it: what it brings may or may not contain the change.
  var overlapsCommit = false

  /// Whether it is a subscription that has delivered, also while that is paused.
  private(set) var hasDelivered = false

  /// Why it is held back: "offline", or whatever its ``LoadGate`` says, or "hidden"; nil when nothing
  /// holds it back.
  public var pauseReason: String? {
    if case .paused(let reason) = phase { reason } else { nil }
  }

  /// Whether something is on its way: false for a live subscription, and for one that is hidden.
  public var isLoading: Bool { phase != .live && !isHidden }
}

/// A failure that can be shown to the user.
public struct LoadFailure: Sendable {
  /// What went wrong.
  public let error: any Error
  /// How many loads in a row have failed, this one included; 0 for an attempt of a load that
  /// is still being retried by itself after a success.
  public let failureCount: Int
  /// When it failed, on the resource's clock.
  public let at: AnyClock.Instant

  /// A failure of an object of your own, the first in a row unless told otherwise.
  public init(error: any Error, failureCount: Int = 1, at: AnyClock.Instant) {
    self.error = error
    self.failureCount = failureCount
    self.at = at
  }
}

extension IndicatorGate {
  /// When loads ran, as far as a drawing needs to know: the facts an ``IndicatorGate`` judges.
  public struct Timing: Hashable, Sendable {
    /// The time in which loads ran over content, without a gap between them.
    public struct Interval: Hashable, Sendable {
      /// When the first of them started, or the content came.
      public let start: AnyClock.Instant
      /// When the last of them ended; nil while one runs.
      public internal(set) var end: AnyClock.Instant?
    }

    /// Since when a load has run with nothing to show; nil when none does.
    public private(set) var waitingSince: AnyClock.Instant?
    /// The last eight intervals of loads over content, oldest first.
    public private(set) var reloads: [Interval] = []

    static let capacity = 8

    /// Nothing ever ran.
    public init() {}

    mutating func note(isLoading: Bool, hasContent: Bool, at now: AnyClock.Instant) {
      waitingSince = isLoading && !hasContent ? waitingSince ?? now : nil
      let isOpen = reloads.last.map { $0.end == nil } ?? false
      switch (isLoading && hasContent, isOpen) {
      case (true, false):
        if reloads.count == Self.capacity { reloads.removeFirst() }
        reloads.append(Interval(start: now))
      case (false, true):
        reloads[reloads.count - 1].end = now
      case (true, true), (false, false):
        break
      }
    }
  }
}
