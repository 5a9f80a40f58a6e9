import Foundation

/// Frames drawn in memory: what they cost without any terminal.
@MainActor
enum FrameBenchmarks {
  static let all = [
    Benchmark(name: "frames", title: "a frame in memory, rebuilt and after a key", run: frames)
  ]

  private static func frames() async throws -> Table {
    var table = Table(
      "", "rebuilt", "allocations", "after a key", "allocations", "to the size before", "aim")
    var last: (scene: Substring, seconds: Double)?
    for line in try measured() {
      let fields = line.split(separator: " ")
      guard fields.count == 7, let width = Int(fields[1]) else {
        throw HarnessError.wrong("frames answered “\(line)”")
      }
      let numbers = fields[3...].compactMap { Double($0) }
      let seconds = numbers[0] / 1e9
      // Stacks are told apart by their depth: their scenes are steps of one.
      let scene = fields[0].prefix { $0 != "-" || !fields[0].hasPrefix("stacks") }
      let growth = last.flatMap { $0.scene == scene ? seconds / $0.seconds : nil }
      last = (scene, seconds)
      let cells = [
        "\(fields[0]) \(fields[1])×\(fields[2])", Unit.seconds.text(seconds),
        Unit.count.text(numbers[1]), numbers[2] > 0 ? Unit.seconds.text(numbers[2] / 1e9) : "",
        numbers[2] > 0 ? Unit.count.text(numbers[3]) : "", growth.map { Unit.ratio.text($0) } ?? "",
      ]
      if width == 200, !fields[0].hasPrefix("stacks") {
        table.row(cells, judging: seconds, .seconds, by: Aim(limit: 4e-4))
      } else {
        table.row(cells + [""])
      }
    }
    table.note(
      "processor time of the drawing thread; list and gallery by the number of their elements; twelve"
        + " stacks in each other cost about twice six")
    return table
  }

  private static func measured() throws -> [Substring] {
    let output = Pipe()
    let process = Process()
    process.executableURL = URL(fileURLWithPath: try Programs.sibling("frames"))
    process.standardOutput = output
    try process.run()
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    guard process.terminationStatus == 0 else { throw HarnessError.wrong("frames failed") }
    return text.split(separator: "\n")
  }
}
