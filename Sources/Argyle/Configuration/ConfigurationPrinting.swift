import TerminalUI

extension Configuration {
  /// The text of a file with this configuration, with a comment for every setting.
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
    lines += keyLines
    for kind in TableKind.all {
      let written = kind.write(self)
      lines += [""] + Self.comment(written.comment) + written.lines
    }
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

  static let keysComment =
    "The keys of each action. The first one is shown in the footer; an empty list leaves the action "
    + "without a key. A key is a character, or a name such as enter, esc, space, pgdn, f5, ctrl-n "
    + "or alt-x; several of them with spaces between are pressed one after another, as in \"g g\". "
    + "Arrows, Home, End, PgUp, PgDn and Esc always do what they do here, too."

  private var keyLines: [String] {
    var lines =
      ["", "[keys]"]
      + Self.comment(Self.keysComment)
    var printed: Set<KeyAction> = []
    for section in KeyTable.program.sections {
      lines += ["", "# \(section.title):"]
      for action in section.actions where printed.insert(action).inserted {
        let keys = (keys[action] ?? action.keys).map(\.name).toml
        lines.append("\(action.name) = \(keys)  # \(action.label)")
      }
    }
    return lines
  }
}
