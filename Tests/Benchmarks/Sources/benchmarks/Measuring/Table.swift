/// What a benchmark prints: a row for each thing measured, with us first, the peers, the ratios to
/// them, and what we aim at.
struct Table {
  private let header: [String]
  private var rows: [[String]] = []
  private var notes: [String] = []

  init(_ header: String...) {
    self.header = header
  }

  mutating func row(_ cells: [String]) { rows.append(cells) }

  /// A line below the table.
  mutating func note(_ text: String) { notes.append(text) }

  func print(as benchmark: Benchmark) {
    Swift.print("\(benchmark.name): \(benchmark.title)")
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

/// Where a ratio should be at most.
struct Aim {
  let limit: Double

  func text(_ ratio: Double) -> String {
    "≤ \(limit.formatted(decimals: limit == limit.rounded() ? 0 : 1)) \(ratio <= limit ? "met" : "missed")"
  }
}
