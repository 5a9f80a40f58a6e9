import PseudoTerminal
import TerminalUITesting
import Testing

@testable import TerminalUI

/// Tests that a stack without enough room shows its beginning, and that no child covers another.
@MainActor
@Suite struct TightStackTests {
  private struct Form: View {
    var body: some View {
      VStack(alignment: .leading) {
        VStack(alignment: .leading) {
          Text("Title")
          Divider()
          ForEach(1..<9) { Text("row \($0)") }
        }
        Text("footer")
      }
    }
  }

  @Test func `a form that is too tall shows its title, its first rows and its footer`() {
    #expect(
      Frame(Form(), size: Size(width: 8, height: 6)).text == """
        Title
        ────────
        row 1
        row 2
        row 3
        footer
        """)
    #expect(Frame(Form(), size: Size(width: 8, height: 3)).text == "Title\n────────\nfooter")
    #expect(Frame(Form(), size: Size(width: 8, height: 2)).text == "Title\nfooter")
    #expect(Frame(Form(), size: Size(width: 8, height: 1)).text == "Title")
  }

  @Test func `rows that are left out leave no gaps behind`() {
    let view = VStack(alignment: .leading, spacing: 1) { ForEach(1..<5) { Text("row \($0)") } }
    #expect(Frame(view, size: Size(width: 8, height: 4)).text == "row 1\n\nrow 2\n")
    #expect(Frame(view, size: Size(width: 8, height: 3)).text == "row 1\n\nrow 2")
  }

  @Test func `what is left out can neither be pressed nor begins anything`() {
    var log: [String] = []
    let view = VStack {
      ForEach(1..<4) { Text("row \($0)") }
      Button("Delete") { log.append("deleted") }
      Text("last").onAppear { log.append("appeared") }
      Text("").frame(height: 0).onAppear { log.append("nothing to see") }
    }
    let stage = Stage(8, 3) { view }
    #expect(stage.text == "row 1\nrow 2\nrow 3")
    stage.press(.enter)
    #expect(log == ["nothing to see"])
  }

  @Test func `a gap gives way before a row does`() {
    let view = VStack(alignment: .leading) {
      Text("one")
      Spacer(minLength: 2)
      Text("two")
    }
    #expect(Frame(view, size: Size(width: 8, height: 3)).text == "one\n\ntwo")
    #expect(Frame(view, size: Size(width: 8, height: 1)).text == "one")
  }

  @Test func `what is more important is kept where the rest is left out`() {
    let view = VStack(alignment: .leading) {
      Text("one")
      Text("two")
      Text("three").layoutPriority(1)
    }
    #expect(Frame(view, size: Size(width: 8, height: 2)).text == "one\nthree")
  }

  @Test func `columns that are left out leave the first ones`() {
    let view = HStack {
      ForEach(1..<6) { Text("\($0)\($0)").lineLimit(1) }
    }
    #expect(Frame(view, size: Size(width: 6, height: 1)).text == "11 … …")
  }

  /// Nested stacks of rows, each with a different text.
  private struct RandomRows: View {
    private let children: [AnyView]
    private let spacing: Int

    init(depth: Int, count: inout Int, using generator: inout SeededGenerator) {
      var children: [AnyView] = []
      for _ in 0..<Int.random(in: 1...5, using: &generator) {
        if depth > 0, Bool.random(using: &generator) {
          children.append(
            AnyView(RandomRows(depth: depth - 1, count: &count, using: &generator)))
        } else {
          count += 1
          children.append(
            AnyView(Text("row \(count)").lineLimit(1).frame(width: 8, alignment: .leading)))
        }
      }
      self.children = children
      spacing = .random(in: 0...1, using: &generator)
    }

    var body: some View {
      VStack(alignment: .leading, spacing: spacing) {
        ForEach(0..<children.count) { children[$0] }
      }
    }
  }

  @Test(arguments: 0..<300 as Range<UInt64>)
  func `rows that fit are whole, in order and begin with the first`(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    var count = 0
    let view = RandomRows(depth: 3, count: &count, using: &generator)
    for height in 1...(2 * count) {
      let text = Frame(view, size: Size(width: 9, height: height)).text
      let lines = text.split(separator: "\n")
      let numbers = lines.compactMap { $0.hasPrefix("row ") ? Int($0.dropFirst(4)) : nil }
      #expect(numbers.count == lines.count, "a row covers another in \(height) rows:\n\(text)")
      #expect(numbers.first == 1, "the head is lost in \(height) rows:\n\(text)")
      #expect(numbers == numbers.sorted() && Set(numbers).count == numbers.count)
    }
    let whole = Frame(view, size: Size(width: 9, height: 2 * count)).text
    #expect(whole.split(separator: "\n").count == count)
  }
}
