import TerminalUI

extension Configuration {
  /// The file that says what this does, with a comment for every setting.
  var toml: String {
    var lines = [
      "# The configuration of argyle. Settings that are not in the file have their defaults. Changes",
      "# apply while the program runs. Options and environment variables override this file.",
    ]
    for section in ConfigurationSettings.sections {
      lines += ["", "[\(section)]"]
      for setting in ConfigurationSettings.all where setting.section == section {
        lines += Self.comment(setting.comment)
        lines.append("\(setting.name) = \(setting.write(self))")
      }
    }
    lines += keyLines + searchLines + ruleLines + commandLines + fullTextLines + execLines
    return lines.joined(separator: "\n") + "\n"
  }

  private static func comment(_ text: String) -> [String] {
    var lines: [String] = []
    for word in text.split(separator: " ") {
      if let last = lines.last, last.count + 1 + word.count <= 98 {
        lines[lines.count - 1] += " \(word)"
      } else {
        lines.append("# \(word)")
      }
    }
    return lines
  }

  private var keyLines: [String] {
    var lines =
      ["", "[keys]"]
      + Self.comment(
        "The keys of each action. The first one is shown in the footer; an empty list leaves the action "
          + "without a key. A key is a character, or a name such as enter, esc, space, pgdn, f5, ctrl-n "
          + "or alt-x. Arrows, Home, End, PgUp, PgDn and Esc always do what they do here, too.")
    var printed: Set<KeyAction> = []
    for section in KeyTable.program.sections {
      lines += ["", "# \(section.title):"]
      for action in section.actions where printed.insert(action).inserted {
        let keys = (keys[action] ?? action.keys).map(\.name.toml).joined(separator: ", ")
        lines.append("\(action.name) = [\(keys)]  # \(action.label)")
      }
    }
    return lines
  }

  private var searchLines: [String] {
    var lines =
      [""]
      + Self.comment("A saved search, which is one of the lists. There may be any number of these:")
    guard !searches.isEmpty else {
      return lines + ["# [[search]]", "# name = \"Swift\"", "# text = \"swift concurrency\""]
    }
    for search in searches {
      lines += ["[[search]]", "name = \(search.name.toml)", "text = \(search.text.toml)", ""]
    }
    return lines.dropLast()
  }

  private var ruleLines: [String] {
    let lines =
      [""]
      + Self.comment(
        "A rule: what happens to articles that fulfil a condition when they are fetched first. The "
          + "condition is a query, as in a search; feed is a part of the title or address of the feeds "
          + "that it is about, or left out; the actions are mute, read, star and tag:name. argyle rules preview "
          + "shows what it would do. There may be any number of these:")
    guard !rules.isEmpty else {
      let example = ["[[rule]]", "when = \"title:sponsored\"", "do = [\"mute\"]"]
      return lines + example.map { "# \($0)" }
    }
    return lines + rules.map(\.toml).joined(separator: [""])
  }

  private var execLines: [String] {
    let lines =
      [""]
      + Self.comment(
        "A program that may write a feed: its name, and what is run. argyle feeds add exec:NAME adds the "
          + "feed that it writes to its standard output, filter:NAME:https://example.org/feed the one that "
          + "it makes of what the server has, which it reads from its standard input. It may take timeout "
          + "seconds (30). Without such a table nothing is run, whatever a feed's address says. There may be "
          + "any number of these:")
    guard !feedPrograms.isEmpty else {
      let example = ["[[exec]]", "name = \"notes\"", "run = [\"my-notes\", \"--as-rss\"]"]
      return lines + example.map { "# \($0)" }
    }
    return lines + feedPrograms.map(\.toml).joined(separator: [""])
  }

  private var fullTextLines: [String] {
    let lines =
      [""]
      + Self.comment(
        "Where the article is on the pages of a site, whose full text is otherwise found by its look: the "
          + "site, the elements that are the article (select) and those in it that are not (remove), each "
          + "by names of elements, .classes and #ids, such as \"article .body\". Or a program that reads "
          + "the page from its standard input and writes the article as HTML (run). There may be any "
          + "number of these:")
    guard !fullTextSites.isEmpty else {
      let example = [
        "[[full-text]]", "site = \"example.org\"", "select = [\"article .body\"]",
        "remove = [\".ad\"]",
      ]
      return lines + example.map { "# \($0)" }
    }
    return lines + fullTextSites.map(\.toml).joined(separator: [""])
  }

  private var commandLines: [String] {
    let lines =
      [""]
      + Self.comment(
        "A command for the selected or open article: its key, its name, and a program with its arguments, "
          + "in which {link}, {title}, {author}, {feed} and {enclosure} stand for those of the article. No shell reads "
          + "them. input (text, markdown or html) is what the program reads from its standard input; with "
          + "foreground = true it has the terminal until it ends. Then the reader waits for Enter if the "
          + "program failed or ended within a second; wait = true and wait = false say always and never. "
          + "There may be any number of these:"
      )
    guard !commands.isEmpty else {
      let example = [
        "[[command]]", "key = \"B\"", "name = \"read aloud\"", "run = [\"espeak-ng\", \"--stdin\"]",
        "input = \"text\"",
      ]
      return lines + example.map { "# \($0)" }
    }
    return lines + commands.map(\.toml).joined(separator: [""])
  }
}
