import Observation
import TerminalUITesting
import Testing

@testable import TerminalUI

/// Tests that a view takes new values, whatever its first property is and wherever it stands.
@MainActor
@Suite struct ChangedViewTests {
  @MainActor @Observable
  final class Titles {
    var title = "old"
  }

  enum First: CaseIterable {
    case state, environment, focus, binding, nested
  }

  enum Place: CaseIterable {
    case alone, collection, list, grid, lazyStack, geometry, sheet
  }

  private struct StateFirst: View {
    @State private var isOpen = false
    let title: String
    var body: some View { Text(title + (isOpen ? " open" : "")) }
  }

  private struct EnvironmentFirst: View {
    @Environment(\.isPlain) private var isPlain
    let title: String
    var body: some View { Text(title + (isPlain ? " plain" : "")) }
  }

  private struct FocusFirst: View {
    @FocusState private var isFocused: Bool
    let title: String
    var body: some View { Text(title).focusable().focused($isFocused) }
  }

  private struct BindingFirst: View {
    @Binding var isOpen: Bool
    let title: String
    var body: some View { Text(title + (isOpen ? " open" : "")) }
  }

  /// Begins with a view that has nothing but state.
  private struct NestedFirst: View {
    struct Inner: View {
      @State private var count = 0
      var body: some View { Text("\(count)") }
    }

    let inner = Inner()
    let title: String
    var body: some View {
      HStack {
        inner
        Text(title)
      }
    }
  }

  @ViewBuilder
  private static func view(_ first: First, _ title: String) -> some View {
    switch first {
    case .state: StateFirst(title: title)
    case .environment: EnvironmentFirst(title: title)
    case .focus: FocusFirst(title: title)
    case .binding: BindingFirst(isOpen: .constant(false), title: title)
    case .nested: NestedFirst(title: title)
    }
  }

  private struct Item: Identifiable { let id: Int }

  @ViewBuilder
  private static func view(_ first: First, in place: Place, _ title: String) -> some View {
    let items = [Item(id: 0)]
    switch place {
    case .alone: view(first, title)
    case .collection: ForEach(items) { _ in view(first, title) }
    case .list: List(items) { _ in view(first, title) }
    case .grid: LazyVGrid(items, columns: 1) { _, _ in view(first, title) }
    case .lazyStack: ScrollView { LazyVStack { ForEach(items) { _ in view(first, title) } } }
    case .geometry: GeometryReader { _ in view(first, title) }
    case .sheet: Text("behind").sheet(isPresented: .constant(true)) { view(first, title) }
    }
  }

  @Test(arguments: First.allCases, Place.allCases)
  func `a view shows its new value, whatever its first property is`(first: First, place: Place) {
    let titles = Titles()
    let stage = Stage(20, 6) { Self.view(first, in: place, titles.title) }
    #expect(stage.text.contains("old"))
    for title in ["new", "newer"] {
      titles.title = title
      stage.settle()
      #expect(stage.text.contains(title) && !stage.text.contains("old"), "\(stage.text)")
    }
  }
}
