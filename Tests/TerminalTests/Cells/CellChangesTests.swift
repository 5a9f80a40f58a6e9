import Testing

@testable import Terminal

/// Which columns of a row have to be painted again.
@Suite struct CellChangesTests {
  private func changes(_ old: String, _ new: String) -> [Range<Int>] {
    let size = Size(width: 30, height: 1)
    var (before, after) = (CellBuffer(size: size), CellBuffer(size: size))
    before.write(old, at: Point(x: 0, y: 0))
    after.write(new, at: Point(x: 0, y: 0))
    return after.changes(from: before, row: 0)
  }

  @Test func `a row that is the same has none`() {
    #expect(changes("the same 字", "the same 字") == [])
  }

  @Test func `what changes far apart is two runs, and what changes near by is one`() {
    #expect(changes("a                  b", "A                  B") == [0..<1, 19..<20])
    #expect(changes("a       b", "A       B") == [0..<9])
  }

  @Test func `a run begins with the whole of a wide glyph`() {
    var before = CellBuffer(size: Size(width: 10, height: 1))
    before.write("ab字", at: Point(x: 0, y: 0))
    var after = before
    after.write("字字", at: Point(x: 0, y: 0))
    #expect(after.changes(from: before, row: 0) == [0..<2])
    #expect(changes("a字", "ab字") == [1..<4])
  }

  @Test func `a row that is copied is the same from then on`() {
    let size = Size(width: 5, height: 2)
    var (before, after) = (CellBuffer(size: size), CellBuffer(size: size))
    after.write("hello", at: Point(x: 0, y: 1))
    before.copy(0..<after.size.width, ofRow: 1, from: after)
    #expect(before == after)
  }
}
