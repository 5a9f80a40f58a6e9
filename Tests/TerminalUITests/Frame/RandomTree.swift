import Loading
import PseudoTerminal

@testable import TerminalUI

/// A view with random nested views of every kind.
struct RandomTree: View {
  private let content: AnyView

  init(depth: Int, using generator: inout SeededGenerator) {
    content = Self.tree(depth: depth, using: &generator)
  }

  var body: some View { content }

  private static let texts = [
    "word", "two words", "one\ntwo\nthree", "漢字かな交じり文", "a\u{301}e\u{308}👩‍👩‍👧x", "",
    "well-known-hyphens",
    "\u{1B}[31mred\u{202E}", "Lorem ipsum dolor sit amet consectetur",
  ]

  private static func tree(depth: Int, using generator: inout SeededGenerator) -> AnyView {
    guard depth > 0 else { return leaf(using: &generator) }
    func child() -> AnyView { tree(depth: depth - 1, using: &generator) }
    func number(_ range: ClosedRange<Int>) -> Int { .random(in: range, using: &generator) }
    let alignment = [Alignment.center, .topLeading, .bottomTrailing, .leading][number(0...3)]
    switch number(0...25) {
    case 0:
      let views = (0..<number(0...4)).map { _ in child() }
      let spacing = number(0...2)
      return AnyView(
        HStack(alignment: alignment.vertical, spacing: spacing) {
          ForEach(0..<views.count) { views[$0] }
        })
    case 1, 2:
      let views = (0..<number(0...4)).map { _ in child() }
      let spacing = number(0...1)
      return AnyView(
        VStack(alignment: alignment.horizontal, spacing: spacing) {
          ForEach(0..<views.count) { views[$0] }
        })
    case 3:
      let (one, two) = (child(), child())
      return AnyView(
        ZStack(alignment: alignment) {
          one
          two
        })
    case 4:
      let (one, two) = (child(), child())
      return AnyView(
        HStack {
          one
          Spacer()
          two
        })
    case 5: return AnyView(child().padding(number(0...2)))
    case 6: return AnyView(child().border(number(0...1) == 0 ? nil : "Title 字"))
    case 7: return AnyView(child().frame(width: number(0...30), height: number(0...8)))
    case 8:
      let ideal = number(0...9) == 0 ? .infinity : number(0...30)
      return AnyView(
        child().frame(
          idealWidth: ideal, maxWidth: .infinity, idealHeight: number(0...9) == 0 ? ideal : nil,
          alignment: alignment))
    case 9: return AnyView(child().frame(minWidth: number(0...9), maxHeight: .infinity))
    case 10:
      let (one, two) = (child(), child())
      return AnyView(one.overlay(alignment: alignment) { two })
    case 11: return AnyView(child().background(.blue))
    case 12: return AnyView(ScrollView { child() })
    case 13:
      let rows = (0..<number(0...30)).map { Row(id: $0, content: AnyView(Text("row \($0) 字"))) }
      return AnyView(List(rows) { $0.content })
    case 14: return AnyView(child().redacted(reason: .placeholder))
    case 15: return AnyView(child().focusable().lineLimit(number(1...3)))
    case 16:
      let style: LoadingViewStyle =
        switch number(0...4) {
        case 0: .material
        case 1: .horizontal(.trailing, opacity: 0.5, spacing: number(0...3))
        case 2: .vertical(.top, alignment: alignment.horizontal)
        case 3: .overContent(alignment)
        default:
          .custom { content, progress in AnyView(content.overlay { ProgressView(progress) }) }
        }
      return AnyView(
        IndicatedView(
          content: ErasedView(child()), style: style, isIndicated: true, progress: { nil }))
    case 17: return AnyView(child().multilineTextAlignment(alignment.horizontal).bold())
    case 18:
      let (one, limit) = (child(), number(0...40))
      return AnyView(
        GeometryReader { size in if size.width > limit { one } else { Text("small") } })
    case 19:
      let rows = (0..<number(0...9)).map { Row(id: $0, content: child()) }
      let spacing = number(0...1)
      return AnyView(
        ScrollView {
          LazyVStack(alignment: alignment.horizontal, spacing: spacing) {
            child()
            ForEach(rows) { $0.content }
          }
        })
    case 20:
      let (one, two) = (child(), child())
      return AnyView(
        ViewThatFits(in: number(0...1) == 0 ? .horizontal : .vertical) {
          one
          two
        })
    case 21:
      let (one, two) = (child(), child())
      return AnyView(
        HStack {
          one.layoutPriority(1)
          two
          Divider()
          one.hidden()
        })
    case 22:
      let style = RedactionStyle.allCases[number(0...2)]
      return AnyView(child().redacted(reason: .placeholder).redactionStyle(style))
    case 23: return AnyView(loading(child(), using: &generator))
    case 24:
      let toasts = ToastQueue()
      toasts.show("It was not saved 字", retry: {})
      return AnyView(child().toasts(toasts))
    default:
      let (one, two) = (child(), child())
      return AnyView(
        VStack {
          one
          Divider()
          two
        })
    }
  }

  /// A loaded value in one of its states, with or without a progress or failure.
  private static func loading(
    _ content: AnyView, using generator: inout SeededGenerator
  ) -> some View {
    let resource = Resource<String>(
      .constant("value"),
      initialState: [.idle, .loaded("value"), .failed(Broken())][
        .random(in: 0...2, using: &generator)],
      startsOnAppear: false)
    if Bool.random(using: &generator), resource.latestValue != nil {
      resource.set(.failed(Broken()))
    }
    let hasDetail = Bool.random(using: &generator)
    let view = AsyncContentView(resource) { _ in content }
    return (Bool.random(using: &generator) ? view.placeholder("value") : view)
      .environment(\.describeError) { _ in
        ErrorDescription(
          what: "The server of 全角 is asleep.", advice: hasDetail ? "Wake it up." : nil,
          detail: hasDetail ? "Code 7" : nil)
      }
  }

  private struct Row: Identifiable {
    let id: Int
    let content: AnyView
  }

  private static func leaf(using generator: inout SeededGenerator) -> AnyView {
    let text = texts.randomElement(using: &generator) ?? ""
    switch Int.random(in: 0...20, using: &generator) {
    case 0: return AnyView(Spinner())
    case 1: return AnyView(ProgressView(.init(message: text, fraction: 0.4)))
    case 2: return AnyView(Color.green)
    case 3: return AnyView(Divider(.vertical))
    case 4: return AnyView(RichText(id: text) { [.init { StyledText(text).wrapped(width: $0) }] })
    case 5: return AnyView(Text(text).lineLimit(1))
    case 6: return AnyView(ProgressView(text))
    case 7: return AnyView(Button(text) {})
    case 8: return AnyView(Toggle(text, isOn: .constant(true)))
    case 9: return AnyView(Slider(text, value: .constant(0.3)))
    case 10: return AnyView(TextField("Name", text: .constant(text)))
    case 11:
      return AnyView(
        Picker(text, selection: .constant(1)) {
          Text("one").tag(1)
          Text("zwei 字").tag(2)
        })
    case 12:
      return AnyView(TabView(selection: .constant(1)) { Tab("字 tab", value: 1) { Text(text) } })
    case 13:
      let cells = (0..<Int.random(in: 0...9, using: &generator)).map {
        Row(id: $0, content: AnyView(Text(text)))
      }
      return AnyView(
        LazyVGrid(cells, columns: Int.random(in: 1...4, using: &generator), rowHeight: 2) {
          $0.content.bold($1)
        })
    case 14:
      var cells = CellBuffer(size: Size(width: 5, height: 2))
      cells.write("字字字", at: Point(x: 0, y: 0))
      return AnyView(Image(cells))
    case 15: return AnyView(Canvas { $0.write("字▁▃▅", at: Point(x: -1, y: 0)) })
    case 16: return AnyView(KeyFooter())
    case 17: return AnyView(Text(text).strikethrough().modifying(1))
    default: return AnyView(Text(text))
    }
  }
}
