import TerminalUITesting
import Testing

@testable import TerminalUI

/// Tests that what a frame was built with is released with its host, and what left the screen with
/// the next frame.
@MainActor
@Suite struct FrameLifetimeTests {
  final class Elements {
    weak var newest: Element?
  }

  private struct Witness: PlacedView {
    let elements: Elements

    func makeNodes(_ context: ViewContext) -> [Node] {
      elements.newest = context.owner.element
      return context.resolve(Text("x"))
    }
  }

  @Test func `a host that is gone leaves nothing behind`() {
    struct Item: Identifiable { let id: Int }
    let elements = Elements()
    let model = Model()
    var host: ViewHost? = ViewHost {
      VStack {
        Witness(elements: elements)
        List((0..<3).map(Item.init)) { Text("row \($0.id)") }
        ScrollView { TextField("Name", text: Binding(model, \.text)) }
        IndicatedView(
          content: ErasedView(Spinner().focusable()), style: .material, isIndicated: true,
          progress: { nil })
        KeyFooter()
      }
      .navigationDestination(item: Binding(model, \.item)) { Text("\($0)") }
      .sheet(isPresented: Binding(model, \.flag)) { KeyList() }
    }
    for _ in 0..<3 {
      let frame = host?.frame(size: Size(width: 30, height: 12))
      if let frame { host?.didPresent(frame) }
      #expect(elements.newest != nil)
    }
    host = nil
    #expect(elements.newest == nil)
  }

  @Test func `a scroll proxy that outlives its view keeps nothing of it`() {
    let (elements, proxy, model) = (Elements(), ScrollProxy(), Model())
    let host = ViewHost {
      if model.flag {
        Witness(elements: elements)
        ScrollView(proxy) {
          RichText(id: 1) {
            (0..<9).map { row in .init { StyledText("line \(row)").wrapped(width: $0) } }
          }
        }
      } else {
        Text("elsewhere")
      }
    }
    let size = Size(width: 30, height: 4)
    host.didPresent(host.frame(size: size))
    proxy.scroll(to: ScrollPosition(block: 2))
    host.didPresent(host.frame(size: size))
    #expect(proxy.position == ScrollPosition(block: 2))
    model.flag = false
    host.didPresent(host.frame(size: size))
    #expect(elements.newest == nil)
  }

  @Test func `a scroll that is asked for before the first view is done in it`() {
    let proxy = ScrollProxy()
    proxy.scroll(to: ScrollPosition(block: 2))
    let stage = Stage(30, 4) {
      ScrollView(proxy) {
        RichText(id: 1) {
          (0..<9).map { row in .init { StyledText("line \(row)").wrapped(width: $0) } }
        }
      }
    }
    #expect(stage.text.contains("line 2") && !stage.text.contains("line 1"))
    #expect(proxy.position == ScrollPosition(block: 2))
  }

  @Test func `a text that was read on in another view of its proxy goes on where that was left`() {
    let (proxy, model) = (ScrollProxy(), Model())
    let text = RichText(id: 1) {
      (0..<9).map { row in .init { StyledText("line \(row)").wrapped(width: $0) } }
    }
    let stage = Stage(30, 3) {
      ScrollView(proxy) { text }
        .navigationDestination(item: Binding(model, \.item)) { _ in ScrollView(proxy) { text } }
    }
    for row in [1, 3, 5] {
      proxy.scroll(to: ScrollPosition(block: row))
      stage.settle()
      model.item = 1
      stage.settle()
      #expect(stage.text.contains("line \(row)") && !stage.text.contains("line \(row - 1)"))
      proxy.scroll(to: ScrollPosition(block: row + 1))
      stage.settle()
      model.item = nil
      stage.settle()
      #expect(stage.text.contains("line \(row + 1)") && !stage.text.contains("line \(row)"))
      #expect(proxy.position == ScrollPosition(block: row + 1))
    }
  }

  @Test func `hundreds of keys leave no element behind`() {
    struct Item: Identifiable { let id: Int }
    let model = Model()
    model.flag = false
    let stage = Stage(30, 10) {
      let title = model.text
      GeometryReader { size in
        VStack {
          Text(title)
          List((0..<100).map(Item.init), selection: Binding(model, \.item)) {
            Text("row \($0.id)\(model.text)")
          }
          if size.width > 20 {
            GeometryReader { _ in
              ScrollView { LazyVStack { ForEach(0..<100) { Text("\($0) \(model.text)") } } }
            }
          }
        }
      }
      .sheet(isPresented: Binding(model, \.flag)) {
        GeometryReader { _ in List((0..<9).map(Item.init)) { Text("row \($0.id)") } }
      }
    }
    var counts: [Int] = []
    for _ in 0..<6 {
      for round in 0..<20 {
        stage.press(.down, .pageDown, .pageUp, "G", "k", "g", .tab, .pageDown, "G", .tab)
        model.text = "\(round)"
        stage.press("j")
        model.flag = round.isMultiple(of: 3)
        stage.resize([15, 30, 40][round % 3], round.isMultiple(of: 7) ? 1 : 10)
      }
      (model.flag, model.text) = (false, "")
      stage.resize(30, 10)
      stage.press("g", .tab, "g")
      counts.append(stage.host.builder.tree?.count ?? 0)
    }
    #expect(counts.allSatisfy { $0 == counts[0] }, "\(counts)")
  }
}
