import Articles

/// A rule of the configuration file: a table `[[rule]]`.
extension ArticleRule {
  private static let names = ["when", "feed", "do"]

  /// - Throws: everything in it that cannot be taken.
  init(toml element: TOMLValue) throws(ConfigurationProblems) {
    var problems: [ConfigurationProblem] = []
    func refuse(_ line: Int, _ name: String?, _ message: String) {
      problems.append(
        ConfigurationProblem(
          line: line, key: name.map { "rule.\($0)" } ?? "rule", message: message))
    }
    var (texts, actions): ([String: TOMLTable.Entry], Set<Action>) = ([:], [])
    if case .table(let table) = element.content {
      for entry in table.entries {
        switch entry.key {
        case "when", "feed":
          if case .string(let text) = entry.value.content,
            text.contains(where: { !$0.isWhitespace })
          {
            texts[entry.key] = entry
          } else {
            refuse(
              entry.value.line, entry.key,
              "this is \(entry.value.description); it must be a string that is not empty")
          }
        case "do":
          for value in entry.value.elements {
            if case .string(let name) = value.content, let action = Action(name: name) {
              actions.insert(action)
            } else {
              refuse(
                value.line, entry.key,
                "this is \(value.description); the choices are \(Self.actionNames)")
            }
          }
        default:
          let advice = Suggestion.advice(for: entry.key, among: Self.names)
          refuse(entry.line, entry.key, "unknown setting; \(advice)")
        }
      }
    } else {
      refuse(element.line, nil, "this must be a table with the header [[rule]]")
    }
    var rule: ArticleRule?
    if let when = texts["when"] {
      do throws(QueryError) {
        rule = try ArticleRule(
          when: when.value.text, feed: texts["feed"]?.value.text, actions: actions)
      } catch {
        refuse(when.value.line, "when", error.clause)
      }
    }
    if problems.isEmpty, rule == nil || actions.isEmpty {
      refuse(
        element.line, nil,
        "a rule must have a condition (when = \"…\") and actions (do = [\"mute\"])")
    }
    guard let rule, problems.isEmpty else { throw ConfigurationProblems(all: problems) }
    self = rule
  }

  private static let actionNames = "mute, read, star, tag:name"

  /// Its lines in a configuration file.
  var toml: [String] {
    let names = sortedActions.map(\.name.toml).joined(separator: ", ")
    return ["[[rule]]", "when = \(text.toml)"] + (feed.map { ["feed = \($0.toml)"] } ?? [])
      + ["do = [\(names)]"]
  }

  /// In the order in which they are listed everywhere.
  var sortedActions: [Action] { actions.sorted { $0.name < $1.name } }
}

extension TOMLValue {
  fileprivate var text: String { if case .string(let text) = content { text } else { "" } }
}

extension QueryError {
  /// What is wrong and what can be done, as a clause for after a colon.
  var clause: String {
    let words = what.prefix(1).lowercased() + what.dropFirst() + " " + advice
    return String(words.dropLast())
  }
}
