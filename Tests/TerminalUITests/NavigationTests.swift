import Observation
import Testing

@testable import TerminalUI

/// Screens on top of each other.
@MainActor
@Suite struct NavigationTests {
  @MainActor
  @Observable
  final class Router {
    var path: [Int] = []
  }

  struct Root: View {
    var body: some View {
      VStack(alignment: .leading) {
        Counter(name: "root ")
        NavigationLink("One", value: 1)
        NavigationLink("Two", value: 2)
      }
      .navigationDestination(for: Int.self) { Page(number: $0) }
    }
  }

  struct Page: View {
    let number: Int
    var body: some View {
      VStack(alignment: .leading) {
        Counter(name: "page \(number): ")
        NavigationLink("Deeper", value: number * 10)
      }
    }
  }

  @Test func `a link shows the screen of its value, and Esc goes back to it`() {
    let stage = Stage(20, 3) { NavigationStack { Root() } }
    #expect(stage.text == "root 0\nOne ›\nTwo ›")
    stage.press("+", .tab, .tab, .enter)
    #expect(stage.text == "page 2: 0\nDeeper ›\n")
    stage.press("+", .tab, .enter)
    #expect(stage.text == "page 20: 0\nDeeper ›\n")
    stage.press(.escape)
    #expect(stage.text == "page 2: 1\nDeeper ›\n")
    stage.press(.enter, .escape, .escape)
    #expect(stage.text == "root 1\nOne ›\nTwo ›")
    stage.press(.enter)
    #expect(stage.text == "page 2: 0\nDeeper ›\n")
  }

  @Test func `a path of one's own is pushed to, popped from and set`() {
    let router = Router()
    let stage = Stage(20, 3) { NavigationStack(path: Binding(router, \.path)) { Root() } }
    stage.press(.tab, .enter)
    #expect(router.path == [1])
    router.path = [7, 8]
    stage.settle()
    #expect(stage.text == "page 8: 0\nDeeper ›\n")
    stage.press(.escape)
    #expect(router.path == [7])
    #expect(stage.text == "page 7: 0\nDeeper ›\n")
  }

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

  @Test func `what is covered wakes nobody`() {
    let router = Router()
    let stage = Stage(20, 3) {
      NavigationStack(path: Binding(router, \.path)) {
        Spinner().focusable().navigationDestination(for: Int.self) { Text("page \($0)") }
      }
    }
    #expect(stage.frame.nextChange != nil)
    router.path = [1]
    stage.settle()
    #expect(stage.text == "page 1\n\n")
    #expect(stage.frame.nextChange == nil)
  }
}
