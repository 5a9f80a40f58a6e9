import TerminalUI

extension Configuration {
  /// The file that says what this does, with a comment for every setting.
  var toml: String {
    var lines = [
      "# The configuration of argyle. What is not in the file has its default. Changes apply while",
      "# the program runs; options and environment variables go before what is set here.",
    ]
    for section in ConfigurationSettings.sections {
      lines += ["", "[\(section)]"]
      for setting in ConfigurationSettings.all where setting.section == section {
        lines += Self.comment(setting.comment)
        lines.append("\(setting.name) = \(setting.write(self))")
      }
    }
    lines += keyLines + searchLines
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
        "Each action has a list of keys, the one to be shown first; an empty list leaves it without "
          + "any. A key is a character, or enter, esc, space, pgdn, f5, ctrl-n, alt-x and so on. "
          + "Arrows, Home, End, PgUp, PgDn and Esc always do what they do here.")
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
      [""] + Self.comment("A search that is one of the lists, as often as you like:")
    guard !searches.isEmpty else {
      return lines + ["# [[search]]", "# name = \"Swift\"", "# text = \"swift concurrency\""]
    }
    for search in searches {
      lines += ["[[search]]", "name = \(search.name.toml)", "text = \(search.text.toml)", ""]
    }
    return lines.dropLast()
  }
}
