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
