/// Limits the work that reading or laying out one piece of outside text may take.
///
/// Code that works on such a text spends a step for every byte, element or cell, each time it looks
/// at one. The limit is proportional to the size of the text, so work that grows faster than its
/// input ends early, whatever the reason. Code that makes long texts out of short ones takes memory
/// from the budget in the same way. The budget also ends when its task is cancelled. Loops stop as
/// soon as ``spend(_:)`` or ``take(_:)`` returns false; the public function then throws or truncates
/// its result, as ``end`` says.
///
/// ```swift
/// let budget = Budget(bytes: text.utf8.count)
/// for byte in text.utf8 {
///   guard budget.spend(1) else { break }
///   // …
/// }
/// if let end = budget.end { throw end }
/// ```
public final class Budget {
  /// Why the work has to end.
  public enum End: Error, Hashable, Sendable {
    /// The task that does the work was cancelled.
    case cancelled
    /// The text has too much of something.
    case tooMuch(Excess)
  }

  /// Steps for each byte of input.
  ///
  /// The parsers need between 5 and 40; quadratic work needs thousands.
  public static let stepsPerByte = 64
  /// Steps that even the shortest text may take.
  public static let leastSteps = 1 << 20
  /// Bytes of memory that may be taken for each byte of input; see ``take(_:)``.
  public static let roomPerByte = 10
  /// Bytes of memory that even the shortest text may take.
  public static let leastRoom = 16 << 20
  /// Steps between two checks of whether the task was cancelled: less than a millisecond of work.
  static let stepsBetweenChecks = 1 << 14

  /// Steps spent so far.
  public var spent: Int { steps }
  /// Why the work has to end; nil while it may go on.
  public var end: End? { reason }

  // Unchecked: steps are counted for every few bytes of every text, and the checks for overlapping
  // accesses took longer than the counting. No access overlaps another one, because none of these
  // properties is passed to a function that could access it again.
  @exclusivity(unchecked) @usableFromInline var steps = 0
  @exclusivity(unchecked) @usableFromInline var reason: End?
  private let limit: Int
  /// How many bytes of memory may still be taken.
  private var room: Int
  @exclusivity(unchecked) @usableFromInline var nextCheck = Budget.stepsBetweenChecks
  private let isCancelled: () -> Bool

  /// Creates a budget for a text of this many bytes.
  ///
  /// - Parameter isCancelled: whether to stop; called on the thread that does the work.
  public init(bytes: Int, isCancelled: @escaping () -> Bool = { Task.isCancelled }) {
    limit = Self.leastSteps + Self.stepsPerByte * bytes
    room = Self.leastRoom + Self.roomPerByte * bytes
    self.isCancelled = isCancelled
  }

  /// Whether the work has to end.
  public var isSpent: Bool { end != nil }

  /// Counts work that is being done.
  ///
  /// - Returns: false when the work has to end.
  @discardableResult @inlinable
  public func spend(_ steps: Int) -> Bool {
    self.steps += steps
    if self.steps >= nextCheck { check() }
    return reason == nil
  }

  @usableFromInline func check() {
    nextCheck = steps + Self.stepsBetweenChecks
    if reason != nil { return }
    if steps > limit {
      reason = .tooMuch(.work)
    } else if isCancelled() {
      reason = .cancelled
    }
  }

  /// Counts memory that a short piece of the text stands for, such as the whole address that a
  /// relative one becomes.
  ///
  /// - Returns: false when the work has to end.
  @discardableResult
  public func take(_ bytes: Int) -> Bool {
    room -= bytes
    if room < 0, reason == nil { reason = .tooMuch(.memory) }
    return reason == nil
  }

  /// Ends the work if there is more of something than `limit`.
  ///
  /// - Returns: false when the work has to end.
  @discardableResult
  public func require(_ count: Int, atMost limit: Int, _ what: Excess.Kind) -> Bool {
    if count > limit, reason == nil { reason = .tooMuch(.count(what, limit: limit)) }
    return reason == nil
  }
}

/// A limit that an outside text exceeds.
public enum Excess: Error, Hashable, Sendable {
  /// What is counted.
  public enum Kind: String, Sendable, CaseIterable {
    /// Entries of a feed.
    case articles
    /// Feeds of an account.
    case feeds
    /// Attributes of one element.
    case attributes = "attributes in one element"
    /// Namespaces declared at one point of a document.
    case namespaces = "namespaces at one place"
    /// Entities that a document defines.
    case entities = "entities of its own"
    /// Characters of one key.
    case keyLength = "letters"
    /// Lines of a list.
    case lines
    /// Chapters of an episode.
    case chapters
    /// Cues of a transcript, each with a time.
    case cues = "parts with a time"
    /// Keys and values of a configuration.
    case values = "keys and values"
  }

  /// More of something than the program reads.
  case count(Kind, limit: Int)
  /// Work out of all proportion to the size of the text.
  case work
  /// Short pieces that stand for memory out of all proportion to the size of the text.
  case memory

  /// The words that follow "it has": "more than 128 attributes in one element".
  public var words: String {
    switch self {
    case .count(let kind, let limit): "more than \(limit) \(kind.rawValue)"
    case .work: "a structure that would take far too long to read"
    case .memory: "relative addresses that would take far too much memory"
    }
  }
}
