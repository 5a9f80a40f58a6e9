/// A mistake in a configuration file.
struct ConfigurationProblem: Error, Hashable, Sendable {
  let line: Int
  /// The setting with its table, as in `display.theme`; empty if the text is not TOML at all.
  var key = ""
  let message: String

  /// Returns `config.toml:12: display.theme: …`.
  func text(file: String) -> String {
    let end = message.hasSuffix("?") ? "" : "."
    return "\(file):\(line): \(key.isEmpty ? "" : "\(key): ")\(message)\(end)"
  }
}

/// The mistakes in a configuration file, in the order of the lines; never empty.
struct ConfigurationProblems: Error, Hashable, Sendable {
  /// The reader stops at this many mistakes: a file with so many was written for something else.
  static let limit = 100

  let all: [ConfigurationProblem]
}

/// Suggests names for mistyped ones.
enum Suggestion {
  /// Returns the name that is most like a mistyped one; nil if none is like it.
  static func name(for typed: String, among names: some Sequence<String>) -> String? {
    // Longer texts are not mistyped names, and comparing takes time that grows with the square of
    // the length.
    guard typed.count <= 40 else { return nil }
    let best = names.map { (name: $0, distance: distance($0, typed)) }.min {
      $0.distance < $1.distance
    }
    guard let best, best.distance <= max(1, best.name.count / 3) else { return nil }
    return best.name
  }

  /// Suggests the known name that is most like an unknown one, or lists all of them.
  static func advice(for typed: String, among names: [String]) -> String {
    name(for: typed, among: names).map { "did you mean \($0)?" }
      ?? "the choices are \(names.joined(separator: ", "))"
  }

  /// Returns how many letters were left out, added, changed or swapped with their neighbour.
  static func distance(_ one: String, _ other: String) -> Int {
    let (a, b) = (Array(one), Array(other))
    var before: [Int] = []
    var last = Array(0...b.count)
    for i in a.indices {
      var row = [i + 1]
      for j in b.indices {
        var cost = min(last[j] + (a[i] == b[j] ? 0 : 1), last[j + 1] + 1, row[j] + 1)
        if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] { cost = min(cost, before[j - 1] + 1) }
        row.append(cost)
      }
      (before, last) = (last, row)
    }
    return last[b.count]
  }
}
