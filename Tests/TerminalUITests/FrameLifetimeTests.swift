import Testing

@testable import TerminalUI

/// What a frame was built with ends with it.
@MainActor
@Suite struct FrameLifetimeTests {
  final class Builders {
    weak var newest: FrameBuilder?
  }

  private struct Witness: PrimitiveView {
    let builders: Builders

    func makeNodes(_ context: ViewContext) -> [Node] {
      builders.newest = context.frame
      return context.resolve(Text("x"))
    }
  }

  @Test func `a frame that is gone leaves nothing behind`() {
    struct Item: Identifiable { let id: Int }
    let builders = Builders()
    let model = Model()
    let host = ViewHost {
      VStack {
        Witness(builders: builders)
        List((0..<3).map(Item.init)) { Text("row \($0.id)") }
        ScrollView { TextField("Name", text: Binding(model, \.text)) }
        IndicatedView(
          content: ErasedView(Spinner().focusable()), style: .material, isIndicated: true,
          progress: nil)
        KeyFooter()
      }
      .navigationDestination(item: Binding(model, \.item)) { Text("\($0)") }
      .sheet(isPresented: Binding(model, \.flag)) { KeyList() }
    }
    for _ in 0..<3 {
      let frame = host.frame(size: Size(width: 30, height: 12))
      host.didPresent(frame)
      #expect(builders.newest != nil)
    }
    #expect(builders.newest == nil)
  }

  @Test func `a scroll proxy that outlives its view keeps nothing of it`() {
    let (builders, proxy, model) = (Builders(), ScrollProxy(), Model())
    let host = ViewHost {
      if model.flag {
        Witness(builders: builders)
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
    #expect(builders.newest == nil)
  }
}
