import Foundation

/// The memory of things that do nothing.
extension LoadingBenchmarks {
  static func footprint() async throws -> Table {
    var table = Table("bytes each, of 100,000", "heap", "resident", "aim")
    for (kind, name) in [
      ("resource", "resource"), ("observable", "@Observable"), ("subject", "OpenCombine"),
    ] {
      let bytes = try footprint(of: kind)
      let cells = [name] + bytes.map(String.init)
      if kind == "resource" {
        table.row(cells, judging: Double(bytes.max() ?? 0), .bytes, by: Aim(limit: 999))
      } else {
        table.row(cells + [""])
      }
    }
    table.note(
      "each in a process of its own; heap: handed out by malloc; resident: /proc/self/statm")
    return table
  }

  private static func footprint(of kind: String) throws -> [Int] {
    let output = Pipe()
    let process = Process()
    process.executableURL = URL(fileURLWithPath: try Programs.sibling("footprint"))
    process.arguments = [kind, "100000"]
    process.standardOutput = output
    try process.run()
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    let numbers = text.split(whereSeparator: \.isWhitespace).compactMap { Int($0) }
    guard process.terminationStatus == 0, numbers.count == 2 else {
      throw HarnessError.wrong("footprint \(kind) answered “\(text)”")
    }
    return numbers
  }
}
