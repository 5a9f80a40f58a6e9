extension PendingMutation {
  /// The number of a mutation: mutations of a resource are numbered in the order in which they
  /// began.
  public struct ID: Hashable, Comparable, Sendable, CustomStringConvertible {
    let number: UInt64

    /// Whether `left` began before `right`.
    public static func < (left: PendingMutation.ID, right: PendingMutation.ID) -> Bool {
      left.number < right.number
    }

    /// The number with the word "mutation".
    public var description: String { "mutation \(number)" }
  }
}

/// An item, scope or field of a mutation, or the tag of a loader, of any type.
public struct MutationKey: Hashable, Sendable {
  /// The wrapped value.
  public let base: any Hashable & Sendable

  /// Wraps `base`.
  public init(_ base: any Hashable & Sendable) {
    self.base = base
  }

  /// Whether the wrapped values are equal, as compared by `AnyHashable`.
  public static func == (left: MutationKey, right: MutationKey) -> Bool {
    AnyHashable(left.base) == AnyHashable(right.base)
  }

  /// Hashes the wrapped value.
  public func hash(into hasher: inout Hasher) {
    AnyHashable(base).hash(into: &hasher)
  }
}

/// A mutation that is not stored yet.
public struct PendingMutation: Hashable, Identifiable, Sendable {
  /// The state of a pending mutation.
  public enum Phase: Hashable, Sendable {
    /// Until this time it can be undone, or waits for newer changes of its field.
    case held(until: AnyClock.Instant)
    /// It waits for an earlier mutation of its scope.
    case waiting
    /// It is being stored.
    case committing
    /// It is in a ``MutationJournal``, where it survives the process, and is being sent.
    case kept
  }

  /// The number of the mutation.
  public let id: PendingMutation.ID
  /// The element that it changes.
  public let item: MutationKey?
  /// The state of the mutation.
  public let phase: Phase
}

/// A mutation that could not be stored, kept to be retried or dismissed.
///
/// It outlives the screen that made it, and is retried with the arguments that it had.
public struct FailedMutation: Sendable {
  /// The number of the mutation.
  public let id: PendingMutation.ID
  /// The element that it changes.
  public let item: MutationKey?
  /// Why it failed.
  public let error: any Error
  /// When it failed, on the resource's clock.
  public let at: AnyClock.Instant
  /// Begins the mutation again with the same arguments, see ``Resource/retryMutation(_:)``; nil if
  /// the error's ``RetryAdvice`` says that another attempt cannot help.
  public let retry: (@MainActor @Sendable () -> Void)?
  /// Removes the failed mutation.
  public let dismiss: @MainActor @Sendable () -> Void
  /// Returns whether the mutation is still failed: false once it was retried or dismissed, by any
  /// view, or a newer change of the same field was stored.
  ///
  /// The result is observed: a view that calls it is drawn again when it changes.
  public let isCurrent: @MainActor @Sendable () -> Bool
}
