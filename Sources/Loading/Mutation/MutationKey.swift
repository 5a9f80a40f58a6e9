extension PendingMutation {
  /// The number of a mutation, in the order in which they were begun.
  public struct ID: Hashable, Comparable, Sendable, CustomStringConvertible {
    let number: UInt64

    /// Whether `left` was begun before `right`.
    public static func < (left: PendingMutation.ID, right: PendingMutation.ID) -> Bool {
      left.number < right.number
    }

    /// The number, in words.
    public var description: String { "mutation \(number)" }
  }
}

/// An item, scope or field of a mutation, of any type.
public struct MutationKey: Hashable, Sendable {
  /// What was given.
  public let base: any Hashable & Sendable

  /// Wraps `base`.
  public init(_ base: any Hashable & Sendable) {
    self.base = base
  }

  /// Whether both are equal, as `AnyHashable` compares them.
  public static func == (left: MutationKey, right: MutationKey) -> Bool {
    AnyHashable(left.base) == AnyHashable(right.base)
  }

  /// Hashes what was given, so that equal keys have equal hashes.
  public func hash(into hasher: inout Hasher) {
    AnyHashable(base).hash(into: &hasher)
  }
}

/// A mutation that is not stored yet.
public struct PendingMutation: Hashable, Identifiable, Sendable {
  /// What it is doing.
  public enum Phase: Hashable, Sendable {
    /// It can be undone until then, or waits until then for other changes of its field.
    case held(until: AnyClock.Instant)
    /// It waits for an earlier one of its scope.
    case waiting
    /// It is being stored.
    case committing
    /// It is in a ``MutationJournal``, where the end of the process does not lose it, and is sent.
    case kept
  }

  /// The number of the mutation.
  public let id: PendingMutation.ID
  /// The element it changes.
  public let item: MutationKey?
  /// What it is doing.
  public let phase: Phase
}

/// A mutation that could not be stored, kept to be retried or dismissed.
///
/// It outlives the screen that made it: what it was given is kept, and so is what it can be retried by.
public struct FailedMutation: Sendable {
  /// The number of the mutation.
  public let id: PendingMutation.ID
  /// The element it changes.
  public let item: MutationKey?
  /// Why it failed.
  public let error: any Error
  /// When it failed, on the resource's clock.
  public let at: AnyClock.Instant
  /// Begins the mutation again with what it was given, see ``Resource/retryMutation(_:)``.
  public let retry: @MainActor @Sendable () -> Void
  /// Forgets the mutation.
  public let dismiss: @MainActor @Sendable () -> Void
  /// Whether it still stands: not once it was tried again or dismissed, wherever that was done, or
  /// a newer change of the same field was stored.
  ///
  /// A view that reads it is drawn again when it changes.
  public let isCurrent: @MainActor @Sendable () -> Bool
}
