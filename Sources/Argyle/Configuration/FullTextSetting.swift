import Articles

/// Where the article is on the pages of a site: a table `[[full-text]]` of the configuration file.
extension FullTextSite {
  private static let names = ["site", "select", "remove", "run"]

  /// - Throws: everything in it that cannot be taken.
  init(toml element: TOMLValue) throws(ConfigurationProblems) {
    var problems: [ConfigurationProblem] = []
    func refuse(_ line: Int, _ name: String?, _ message: String) {
      problems.append(
        ConfigurationProblem(
          line: line, key: name.map { "full-text.\($0)" } ?? "full-text", message: message))
    }
    var site: String?
    var selectors: [String: [PageSelector]] = [:]
    var words: [String] = []
    guard case .table(let table) = element.content else {
      refuse(element.line, nil, "this must be a table with the header [[full-text]]")
      throw ConfigurationProblems(all: problems)
    }
    for entry in table.entries {
      let value = entry.value
      switch (entry.key, value.content) {
      case ("site", .string(let text)) where Self.isHost(text): site = text
      case ("site", _):
        refuse(
          value.line, entry.key,
          "this is \(value.description); it must be the name of a server, such as \"example.org\"")
      case ("select", _), ("remove", _):
        for value in value.elements {
          if case .string(let text) = value.content, let selector = PageSelector(text) {
            selectors[entry.key, default: []].append(selector)
          } else {
            refuse(
              value.line, entry.key,
              "this is \(value.description); it must be a selector such as \"article .body\" or \"#text\""
            )
          }
        }
      case ("run", .array(let elements)):
        words = elements.compactMap { if case .string(let text) = $0.content { text } else { nil } }
        if words.count < elements.count || words.first?.isEmpty != false { fallthrough }
      case ("run", _):
        refuse(
          value.line, entry.key,
          "this is \(value.description); it must be a list of strings: a program and its arguments")
      default:
        let advice = Suggestion.advice(for: entry.key, among: Self.names)
        refuse(entry.line, entry.key, "unknown setting; \(advice)")
      }
    }
    let selected = selectors["select"] ?? []
    if problems.isEmpty, site == nil || selected.isEmpty == words.isEmpty {
      refuse(element.line, nil, "this must have a site, and either select or run")
    } else if problems.isEmpty, !words.isEmpty, selectors["remove"] != nil {
      refuse(element.line, nil, "remove goes with select; a program leaves out what it likes")
    }
    guard problems.isEmpty, let site else { throw ConfigurationProblems(all: problems) }
    self.init(
      site: site,
      method: words.isEmpty
        ? .selectors(selected, removing: selectors["remove"] ?? []) : .program(words))
  }

  private static func isHost(_ text: String) -> Bool {
    !text.isEmpty && text.utf8.count < 254
      && text.allSatisfy { $0.isLetter || $0.isNumber || $0 == "." || $0 == "-" }
  }

  /// Its lines in a configuration file.
  var toml: [String] {
    func line(_ name: String, _ texts: [String]) -> String {
      "\(name) = [\(texts.map(\.toml).joined(separator: ", "))]"
    }
    let start = ["[[full-text]]", "site = \(site.toml)"]
    switch method {
    case .selectors(let selected, let removed):
      return start + [line("select", selected.map(\.text))]
        + (removed.isEmpty ? [] : [line("remove", removed.map(\.text))])
    case .program(let words): return start + [line("run", words)]
    }
  }
}
