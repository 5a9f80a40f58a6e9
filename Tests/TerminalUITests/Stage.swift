import TerminalUITesting

extension Stage {
  /// What is on the screen, without what marks at the right edge how far something is scrolled.
  var rows: String {
    lines.map { line in
      var line = line[...]
      if line.last == "▐" { line.removeLast() }
      while line.last == " " { line.removeLast() }
      return String(line)
    }
    .joined(separator: "\n")
  }
}

/// An error with words.
struct Broken: Error, Equatable {
  var what = "The server is asleep."
}
