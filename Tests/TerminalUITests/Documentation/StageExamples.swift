import Loading
import LoadingTesting
import Observation
import TerminalUI
import TerminalUITesting
import Testing

@MainActor
@Test func `a forecast that fails is asked for again with r`() {
  let forecast = ManualLoads<String>()
  let stage = Stage(32, 3) {
    AsyncContentView(loader: forecast.loader) { Text($0) }
  }
  stage.advance(by: .seconds(1))
  #expect(stage.text.contains("Loading"))
  forecast[0].fail(LoadingError.timeout(limit: .seconds(5)))
  stage.settle()
  #expect(stage.footer == ["retry"])
  stage.press("r")
  forecast[1].succeed("Rain in Utrecht")
  stage.settle()
  #expect(stage.text.contains("Rain in Utrecht"))
}

@MainActor
@Test func `a view is pressed and read without a terminal`() {
  let stage = Stage(24, 1) { Counter() }
  stage.press("+", "+")
  #expect(stage.text == "n2")
}

@MainActor
@Test(.timeLimit(.minutes(10))) func `a test waits for what a task of a view does`() async {
  let toasts = ToastQueue()
  let stage = Stage(24, 3) {
    Text("Socks").toasts(toasts).task { toasts.show("They are soggy.") }
  }
  #expect(toasts.count == 0)
  await stage.settle { toasts.count == 1 }
  #expect(stage.text.contains("They are soggy."))
}

@MainActor
@Observable
private final class ShoppingList {
  var newItem = ""
  let items: Resource<[String]>
  private let save: @Sendable ([String]) async throws -> Void

  init(_ items: Resource<[String]>, save: @escaping @Sendable ([String]) async throws -> Void) {
    self.items = items
    self.save = save
  }

  var title: String { "\(items.latestValue?.count ?? 0) to buy" }

  func add() {
    items.mutate { [newItem] in
      $0.append(newItem)
    } commit: { [save] items in
      try await save(items)
    }
    newItem = ""
  }
}

private struct ShoppingView: View {
  @Bindable var model: ShoppingList

  var body: some View {
    VStack(alignment: .leading) {
      Text(model.title).bold()
      AsyncContentView(model.items) { items in
        ForEach(items, id: \.self) { Text($0) }
      }
      TextField("Add", text: $model.newItem).onSubmit { model.add() }
    }
  }
}

@MainActor
@Test func `what is added shows at once, and goes if it is not stored`() {
  let (loads, saves) = (ManualLoads<[String]>(), ManualCalls<[String], Void>())
  let runtime = ManualRuntime()
  let model = ShoppingList(runtime.resource(loads.loader)) { try await saves.call($0) }
  let stage = Stage(32, 5, runtime: runtime) { ShoppingView(model: model) }
  loads[0].succeed(["Socks"])
  stage.settle()
  stage.type("Wool")
  stage.press(.enter)
  #expect(stage.text.contains("2 to buy\nSocks\nWool"))
  saves[0].fail(LoadingError.timeout(limit: .seconds(5)))
  stage.settle()
  #expect(stage.text.contains("1 to buy\nSocks ✗"))
}
