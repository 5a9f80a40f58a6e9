@testable import Argyle

extension Still {
  /// Its rows, without blanks and the bar of a scroll view at their ends.
  var lines: [String] {
    frame.text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
      String(line.reversed().drop { $0 == "▐" || $0 == " " }.reversed())
    }
  }
}
