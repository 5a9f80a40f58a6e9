import Limits

/// Why bytes are not a feed.
///
/// Nothing of a refused document is kept.
public enum FeedError: Error, Sendable, Hashable {
  /// What a document is when it is not a feed.
  public enum Kind: Sendable, Hashable {
    case html, json, text, binary
    /// XML of another kind, with the name of its outermost element.
    case xml(root: String)
  }

  case empty
  case notAFeed(found: Kind)
  /// The document ends before its outermost element does.
  case truncated(line: Int)
  case malformed(line: Int, reason: String)
  /// It uses an entity that its own DOCTYPE defines: the way of entity bombs and of reading files.
  case ownEntity(name: String)
  case tooDeep(line: Int)
  case tooLarge(limit: Int)
  /// It has too much of something, or is built so that reading it would take too long.
  case tooMuch(Excess)
  /// The task that reads it was cancelled.
  case cancelled

  init(_ end: Budget.End) {
    switch end {
    case .cancelled: self = .cancelled
    case .tooMuch(let excess): self = .tooMuch(excess)
    }
  }
}
