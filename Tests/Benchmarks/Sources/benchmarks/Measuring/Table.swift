/// What a benchmark prints: a row for each thing measured, with us first, the peers, the ratios to
/// them, and what we aim at.
struct Table {
  private let header: [String]
  private var rows: [[String]] = []
  private var notes: [String] = []
  /// What was aimed at, and what was reached.
  private(set) var verdicts: [Verdict] = []

  init(_ header: String...) {
    self.header = header
  }

  mutating func row(_ cells: [String]) { rows.append(cells) }

  /// Adds a row whose last cell says whether a value is within its aim.
  mutating func row(_ cells: [String], judging value: Double, _ unit: Unit, by aim: Aim) {
    row(cells + [judge(cells[0], value, unit, by: aim)])
  }

  /// Takes note of whether a value is within its aim, and says so.
  mutating func judge(_ name: String, _ value: Double, _ unit: Unit, by aim: Aim) -> String {
    verdicts.append(
      Verdict(
        name: name, aim: aim.text(unit), reached: unit.text(value), isMet: aim.isMet(by: value)))
    return aim.text(value, unit)
  }

  /// A line below the table.
  mutating func note(_ text: String) { notes.append(text) }

  func print(_ name: String, _ title: String) {
    Swift.print("\(name): \(title)")
    let lines = [header] + rows
    let widths = header.indices.map { column in
      lines.map { $0.indices.contains(column) ? $0[column].count : 0 }.max() ?? 0
    }
    for line in lines {
      let cells = line.enumerated().map { column, cell in
        let space = String(repeating: " ", count: max(0, widths[column] - cell.count))
        return column == 0 ? cell + space : space + cell
      }
      Swift.print("  " + cells.joined(separator: "  "))
    }
    for note in notes { Swift.print("  \(note)") }
    Swift.print()
  }
}

/// Where a value should be at most.
struct Aim {
  let limit: Double

  func isMet(by value: Double) -> Bool { value <= limit }

  func text(_ unit: Unit) -> String { "≤ \(unit.text(limit))" }

  func text(_ value: Double, _ unit: Unit) -> String {
    "\(text(unit)) \(isMet(by: value) ? "met" : "missed")"
  }
}

/// What was aimed at, what was reached, and whether that is enough.
struct Verdict {
  let name: String
  let aim: String
  let reached: String
  let isMet: Bool

  static func summary(of verdicts: [(benchmark: String, verdict: Verdict)]) -> Table {
    var table = Table("", "reached", "aim", "")
    for (benchmark, verdict) in verdicts {
      table.row([
        "\(benchmark): \(verdict.name)", verdict.reached, verdict.aim,
        verdict.isMet ? "met" : "missed",
      ])
    }
    let met = verdicts.count { $0.verdict.isMet }
    table.note("\(met) of \(verdicts.count) met")
    return table
  }
}
