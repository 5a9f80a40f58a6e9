import Articles

/// A program that may write a feed: a table `[[exec]]` of the configuration file.
struct FeedProgramSetting: Hashable, Sendable {
  let name: String
  let program: FeedProgram
}

extension FeedProgramSetting: TableSetting {
  static let header = "exec"
  static let names = ["name", "run", "timeout"]
  static let comment =
    "A program that may write a feed: its name, and what is run. argyle feeds add exec:NAME adds the "
    + "feed that it writes to its standard output, filter:NAME:https://example.org/feed the one that "
    + "it makes of what the server has, which it reads from its standard input. It may take timeout "
    + "seconds (30). Without such a table nothing is run, whatever a feed's address says. There may be "
    + "any number of these:"
  static let example = ["name = \"notes\"", "run = [\"my-notes\", \"--as-rss\"]"]

  private static let nameKind = SettingKind<String>(
    wanted: "it must be a name of letters, digits, - and _",
    read: { $0.text.flatMap { FeedProgram.isName($0) ? $0 : nil } }, write: \.toml)

  var uniqueName: (noun: String, name: String)? { ("a program", name) }

  init?(_ table: inout TableReader) {
    let name = table.value("name", Self.nameKind)
    let words = table.value("run", .program)
    let time = table.value("timeout", .integer(1...3_600)) ?? 30
    guard table.isGood else { return nil }
    guard let name, let words else {
      table.refuse(nil, "a program must have a name and what to run")
      return nil
    }
    self.init(name: name, program: FeedProgram(command: words, time: .seconds(time)))
  }

  var toml: [String] {
    [
      "name = \(name.toml)", "run = \(program.command.toml)",
      "timeout = \(program.time.components.seconds)",
    ]
  }
}
