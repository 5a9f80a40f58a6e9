import Observation
import TerminalUITesting
import Testing

@testable import TerminalUI

/// Tests of screens on top of each other.
@MainActor
@Suite struct NavigationTests {
  private struct TwoPanes: View {
    @FocusState private var isInSecond: Bool
    @State private var hasCome = false
    var body: some View {
      VStack(alignment: .leading) {
        Text("first").focusable()
          .onKeyPress("g", label: "go") { (isInSecond, hasCome) = (true, true) }
        VStack {
          if hasCome { Text("content").focusable() } else { Text("placeholder").focusable() }
        }
        .focused($isInSecond)
        Text(isInSecond ? "in the second" : "in the first")
      }
      .navigationDestination(item: .constant(Int?.none)) { Text("page \($0)") }
    }
  }

  @Test func `a focus whose place is replaced before it is drawn stays in its pane`() {
    let stage = Stage(20, 3) { TwoPanes() }
    stage.press("g")
    #expect(stage.text == "first\ncontent\nin the second")
  }

  @Test func `a screen that is shown while a flag is set is left by Esc`() {
    let model = Model()
    model.flag = false
    let stage = Stage(20, 1) {
      Text("list").focusable().navigationDestination(isPresented: Binding(model, \.flag)) {
        Text("page").focusable()
      }
    }
    #expect(stage.text == "list")
    model.flag = true
    stage.settle()
    #expect(stage.text == "page")
    stage.press(.escape)
    #expect(stage.text == "list" && !model.flag)
  }

  @Test func `what is covered wakes nobody`() {
    let model = Model()
    let stage = Stage(20, 3) {
      Spinner().focusable().navigationDestination(item: Binding(model, \.item)) {
        Text("page \($0)")
      }
    }
    #expect(stage.frame.nextChange != nil)
    model.item = 1
    stage.settle()
    #expect(stage.text == "page 1\n\n")
    #expect(stage.frame.nextChange == nil)
  }

  @Test func `the screen of another item is another screen`() {
    let model = Model()
    model.item = 1
    let stage = Stage(20, 1) {
      Text("list").navigationDestination(item: Binding(model, \.item)) {
        Counter(name: "page \($0): ")
      }
    }
    stage.press("+")
    #expect(stage.text == "page 1: 1")
    model.item = 2
    stage.settle()
    #expect(stage.text == "page 2: 0")
  }

  struct Page: Identifiable, Hashable {
    let id: Int
    var title: String
  }

  @MainActor @Observable
  final class Shelf {
    var page: Page? = Page(id: 1, title: "one")
  }

  @Test func `an item that changes and keeps its id keeps its screen`() {
    let shelf = Shelf()
    let stage = Stage(20, 1) {
      Text("list").navigationDestination(item: Binding(shelf, \.page)) {
        Counter(name: "\($0.title): ")
      }
    }
    stage.press("+")
    shelf.page?.title = "first"
    stage.settle()
    #expect(stage.text == "first: 1")
    shelf.page = Page(id: 2, title: "second")
    stage.settle()
    #expect(stage.text == "second: 0")
  }
}
