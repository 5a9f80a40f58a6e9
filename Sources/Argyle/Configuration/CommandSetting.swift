import TerminalUI

/// A command of the configuration file: a table `[[command]]`.
extension ArticleCommand: TableSetting {
  static let header = "command"
  static let names = ["key", "name", "run", "input", "foreground", "wait"]
  static let comment =
    "A command for the selected or open article: its key, its name, and a program with its arguments, "
    + "in which {link}, {title}, {author}, {feed}, {enclosure}, {file} (its download), {position} and {positions} (see podcasts.player) stand for "
    + "those of the article. No shell reads them. input (text, markdown or html) is what the program reads from its standard input; with "
    + "foreground = true it has the terminal until it ends. Then the reader waits for Enter if the "
    + "program failed or ended within a second; wait = true and wait = false say always and never. "
    + "There may be any number of these:"
  static let example = [
    "key = \"B\"", "name = \"read aloud\"", "run = [\"espeak-ng\", \"--stdin\"]",
    "input = \"text\"",
  ]

  init?(_ table: inout TableReader) {
    let name = table.value("name", .name)
    let keys = table.each("key") { (value) throws(TableProblem) in try KeySequence(toml: value) }
    let words = table.value("run", .program) ?? []
    if let program = words.first, OutsideCommand("", [program]).hasPlaceholders {
      table.refuse("run", "the program must not come from a feed")
    } else if let unknown = words.lazy.compactMap(OutsideCommand.unknownPlaceholder).first {
      let choices = OutsideCommand.Placeholder.allCases.map { "{\($0.rawValue)}" }
      table.refuse(
        "run",
        "there is no placeholder {\(unknown)}; the choices are \(choices.joined(separator: ", "))")
    }
    let input = table.value("input", SettingKind<Input>.choice)
    let isForeground = table.value("foreground", .flag) ?? false
    let waits = table.value("wait", .flag)
    guard table.isGood else { return nil }
    guard let name, !keys.isEmpty, let program = words.first else {
      table.refuse(nil, "a command must have a key, a name and what to run")
      return nil
    }
    if waits != nil, !isForeground {
      table.refuse("wait", "only a command with foreground = true has a terminal to wait on")
    }
    self.init(
      name: name, keys: keys, command: OutsideCommand(program, Array(words.dropFirst())),
      input: input, isForeground: isForeground, waits: waits)
  }

  var toml: [String] {
    [
      "key = \(keys.map(\.name).toml)", "name = \(name.toml)",
      "run = \(([command.program] + command.templates).toml)",
    ] + (input.map { ["input = \($0.rawValue.toml)"] } ?? [])
      + (isForeground ? ["foreground = true"] : []) + (waits.map { ["wait = \($0)"] } ?? [])
  }
}
