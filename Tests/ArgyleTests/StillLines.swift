@testable import Argyle

extension Still {
  /// The rows, without blanks and scroll bars at their ends.
  var lines: [String] {
    frame.text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
      String(line.reversed().drop { $0 == "▐" || $0 == " " }.reversed())
    }
  }
}
