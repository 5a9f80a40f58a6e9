import Limits

/// Why a document is not a feed.
///
/// Nothing of a refused document is stored.
public enum FeedError: Error, Sendable, Hashable {
  /// What a document is when it is not a feed.
  public enum Kind: Sendable, Hashable {
    case html, json, text, binary
    /// Other XML, with the name of its outermost element.
    case xml(root: String)
  }

  case empty
  case notAFeed(found: Kind)
  /// The document ends before its outermost element.
  case truncated(line: Int)
  case malformed(line: Int, reason: String)
  /// It uses an entity defined in its own DOCTYPE, which is how entity bombs work and how local
  /// files can be read.
  case ownEntity(name: String)
  case tooDeep(line: Int)
  case tooLarge(limit: Int)
  /// It has too much of something, or would take too long to parse.
  case tooMuch(Excess)
  /// The task that parsed it was cancelled.
  case cancelled

  init(_ end: Budget.End) {
    switch end {
    case .cancelled: self = .cancelled
    case .tooMuch(let excess): self = .tooMuch(excess)
    }
  }
}
