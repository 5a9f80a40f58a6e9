import ArgumentParser
import Articles
import Terminal

/// The `rules` command: lists, previews and applies the rules of the configuration file.
struct RulesCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "rules", abstract: "List the rules, see what they would do, and apply them.",
    discussion: """
      A rule is a table [[rule]] of the configuration file: when = "title:sponsored", feed = "News" \
      (which may be left out) and do = ["mute"]. It is applied to each article that is fetched for the \
      first time. The actions are mute, read, star and tag:name; what one rule stars no other one \
      mutes.

      Muted articles are in no list and no count; the query muted finds them, and the list Muted of the \
      reader shows them.

      \(QueryOption.explanation)
      """,
    subcommands: [List.self, Preview.self, Apply.self, Undo.self], defaultSubcommand: List.self)

  private static let noRules =
    "There are no rules. A table [[rule]] in the configuration file is one."

  struct List: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "list", abstract: "List the rules.")
    @OptionGroup var unknown: UnknownWords
    @OptionGroup var options: LibraryOptions
    @OptionGroup var output: OutputOptions

    func run() async throws {
      try unknown.refuse(in: RulesCommand.self)
      let rules = try options.settings.configuration.rules
      try output.print(rules.map { $0.answer() }, noteIfEmpty: RulesCommand.noRules) {
        rules.map(\.line).joined(separator: "\n")
      }
    }
  }

  struct Preview: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "preview",
      abstract: "Show what each rule would change of the stored articles. Nothing is changed.")
    @Option(
      name: .shortAndLong, parsing: .unconditional,
      help: "The maximum number of articles that are shown of each rule.")
    var limit = 10
    @OptionGroup var options: LibraryOptions
    @OptionGroup var output: OutputOptions

    func validate() throws {
      if limit < 1 { throw ValidationError("--limit must be at least 1.") }
    }

    func run() async throws {
      let settings = try options.settings
      let library = try options.library(settings)
      let effects = try await library.effects(of: settings.configuration.rules)
      let answers = effects.map { $0.rule.answer($0, limit: limit) }
      try output.print(answers, noteIfEmpty: RulesCommand.noRules) {
        effects.map { $0.text(limit: limit) }.joined(separator: "\n\n")
      }
    }
  }

  struct Apply: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "apply", abstract: "Apply the rules to all stored articles.",
      discussion: """
        Afterwards those articles are muted that a rule mutes, and no others: what was muted by a rule \
        that is gone comes back. Starred articles and those to be read later are not muted. Read marks, \
        stars and tags stay. argyle rules undo takes it back.
        """)
    @OptionGroup var options: LibraryOptions
    @OptionGroup var output: OutputOptions

    func run() async throws {
      let settings = try options.settings
      let library = try options.library(settings)
      let outcome = try await library.apply(settings.configuration.rules)
      try output.print(outcome) {
        outcome.isEmpty
          ? "Nothing to change." : "\(outcome.words)\nargyle rules undo takes that back."
      }
    }
  }

  struct Undo: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "undo", abstract: "Take back what argyle rules apply changed last.",
      discussion: "What has been changed since then stays as it is.")
    @OptionGroup var options: LibraryOptions
    @OptionGroup var output: OutputOptions

    func run() async throws {
      let outcome = try await options.library().takeBackRules()
      try output.print(outcome) {
        outcome.isEmpty ? "Nothing to take back." : "Taken back: \(outcome.words)"
      }
    }
  }
}

extension ArticleRule {
  /// The rule on one line: its actions, its condition and its feed.
  fileprivate var line: String {
    let actions = sortedActions.map(\.name).joined(separator: ", ")
    return printable("\(actions): \(text)" + (feed.map { " (feed: \($0))" } ?? ""))
  }
}

extension RuleEffect {
  fileprivate func text(limit: Int) -> String {
    let counts =
      "  \(counted(matches, "article matches", "articles match")), "
      + "\(changes.count) would be changed."
    guard !changes.isEmpty else { return "\(rule.line)\n\(counts)" }
    let lines = ArticleLines().text(Array(changes.prefix(limit)))
    let rest = changes.count - limit
    return "\(rule.line)\n\(counts)\n\(lines)" + (rest > 0 ? "\n… and \(rest) more" : "")
  }
}

extension RuleOutcome {
  fileprivate var words: String {
    let parts = [
      (muted, "muted"), (unmuted, "no longer muted"), (read, "marked as read"),
      (starred, "starred"), (tagged, "tagged"),
    ].filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }
    return parts.joined(separator: ", ") + "."
  }
}

extension ArticleRule {
  /// - Parameter effect: the stored articles that the rule matches, and those that it would change.
  fileprivate func answer(_ effect: RuleEffect? = nil, limit: Int = 0) -> Answer {
    [
      "when": text, "feed": feed, "do": sortedActions.map(\.name), "matches": effect?.matches,
      "changes": effect?.changes.prefix(limit).map { $0.answer() },
    ]
  }
}
