import Articles
import TerminalUI

extension Configuration {
  /// Reads the text of a configuration file.
  ///
  /// - Throws: every mistake in it.
  init(toml text: String) throws(ConfigurationProblems) {
    self.init()
    let document: TOMLTable
    do {
      document = try TOMLReader.read(text)
    } catch {
      throw ConfigurationProblems(
        all: [ConfigurationProblem(line: error.line, message: error.message)])
    }
    var problems: [ConfigurationProblem] = []
    var claims: [KeyClaim] = []
    // The lines at which the tables of each header begin.
    var lines: [String: [Int]] = [:]
    for entry in document.entries where problems.count < ConfigurationProblems.limit {
      let kind = TableKind.all.first { $0.header == entry.key }
      switch (entry.key, entry.value.content) {
      case ("keys", .table(let table)):
        let choices = KeyChoices(table, in: .program)
        keys = choices.keys
        claims = choices.claims
        problems += choices.problems
      // A setting above the tables may have the name of a table.
      case (_, let content)
      where content.isSingle && ConfigurationSettings.all.contains { $0.name == entry.key }:
        problems.append(Self.unknown(entry))
      case (_, .array(let elements)) where kind != nil:
        lines[entry.key] = kind?.read(elements, &self, &problems)
      case ("keys", _),
        (_, _) where kind != nil:
        let header = kind == nil ? "[keys]" : "[[\(entry.key)]]"
        problems.append(
          ConfigurationProblem(
            line: entry.line, key: entry.key,
            message: "this must be a table with the header \(header)"))
      case (_, .table(let table)) where ConfigurationSettings.sections.contains(entry.key):
        for setting in table.entries where problems.count < ConfigurationProblems.limit {
          problems += read(setting, in: entry.key)
        }
      default: problems.append(Self.unknown(entry))
      }
    }
    claims += keyClaims(lines)
    let left = KeyTable.program.keysLeft(by: claims, chosen: Set(keys.keys))
    actionsLeftWithoutKey = KeyTable.program.actions.filter { left[$0] == [] }
    keys = keys.merging(left) { $1 }.filter { $0.value != $0.key.keys }
    problems += KeyTable.program.conflicts(of: claims) + unknownTheme(in: document)
    guard problems.isEmpty else {
      let sorted = problems.sorted { $0.line < $1.line }
      throw ConfigurationProblems(all: Array(sorted.prefix(ConfigurationProblems.limit)))
    }
  }

  private func keyClaims(_ lines: [String: [Int]]) -> [KeyClaim] {
    func claims(
      _ header: String, _ index: Int, _ name: String, _ screens: KeyTable.Screens,
      _ keys: [KeySequence]
    ) -> [KeyClaim] {
      guard let line = lines[header]?[index] else { return [] }
      return keys.map {
        KeyClaim(
          holder: .named(name), screens: screens, keys: $0, place: (line, "\(header).key"))
      }
    }
    return commands.enumerated().flatMap {
      claims(ArticleCommand.header, $0, $1.name, [.articles, .article], $1.keys)
    }
      + macros.enumerated().flatMap {
        claims(Macro.header, $0, $1.name, .everywhere, $1.keys)
      }
  }

  private mutating func read(
    _ entry: TOMLTable.Entry, in section: String
  ) -> [ConfigurationProblem] {
    let settings = ConfigurationSettings.all.filter { $0.section == section }
    let key = "\(section).\(entry.key)"
    guard let setting = settings.first(where: { $0.name == entry.key }) else {
      let advice = Suggestion.advice(for: entry.key, among: settings.map(\.name))
      return [
        ConfigurationProblem(line: entry.line, key: key, message: "unknown setting; \(advice)")
      ]
    }
    do throws(TableProblem) {
      try setting.read(entry.value, &self)
      return []
    } catch {
      return [ConfigurationProblem(line: entry.value.line, key: key, message: error.message)]
    }
  }

  /// Returns a problem if there is no theme with the chosen name.
  ///
  /// Checked at the end, since the name may come before the theme.
  private func unknownTheme(in document: TOMLTable) -> [ConfigurationProblem] {
    guard case .table(let table)? = document["display"]?.value.content,
      let value = table["theme"]?.value, let name = value.content.text,
      !display.themeNames.contains(name)
    else { return [] }
    let names = display.themeNames.joined(separator: ", ")
    return [
      ConfigurationProblem(
        line: value.line, key: "display.theme",
        message: "this is \(value.description); the choices are \(names)")
    ]
  }

  private static func unknown(_ entry: TOMLTable.Entry) -> ConfigurationProblem {
    let tables = ConfigurationSettings.sections + ["keys"] + TableKind.all.map(\.header)
    // A setting outside of its table, or an unknown table.
    if let setting = ConfigurationSettings.all.first(where: { $0.name == entry.key }) {
      return ConfigurationProblem(
        line: entry.line, key: entry.key,
        message: "this belongs in the table [\(setting.section)]")
    }
    let advice = Suggestion.advice(for: entry.key, among: tables)
    return ConfigurationProblem(
      line: entry.line, key: entry.key, message: "unknown table; \(advice)")
  }
}

/// A saved search: a table `[[search]]`.
extension SavedSearch: TableSetting {
  static let header = "search"
  static let names = ["name", "text"]
  static let comment =
    "A saved search, which is one of the lists. There may be any number of these:"
  static let example = ["name = \"Swift\"", "text = \"swift concurrency\""]

  var uniqueName: (noun: String, name: String)? { ("a search", name) }

  init?(_ table: inout TableReader) {
    let (name, text) = (table.value("name", .name), table.value("text", .name))
    if let text, let problem = QueryError(in: text) { table.refuse("text", problem.clause) }
    guard table.isGood else { return nil }
    guard let name, let text else {
      table.refuse(nil, "a search must have a name and a text")
      return nil
    }
    self.init(name: name, text: text)
  }

  var toml: [String] { ["name = \(name.toml)", "text = \(text.toml)"] }
}
