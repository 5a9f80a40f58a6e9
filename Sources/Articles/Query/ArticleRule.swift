import Foundation

/// What happens to the articles that fulfil a condition, when they are fetched first.
///
/// ```swift
/// let rule = try ArticleRule(when: "title:sponsored", feed: "Daily News", actions: [.mute])
/// library.options.rules = [rule]
/// ```
public struct ArticleRule: Sendable, Hashable {
  public enum Action: Sendable, Hashable {
    /// Leave it out of lists and counts; see ``ArticleCondition/isMuted``.
    case mute
    case read
    case star
    case tag(String)

    /// As it is written: `mute`, or `tag:name`.
    public var name: String {
      switch self {
      case .mute: "mute"
      case .read: "read"
      case .star: "star"
      case .tag(let tag): "tag:" + tag
      }
    }

    /// - Parameter name: as it is written; nil for what is none.
    public init?(name: String) {
      switch name {
      case "mute": self = .mute
      case "read": self = .read
      case "star": self = .star
      default:
        guard name.hasPrefix("tag:") else { return nil }
        let tags = ArticleTag.names(typed: String(name.dropFirst(4)))
        guard tags.count == 1 else { return nil }
        self = .tag(tags[0])
      }
    }
  }

  /// The condition as a user has typed it: an age is counted from when the rule is applied.
  public let text: String
  /// A part of the title or of the address of the feeds that it is about; nil for all feeds.
  public let feed: String?
  public let actions: Set<Action>

  /// - Throws: why the condition cannot be read.
  public init(when text: String, feed: String? = nil, actions: Set<Action>) throws(QueryError) {
    self.text = text
    self.feed = feed
    self.actions = actions
    guard try Self.condition(text, now: Date()) != nil else {
      throw QueryError(
        what: "There is no word and no condition in it.",
        advice: "Write which articles are meant.", place: 0..<text.unicodeScalars.count)
    }
  }

  /// Words are whole words: a rule is not still being typed.
  private static func condition(_ text: String, now: Date) throws(QueryError) -> ArticleCondition? {
    try ArticleCondition(text + " ", now: now)
  }

  /// What an article must be now.
  func condition(now: Date) throws(QueryError) -> ArticleCondition {
    let condition = try Self.condition(text, now: now) ?? .any([])
    return feed.map { .all([.feed($0), condition]) } ?? condition
  }
}

/// Rules at the time when they are applied.
struct RulesInForce: Sendable {
  struct Rule: Sendable {
    let condition: ArticleCondition
    let actions: Set<ArticleRule.Action>
  }

  static let none = RulesInForce(rules: [])

  let rules: [Rule]

  init(rules: [Rule]) { self.rules = rules }

  init(_ rules: [ArticleRule], now: Date) throws(QueryError) {
    var read: [Rule] = []
    for rule in rules {
      read.append(Rule(condition: try rule.condition(now: now), actions: rule.actions))
    }
    self.rules = read
  }

  var isEmpty: Bool { rules.isEmpty }

  /// Whether one of them looks for words, for which the texts of articles are needed.
  var haveWords: Bool { rules.contains { $0.condition.hasWords } }
}

/// What a rule means for the articles that are stored.
public struct RuleEffect: Sendable {
  public let rule: ArticleRule
  /// How many articles fulfil its condition.
  public let matches: Int
  /// Those of them that it would change, newest first.
  public let changes: [Article]
}

/// What applying rules to everything that is stored has changed, or what of that was taken back.
public struct RuleOutcome: Sendable, Hashable {
  /// How many articles are muted now that were not.
  public internal(set) var muted = 0
  /// How many are not muted any more, since no rule says so.
  public internal(set) var unmuted = 0
  public internal(set) var read = 0
  public internal(set) var starred = 0
  public internal(set) var tagged = 0

  /// Whether nothing was changed.
  public var isEmpty: Bool { self == RuleOutcome() }
}
