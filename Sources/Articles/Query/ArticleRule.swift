import Foundation

/// Actions for new articles that fulfil a condition.
///
/// ```swift
/// let rule = try ArticleRule(when: "title:sponsored", feed: "Daily News", actions: [.mute])
/// library.options.rules = [rule]
/// ```
public struct ArticleRule: Sendable, Hashable {
  public enum Action: Sendable, Hashable {
    /// Hide it from lists and counts; see ``ArticleCondition/isMuted``.
    case mute
    case read
    case star
    case tag(String)

    /// The action as it is written: `mute`, or `tag:name`.
    public var name: String {
      switch self {
      case .mute: "mute"
      case .read: "read"
      case .star: "star"
      case .tag(let tag): "tag:" + tag
      }
    }

    /// Parses an action as it is written; nil for anything else.
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

  /// The condition as typed; ages are relative to the time when the rule is applied.
  public let text: String
  /// A part of the title or address of the feeds that the rule applies to; nil for all feeds.
  public let feed: String?
  public let actions: Set<Action>

  /// - Throws: why the condition cannot be parsed.
  public init(when text: String, feed: String? = nil, actions: Set<Action>) throws(QueryError) {
    self.text = text
    self.feed = feed
    self.actions = actions
    if let error = QueryError(in: text) { throw error }
  }

  /// Returns the condition with ages relative to `now`.
  func condition(now: Date) throws(QueryError) -> ArticleCondition {
    let condition = try ArticleCondition(text, lastWordIsWhole: true, now: now) ?? .any([])
    return feed.map { .all([.feed($0), condition]) } ?? condition
  }
}

/// Rules with their conditions at the time when they are applied.
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

  /// Whether a rule searches for words, which needs the texts of articles.
  var haveWords: Bool { rules.contains { $0.condition.hasWords } }
}

/// What a rule would do to the stored articles.
public struct RuleEffect: Sendable {
  public let rule: ArticleRule
  /// How many articles fulfil its condition.
  public let matches: Int
  /// The matching articles that it would change, newest first.
  public let changes: [Article]
}

/// What applying or undoing rules has changed.
public struct RuleOutcome: Sendable, Hashable, Encodable {
  /// How many articles have become muted.
  public internal(set) var muted = 0
  /// How many articles are no longer muted.
  public internal(set) var unmuted = 0
  public internal(set) var read = 0
  public internal(set) var starred = 0
  public internal(set) var tagged = 0

  /// Whether nothing was changed.
  public var isEmpty: Bool { self == RuleOutcome() }
}

extension Library {
  /// Returns what each rule would change in the stored articles.
  ///
  /// - Throws: ``StoreError`` or ``QueryError``.
  public func effects(of rules: [ArticleRule]) async throws -> [RuleEffect] {
    let inForce = try RulesInForce(rules, now: now())
    if inForce.haveWords { try await indexNew() }
    return zip(rules, try await store.effects(of: inForce)).map { rule, effect in
      RuleEffect(rule: rule, matches: effect.matches, changes: effect.changes)
    }
  }

  /// Applies rules to all stored articles.
  ///
  /// Afterwards exactly the articles that a rule mutes are muted, except for starred ones and those
  /// to be read later.
  /// ``takeBackRules()`` undoes it, even in another program; ``undo()`` does not.
  ///
  /// - Throws: ``StoreError`` or ``QueryError``.
  public func apply(_ rules: [ArticleRule]) async throws -> RuleOutcome {
    let inForce = try RulesInForce(rules, now: now())
    if inForce.haveWords { try await indexNew() }
    let outcome = try await store.apply(inForce)
    if !outcome.isEmpty { changed() }
    return outcome
  }

  /// Undoes the last changes of ``apply(_:)``; marks that have changed since stay as they are.
  ///
  /// - Returns: what was undone; nothing if rules were not applied since the last time.
  public func takeBackRules() async throws -> RuleOutcome {
    let outcome = try await store.takeBackRules()
    if !outcome.isEmpty { changed() }
    return outcome
  }
}
