import Observation
import Testing

@testable import TerminalUI

/// Tests that an incremental frame equals the frame that is built from nothing.
///
/// Of the random sequences, these are the few that a debug build has time for: `make sequences` runs more.
@MainActor
@Suite struct IncrementalFrameTests {
  @Observable final class Words {
    var text = "a"
  }

  struct Word: View {
    let words: Words
    var body: some View { Text(words.text) }
  }

  @Test func `what stands around a view that grows moves with it`() {
    let words = Words()
    let host = ViewHost {
      VStack(alignment: .leading) {
        HStack {
          Word(words: words)
          Text("beside")
        }
        Word(words: words).border()
        Text("below")
      }
      .frame(maxWidth: .infinity, maxHeight: .infinity, alignment: .topLeading)
    }
    let size = Size(width: 20, height: 9)
    let first = host.frame(size: size)
    #expect(first.text.hasPrefix("a beside\n╭─╮\n│a│\n╰─╯\nbelow\n"))
    host.didPresent(first)
    words.text = "longer\nwords"
    let second = host.frame(size: size)
    #expect(
      second.text == """
        longer beside
        words
        ╭──────╮
        │longer│
        │words │
        ╰──────╯
        below


        """)
  }

  /// Words that stand in front of others, in a region that does not depend on them.
  private struct Front: PlacedView {
    let words: Words

    func makeNodes(_ context: ViewContext) -> [Node] { [FrontNode(context, words)] }
  }

  private final class FrontNode: Node {
    private let words: Words

    init(_ context: ViewContext, _ words: Words) {
      self.words = words
      super.init(context)
    }

    override func measure(_ proposal: ProposedSize) -> Size { Size(width: 4, height: 1) }

    override func draw(in region: Region) {
      region.write(context.readingToDraw { words.text }, style: .plain)
    }
  }

  @Test(arguments: 0...3)
  func `a wide glyph is whole again once nothing begins or ends in its middle`(column: Int) {
    let words = Words()
    func view() -> some View {
      Text("中文字").overlay(alignment: .topLeading) {
        Front(words: words).padding(EdgeInsets(leading: column))
      }
    }
    let host = ViewHost { view() }
    let size = Size(width: 8, height: 1)
    for word in ["", "ab", "abc", "", "abcd", "a", "x", ""] {
      words.text = word
      let frame = host.frame(size: size)
      host.didPresent(frame)
      #expect(frame.text == Frame(view(), size: size).text)
    }
    #expect(Frame(view(), size: size).text == "中文字")
  }

  private struct Themed: View {
    let words: Words

    var body: some View {
      var theme = Theme.standard
      if words.text == "b" { (theme.secondary, theme.separator) = (.red, .green) }
      return List(Array(1...20), id: \.self) { Text("\($0)") }
        .sections { $0.value < 3 ? "few" : "many" }
        .environment(\.theme, theme)
    }
  }

  @Test func `titles and the bar of a list change their colours with the theme`() {
    let words = Words()
    let host = ViewHost { Themed(words: words) }
    let size = Size(width: 10, height: 6)
    host.didPresent(host.frame(size: size))
    words.text = "b"
    let fromNothing = ViewHost { Themed(words: words) }.frame(size: size)
    #expect(host.frame(size: size).cells == fromNothing.cells)
  }

  struct Stop: View {
    let words: Words
    var body: some View {
      if words.text.isEmpty { Text("word") } else { Text("word").focusable() }
    }
  }

  @Test func `a scroll view can have the focus once nothing in it can`() {
    let words = Words()
    let size = Size(width: 20, height: 4)
    let host = ViewHost { ScrollView { Stop(words: words) } }
    let first = host.frame(size: size)
    host.didPresent(first)
    #expect(first.focusables.map(\.rect.size) == [Size(width: 18, height: 1)])
    words.text = ""
    let second = host.frame(size: size)
    #expect(second.focusables.map(\.rect.size) == [size])
  }

  /// A text that is one view with a row for each letter.
  struct Letters: View {
    let words: Words

    var body: some View {
      RichText(id: 0) { [self] in
        [
          RichText.Block(
            view: RichText.EmbeddedView(rows: { _ in words.text.count }) {
              VStack(alignment: .leading) {
                ForEach(Array(words.text), id: \.self) { Text(String($0)) }
              }
            })
        ]
      }
    }
  }

  @Test(arguments: ["abcdefgh", "abcdefghijklmnopqrstuvwxyz"])
  func `a text that grows where it is shown whole is shown whole, or can be scrolled`(
    grown: String
  ) {
    let words = Words()
    let size = Size(width: 20, height: 12)
    let host = ViewHost { ScrollView { Letters(words: words) } }
    host.didPresent(host.frame(size: size))
    words.text = grown
    let (next, whole) = (
      host.frame(size: size), ViewHost { ScrollView { Letters(words: words) } }.frame(size: size)
    )
    #expect(next.text == whole.text)
    #expect(next.distinctBindings.map(\.label) == whole.distinctBindings.map(\.label))
  }

  /// Another text for each word, of which the first one has lines that are scrolled sideways.
  struct Wide: View {
    let words: Words

    var body: some View {
      let (text, isWide) = (StyledText(String(repeating: "w", count: 40)), words.text == "a")
      RichText(id: words.text) {
        var block = RichText.Block { _ in text.wrapped(width: 40) }
        block.isWide = isWide
        return [block]
      }
    }
  }

  @Test func `the keys of a text are those of the text that is shown`() {
    let words = Words()
    let size = Size(width: 20, height: 4)
    let host = ViewHost { ScrollView { Wide(words: words) } }
    let first = host.frame(size: size)
    host.didPresent(first)
    words.text = "b"
    let (next, whole) = (
      host.frame(size: size), ViewHost { ScrollView { Wide(words: words) } }.frame(size: size)
    )
    #expect(first.distinctBindings.map(\.label) != whole.distinctBindings.map(\.label))
    #expect(next.distinctBindings.map(\.label) == whole.distinctBindings.map(\.label))
  }

  struct Filler: View {
    let words: Words
    var body: some View { if !words.text.isEmpty { Color.red } }
  }

  struct Fitting: View {
    let words: Words

    var body: some View {
      ViewThatFits(in: .horizontal) {
        Filler(words: words)
        Text("short").frame(maxWidth: .infinity, alignment: .leading)
      }
    }
  }

  @Test func `a view that no longer fills its room leaves it, though its size here is the same`() {
    let words = Words()
    let size = Size(width: 6, height: 1)
    let host = ViewHost {
      VStack(alignment: .leading) {
        Fitting(words: words)
        Text("below")
      }
    }
    let first = host.frame(size: size)
    host.didPresent(first)
    #expect(first.text == "below")
    words.text = ""
    #expect(host.frame(size: size).text == "short")
  }

  @Test func `a row above the window that gets shorter may leave room for all of them`() {
    let words = Words()
    words.text = "a\nb"
    let size = Size(width: 5, height: 3)
    let host = ViewHost {
      ScrollView {
        LazyVStack(alignment: .leading) {
          ForEach(0..<1) { _ in Word(words: words) }
          Text("words")
          Text("end")
        }
      }
    }
    let first = host.frame(size: size)
    host.didPresent(first)
    host.press("G", in: first)
    let second = host.frame(size: size)
    host.didPresent(second)
    #expect(second.text == "word\ns   ▐\nend ▐")
    words.text = "a"
    #expect(host.frame(size: size).text == "a\nwords\nend")
  }

  /// Earlier failures: a row that came back to where other rows had been, scroll bars beside
  /// content that grew, rows that were measured and released, a message that waited out of
  /// sight, and elements that are drawn twice.
  @Test(arguments: [
    727, 781, 908, 1204, 1211, 1302, 1865, 1875, 2406, 2664, 2675, 3258, 4751, 6416, 8142, 8255,
    14_383, 100_702, 104_122, 106_429, 110_243, 111_125, 111_531, 117_530, 119_128, 122_807,
    122_971,
  ])
  func `what once was wrong is right`(seed: UInt64) {
    if let difference = FrameSequence.firstDifference(seed: seed, steps: 12) {
      Issue.record(Comment(rawValue: difference))
    }
  }

  @Test(arguments: 0..<20)
  func `a frame that was brought up to date is the frame from nothing`(group: UInt64) {
    for seed in (group * 20)..<((group + 1) * 20) {
      if let difference = FrameSequence.firstDifference(seed: seed, steps: 12) {
        Issue.record(Comment(rawValue: difference))
      }
    }
  }
}
