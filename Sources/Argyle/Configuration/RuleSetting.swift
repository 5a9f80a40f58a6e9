import Articles

/// A rule of the configuration file: a table `[[rule]]`.
extension ArticleRule: TableSetting {
  static let header = "rule"
  static let names = ["when", "feed", "do"]
  static let comment =
    "A rule: what happens to articles that fulfil a condition when they are fetched first. The "
    + "condition is a query, as in a search; feed is a part of the title or address of the feeds "
    + "that it is about, or left out; the actions are mute, read, star and tag:name. argyle rules preview "
    + "shows what it would do. There may be any number of these:"
  static let example = ["when = \"title:sponsored\"", "do = [\"mute\"]"]

  init?(_ table: inout TableReader) {
    let when = table.value("when", .name)
    let feed = table.value("feed", .name)
    let actions = Set(
      table.values("do", wanted: "the choices are mute, read, star, tag:name") {
        Action(name: $0)
      })
    var rule: ArticleRule?
    if let when {
      do throws(QueryError) {
        rule = try ArticleRule(when: when, feed: feed, actions: actions)
      } catch {
        table.refuse("when", error.clause)
      }
    }
    guard table.isGood else { return nil }
    guard let rule, !actions.isEmpty else {
      table.refuse(nil, "a rule must have a condition (when = \"…\") and actions (do = [\"mute\"])")
      return nil
    }
    self = rule
  }

  var toml: [String] {
    ["when = \(text.toml)"] + (feed.map { ["feed = \($0.toml)"] } ?? [])
      + ["do = \(sortedActions.map(\.name).toml)"]
  }

  /// The actions in the order in which every listing shows them.
  var sortedActions: [Action] { actions.sorted { $0.name < $1.name } }
}

extension QueryError {
  /// What is wrong and what the user can do, as a clause for use after a colon.
  var clause: String {
    let words = what.prefix(1).lowercased() + what.dropFirst() + " " + advice
    return String(words.dropLast())
  }
}
