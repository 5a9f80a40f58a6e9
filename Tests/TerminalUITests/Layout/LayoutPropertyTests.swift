import PseudoTerminal
import Testing

@testable import TerminalUI

/// Tests of properties that every tree of views has at every size.
@MainActor
@Suite struct LayoutPropertyTests {
  /// Draws a view inside a margin of cells that it does not own.
  private struct Margin: PrimitiveView {
    let inner: Rect
    let content: RandomTree

    func makeNodes(_ context: ViewContext) -> [Node] {
      [MarginNode(context, context.node(content), inner: inner)]
    }
  }

  private final class MarginNode: WrapperNode {
    static let mark = Cell(Glyphs("#").first { _ in true } ?? .space)
    private let inner: Rect

    init(_ context: ViewContext, _ content: Node, inner: Rect) {
      self.inner = inner
      super.init(context, content)
    }

    override func measure(_ proposal: ProposedSize) -> Size {
      Size(width: proposal.width ?? 0, height: proposal.height ?? 0)
    }

    override func draw(in region: Region) {
      region.fill(Self.mark)
      region.part(inner).fill(.plain)
      let size = content.size(ProposedSize(inner.size))
      content.draw(in: region.part(inner).part(Rect(origin: inner.origin, size: size)))
    }
  }

  private static func size(_ seed: UInt64, using generator: inout SeededGenerator) -> Size {
    // Each of the smallest sizes, then random ones.
    seed < 60
      ? Size(width: Int(seed % 10) + 1, height: Int(seed / 10) + 1)
      : Size(
        width: .random(in: 1...60, using: &generator),
        height: .random(in: 1...20, using: &generator))
  }

  @Test func `nothing draws outside its region`() {
    for seed in 0..<600 as Range<UInt64> {
      var generator = SeededGenerator(seed: seed)
      let size = Self.size(seed, using: &generator)
      let inner = Rect(x: 2, y: 2, width: size.width, height: size.height)
      let view = Margin(inner: inner, content: RandomTree(depth: 4, using: &generator))
      let whole = Size(width: size.width + 4, height: size.height + 4)
      let cells = Frame(view, size: whole).cells
      let strays = (0..<whole.height).flatMap { y in
        (0..<whole.width).map { Point(x: $0, y: y) }
      }
      .filter { !inner.contains($0) && cells[$0.x, $0.y] != MarginNode.mark }
      #expect(strays.isEmpty, "seed \(seed)")
    }
  }

  @Test func `a frame drawn twice is the same frame`() {
    for seed in 0..<200 as Range<UInt64> {
      var generator = SeededGenerator(seed: seed)
      let size = Self.size(seed, using: &generator)
      let host = ViewHost(RandomTree(depth: 4, using: &generator))
      let first = host.frame(size: size)
      let second = host.frame(size: size)
      #expect(first.cells == second.cells, "seed \(seed)")
      #expect(first.focuses == second.focuses, "seed \(seed)")
      host.didPresent(second)
      #expect(host.frame(size: size).cells == first.cells, "seed \(seed)")
    }
  }

  private final class Counting {
    var count = 0
  }

  /// Counts how many times it is measured.
  private struct Counted: PrimitiveView {
    let counting: Counting

    func makeNodes(_ context: ViewContext) -> [Node] {
      [CountedNode(context, counting, context.node(Text("some words to wrap")))]
    }
  }

  private final class CountedNode: WrapperNode {
    private let counting: Counting

    init(_ context: ViewContext, _ counting: Counting, _ content: Node) {
      self.counting = counting
      super.init(context, content)
    }

    override func measure(_ proposal: ProposedSize) -> Size {
      counting.count += 1
      return super.measure(proposal)
    }
  }

  private func nested(_ depth: Int, _ counting: Counting) -> AnyView {
    guard depth > 0 else { return AnyView(Counted(counting: counting)) }
    let inner = nested(depth - 1, counting)
    return depth.isMultiple(of: 2)
      ? AnyView(
        VStack {
          Text("above \(depth)")
          inner
          Counted(counting: counting).frame(maxHeight: .infinity)
        })
      : AnyView(
        HStack {
          Text("beside \(depth)")
          inner
          Counted(counting: counting).frame(maxWidth: .infinity)
        })
  }

  private func measures(depth: Int, _ size: Size) -> Int {
    let counting = Counting()
    _ = Frame(nested(depth, counting), size: size)
    return counting.count
  }

  @Test(arguments: [Size(width: 80, height: 24), Size(width: 20, height: 5)])
  func `nested stacks are measured a bounded number of times`(size: Size) {
    let (six, twelve) = (measures(depth: 6, size), measures(depth: 12, size))
    // At most quadratic: twice the depth may take four times the work.
    #expect(twelve <= 5 * six, "\(six) measures at depth 6, \(twelve) at depth 12")
    #expect(twelve < 600)
  }
}
