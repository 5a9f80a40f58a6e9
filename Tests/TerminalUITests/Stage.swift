import TerminalUITesting

extension Stage {
  /// The lines of the screen without the scroll bar at the right edge.
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

/// An error with a message.
struct Broken: Error, Equatable {
  var what = "The server is asleep."
}
