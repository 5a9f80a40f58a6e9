import PseudoTerminal
import Testing

@testable import TerminalUI

@MainActor
@Suite struct RowWindowTests {
  /// Rows written out line by line: the reference for the arithmetic.
  private struct Model {
    let heights: [Int]
    let height: Int

    var lines: [(row: Int, line: Int)] {
      heights.indices.flatMap { row in (0..<heights[row]).map { (row, $0) } }
    }

    var lastStart: Int { max(0, lines.count - height) }

    /// Returns the line with which a window begins.
    func start(_ position: RowWindow.Position) -> Int {
      heights[..<position.row].reduce(0, +) + position.offset
    }

    func shown(from start: Int) -> [[Int]] {
      lines[start..<min(lines.count, start + height)].map { [$0.row, $0.line] }
    }
  }

  private func shown(_ lines: [RowWindow.Line], height: Int) -> [[Int]] {
    (0..<height).compactMap { y in
      lines.first { $0.y..<($0.y + $0.height) ~= y }.map { [$0.row, y - $0.y] }
    }
  }

  private func random(_ generator: inout SeededGenerator) -> (Model, RowWindow) {
    let heights = (0..<Int.random(in: 1...12, using: &generator)).map { _ in
      Int.random(in: 1...4, using: &generator)
    }
    let model = Model(heights: heights, height: Int.random(in: 1...9, using: &generator))
    return (model, RowWindow(count: heights.count, height: model.height) { heights[$0] })
  }

  @Test func `it shows the lines that a window on all of them would`() {
    var generator = SeededGenerator(seed: 1)
    for _ in 0..<5_000 {
      let (model, window) = random(&generator)
      let wanted = RowWindow.Position(
        row: Int.random(in: 0..<model.heights.count, using: &generator),
        offset: Int.random(in: -6...12, using: &generator))
      let (position, lines) = window.settled(wanted)
      let start = min(max(0, model.start(wanted)), model.lastStart)
      #expect(model.start(position) == start, "\(model) \(wanted)")
      #expect(shown(lines, height: model.height) == model.shown(from: start))
      #expect(window.isEverything(lines) == (model.lines.count <= model.height))
    }
  }

  @Test func `it moves no further than it has to, to show a row`() {
    var generator = SeededGenerator(seed: 2)
    for _ in 0..<5_000 {
      let (model, window) = random(&generator)
      let row = Int.random(in: 0..<model.heights.count, using: &generator)
      let from = window.settled(
        .init(row: Int.random(in: 0..<model.heights.count, using: &generator)))
      let (position, lines) = window.settled(from.position, revealing: row)
      let (top, bottom) = (
        model.heights[..<row].reduce(0, +), model.heights[...row].reduce(0, +)
      )
      let before = model.start(from.position)
      let expected =
        if bottom - top > model.height || top < before {
          min(top, model.lastStart)
        } else {
          max(before, bottom - model.height)
        }
      #expect(model.start(position) == expected, "\(model) \(row) from \(before)")
      #expect(window.isWhole(row, in: lines) == (bottom - top <= model.height))
    }
  }

  @Test func `it asks for no heights beyond what may show`() {
    var asked: Set<Int> = []
    let window = RowWindow(count: 100_000, height: 10) { row in
      asked.insert(row)
      return 2
    }
    _ = window.settled(.init(row: 99_999))
    _ = window.settled(.init(), revealing: 50_000)
    #expect(asked.count <= 20)
  }

  @Test func `a short step passes any number of rows that take no room`() {
    let window = RowWindow(count: 5_000, height: 10) { 3_000..<3_100 ~= $0 ? 1 : 0 }
    #expect(window.position(after: .lines(1), from: .init(), showing: []).row == 3_001)
    let end = window.position(after: .end, from: .init(), showing: [])
    #expect(window.settled(end).position.row == 3_090)
  }

  @Test func `the thumb of a scroll bar reaches both ends, and never leaves them`() {
    for total in 1...60 {
      for height in 1...20 {
        for shown in 1...total {
          let first = ScrollBar(first: 0, shown: shown, total: total).thumb(height: height)
          let last = ScrollBar(first: total - shown, shown: shown, total: total)
            .thumb(height: height)
          #expect(first.lowerBound == 0 && !first.isEmpty)
          #expect(total == shown || last.upperBound == height)
        }
      }
    }
  }
}
