import Articles
import TerminalUI

extension Configuration {
  /// What a configuration file says.
  ///
  /// - Throws: everything in it that cannot be taken.
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
    var commandLines: [Int] = []
    for entry in document.entries where problems.count < ConfigurationProblems.limit {
      switch (entry.key, entry.value.content) {
      case ("keys", .table(let table)):
        let choices = KeyChoices(table, in: .program)
        keys = choices.keys
        problems += choices.problems
      case ("search", .array(let elements)):
        var names: Set<String> = []
        for element in elements where problems.count < ConfigurationProblems.limit {
          problems += readSearch(element, &names)
        }
      case ("rule", .array(let elements)):
        for element in elements where problems.count < ConfigurationProblems.limit {
          do throws(ConfigurationProblems) {
            rules.append(try ArticleRule(toml: element))
          } catch {
            problems += error.all
          }
        }
      case ("command", .array(let elements)):
        for element in elements where problems.count < ConfigurationProblems.limit {
          do throws(ConfigurationProblems) {
            commands.append(try ArticleCommand(toml: element))
            commandLines.append(element.line)
          } catch {
            problems += error.all
          }
        }
      case ("full-text", .array(let elements)):
        for element in elements where problems.count < ConfigurationProblems.limit {
          do throws(ConfigurationProblems) {
            fullTextSites.append(try FullTextSite(toml: element))
          } catch {
            problems += error.all
          }
        }
      case ("exec", .array(let elements)):
        for element in elements where problems.count < ConfigurationProblems.limit {
          do throws(ConfigurationProblems) {
            let setting = try FeedProgramSetting(toml: element)
            if feedPrograms.contains(where: { $0.name == setting.name }) {
              problems.append(
                ConfigurationProblem(
                  line: element.line, key: "exec.name",
                  message: "there is already a program “\(setting.name)” above"))
            }
            feedPrograms.append(setting)
          } catch {
            problems += error.all
          }
        }
      case ("keys", _), ("search", _), ("rule", _), ("command", _), ("full-text", _), ("exec", _):
        let header = entry.key == "keys" ? "[keys]" : "[[\(entry.key)]]"
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
    problems += commandConflicts(commandLines)
    guard problems.isEmpty else {
      let sorted = problems.sorted { $0.line < $1.line }
      throw ConfigurationProblems(all: Array(sorted.prefix(ConfigurationProblems.limit)))
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
    guard let problem = setting.read(entry.value, &self) else { return [] }
    return [ConfigurationProblem(line: entry.value.line, key: key, message: problem)]
  }

  private static func unknown(_ entry: TOMLTable.Entry) -> ConfigurationProblem {
    let tables =
      ConfigurationSettings.sections + ["keys", "search", "rule", "command", "full-text", "exec"]
    // A setting without its table, or a table that there is not.
    if let setting = ConfigurationSettings.all.first(where: { $0.name == entry.key }) {
      return ConfigurationProblem(
        line: entry.line, key: entry.key,
        message: "this belongs in the table [\(setting.section)]")
    }
    let advice = Suggestion.advice(for: entry.key, among: tables)
    return ConfigurationProblem(
      line: entry.line, key: entry.key, message: "unknown table; \(advice)")
  }

  /// - Parameter names: of the searches so far.
  private mutating func readSearch(
    _ element: TOMLValue, _ names: inout Set<String>
  ) -> [ConfigurationProblem] {
    guard case .table(let table) = element.content else {
      return [
        ConfigurationProblem(
          line: element.line, key: "search",
          message: "this must be a table with the header [[search]]")
      ]
    }
    var problems: [ConfigurationProblem] = []
    var texts: [String: String] = [:]
    for entry in table.entries where problems.count < ConfigurationProblems.limit {
      guard ["name", "text"].contains(entry.key) else {
        problems.append(
          ConfigurationProblem(
            line: entry.line, key: "search.\(entry.key)",
            message: "unknown setting; the choices are name, text"))
        continue
      }
      if case .string(let text) = entry.value.content, text.contains(where: { !$0.isWhitespace }) {
        texts[entry.key] = text
        if entry.key == "text", let problem = SavedSearch.problem(in: text) {
          problems.append(
            ConfigurationProblem(line: entry.value.line, key: "search.text", message: problem))
        }
      } else {
        problems.append(
          ConfigurationProblem(
            line: entry.value.line, key: "search.\(entry.key)",
            message: "this is \(entry.value.description); it must be a string"))
      }
    }
    guard problems.isEmpty else { return problems }
    guard let name = texts["name"], let text = texts["text"] else {
      return [
        ConfigurationProblem(
          line: element.line, key: "search", message: "a search must have a name and a text")
      ]
    }
    guard names.insert(name).inserted else {
      return [
        ConfigurationProblem(
          line: element.line, key: "search.name",
          message: "there is already a search “\(name)” above")
      ]
    }
    searches.append(SavedSearch(name: name, text: text))
    return []
  }
}
