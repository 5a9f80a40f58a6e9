import TerminalUITesting
import Testing

@testable import TerminalUI

@MainActor
@Suite struct LayoutTests {
  @Test func `text wraps at words to the room there is`() {
    let frame = Frame(Text("the quick brown fox"), size: Size(width: 10, height: 3))
    #expect(frame.text == "the quick\nbrown fox\n")
  }

  @Test func `text that is too long for its lines ends with an ellipsis`() {
    let frame = Frame(Text("the quick brown fox").lineLimit(1), size: Size(width: 10, height: 1))
    #expect(frame.text == "the quick…")
  }

  @Test func `a frame of an infinite length takes the room there is`() {
    let size = Size(width: 9, height: 3)
    let wide = HStack(spacing: 0) {
      Text("a").frame(width: .infinity)
      Text("b")
    }
    #expect(Frame(wide, size: size).text == "   a    b\n\n")
    let high = VStack(spacing: 0) {
      Text("a").frame(height: .infinity, alignment: .bottom)
      Text("b")
    }
    #expect(Frame(high, size: size).text == "\na\nb")
    #expect(Frame(Text("a").frame(minWidth: .infinity), size: size).text == "    a\n\n")
    #expect(Frame(ScrollView { wide }, size: size).text == "  a   b\n\n")
  }

  @Test func `a spacer takes what the others leave`() {
    let view = HStack {
      Text("left")
      Spacer()
      Text("right")
    }
    #expect(Frame(view, size: Size(width: 20, height: 1)).text == "left           right")
  }

  @Test func `a spacer keeps its least length, and beyond it all are alike`() {
    let view = HStack(spacing: 0) {
      Text("ab")
      Spacer(minLength: 4)
      Text("cd")
      Spacer()
      Text("e")
    }
    #expect(Frame(view, size: Size(width: 10, height: 1)).text == "ab    cd e")
    #expect(Frame(view, size: Size(width: 12, height: 1)).text == "ab    cd   e")
    #expect(Frame(view, size: Size(width: 17, height: 1)).text == "ab      cd      e")
    let tight = HStack(spacing: 0) {
      Text("a long text").lineLimit(1)
      Spacer(minLength: 2)
      Text("x")
    }
    #expect(Frame(tight, size: Size(width: 10, height: 1)).text == "a long…  x")
    #expect(Frame(tight, size: Size(width: 1, height: 1)).text == "…")
  }

  @Test func `the smallest keep their size when there is too little room`() {
    let view = HStack {
      Text("12")
      Text("a long text that cannot fit").lineLimit(1)
    }
    #expect(Frame(view, size: Size(width: 12, height: 1)).text == "12 a long t…")
  }

  @Test func `where there is too little room those of a higher priority come first`() {
    let view = HStack {
      Text("a long text").lineLimit(1)
      Text("also a long text").lineLimit(1).layoutPriority(1)
    }
    #expect(Frame(view, size: Size(width: 22, height: 1)).text == "a lo… also a long text")
  }

  @Test func `of several views the first that fits is drawn`() {
    let view = ViewThatFits(in: .horizontal) {
      Text("a long text")
      Text("a text")
      Text("a")
    }
    #expect(Frame(view, size: Size(width: 11, height: 1)).text == "a long text")
    #expect(Frame(view, size: Size(width: 10, height: 1)).text == "a text")
    #expect(Frame(view, size: Size(width: 1, height: 1)).text == "a")
  }

  @Test func `a divider stands across its stack`() {
    let view = VStack(alignment: .leading) {
      HStack {
        Text("a\nb")
        Divider()
        Text("c")
      }
      .frame(height: 2)
      Divider()
    }
    #expect(Frame(view, size: Size(width: 6, height: 3)).text == "a │ c\nb │\n──────")
  }

  @Test func `a border has its title in its upper edge`() {
    let view = Text("Hi").frame(width: 10).border("Greet")
    #expect(
      Frame(view, size: Size(width: 12, height: 3)).text == """
        ╭─ Greet ──╮
        │    Hi    │
        ╰──────────╯
        """)
  }

  @Test func `redacted text keeps its words and lines`() {
    let view = Text("the quick brown fox").redacted(reason: .placeholder)
    #expect(
      Frame(view, size: Size(width: 10, height: 2)).text == "▇▇▇ ▇▇▇▇▇\n▇▇▇▇▇ ▇▇▇")
    #expect(
      Frame(view.redactionStyle(.dots), size: Size(width: 10, height: 2)).text
        == "··· ·····\n····· ···")
  }

  @Test func `a light passes over shimmering blocks, unless motion is reduced`() {
    let view = Text("the quick brown fox").redacted(reason: .placeholder)
      .redactionStyle(.shimmer)
    let host = ViewHost(view)
    let size = Size(width: 40, height: 1)
    func lit(_ frame: Frame) -> [Int] {
      (0..<19).filter {
        frame.cells[$0, 0].glyph == .block && !frame.cells[$0, 0].style.attributes.contains(.dim)
      }
    }
    let frame = host.frame(size: size)
    #expect(frame.text == "▇▇▇ ▇▇▇▇▇ ▇▇▇▇▇ ▇▇▇")
    #expect(lit(frame) == [0, 1, 2, 4, 5])
    #expect(frame.nextChange == .init(offset: .milliseconds(100)))
    let next = host.frame(size: size, at: .init(offset: .milliseconds(100)))
    #expect(lit(next) == [4, 5, 6, 7, 8])
    #expect(
      Frame(view, size: size, at: .init(offset: .milliseconds(700))).cells
        == host.frame(size: size, at: .init(offset: .milliseconds(700))).cells)
    host.environment.reduceMotion = true
    #expect(lit(host.frame(size: size)).isEmpty)
    #expect(host.frame(size: size).nextChange == nil)
  }

  @Test func `a divider lies across what stacks vertically, also within a row`() {
    struct Item: Identifiable { let id = 0 }
    @ViewBuilder var lines: some View {
      Text("a")
      Divider()
      Text("b")
    }
    let views: [(name: String, view: AnyView)] = [
      ("scroll", AnyView(ScrollView { lines })),
      ("lazy", AnyView(ScrollView { LazyVStack { lines } })),
      ("rows", AnyView(ScrollView { LazyVStack { ForEach(0..<1) { _ in lines } } })),
      ("list", AnyView(List([Item()]) { _ in lines })),
      ("tab", AnyView(TabView(selection: .constant(1)) { Tab("tab", value: 1) { lines } })),
      ("size", AnyView(GeometryReader { _ in lines })),
      (
        "screen",
        AnyView(lines.navigationDestination(isPresented: .constant(false)) { Text("next") })
      ),
      (
        "next",
        AnyView(Text("c").navigationDestination(isPresented: .constant(true)) { lines })
      ),
      ("sheet", AnyView(Text("").sheet(isPresented: .constant(true)) { lines })),
    ]
    for (name, view) in views {
      let row = HStack {
        view
        Text("c")
      }
      let stage = Stage(20, 9) { row }
      let divider = stage.text.split(separator: "\n").filter {
        $0.contains("──") && !$0.contains("╭")
      }
      #expect(!divider.isEmpty, "\(name): \(stage.text)")
    }
  }

  @Test func `a sheet of a view in a row is as high as its content`() {
    let stage = Stage(20, 12) {
      HStack {
        Text("a").sheet(isPresented: .constant(true)) {
          Text("one")
          Divider()
          Text("two")
        }
        Text("b")
      }
    }
    #expect(stage.lines.count { $0.contains("│") } == 3, "\(stage.text)")
  }

  @Test func `an infinite ideal length is none`() {
    let size = Size(width: 9, height: 3)
    let high = ScrollView { Text("a").frame(idealHeight: .infinity, alignment: .topLeading) }
    #expect(Frame(high, size: size).text == "a\n\n")
    let wide = Text("a").frame(idealWidth: .infinity)
    let sheet = Stage(20, 5) { Text("").sheet(isPresented: .constant(true)) { wide } }
    #expect(sheet.text.contains("│ a   │"))
  }
}
