import Loading
import TerminalUI

/// A list whose rows are removed one by one, each with a spinner of its own; one cannot be removed.
struct RemovingScreen: View {
  struct Item: Sendable, Identifiable {
    let id: Int
    let name: String
  }

  private let items: Resource<[Item]>
  private let clock: AnyClock
  private let toasts = ToastQueue()
  @State private var selected: Int?

  init(_ runtime: SceneRuntime) {
    clock = runtime.clock
    items = Resource(
      .constant(Item.all), name: "items", clock: runtime.clock, scheduler: runtime.scheduler)
  }

  var body: some View {
    BesideEvents(records: items.history) {
      VStack(alignment: .leading) {
        AsyncContentView(items) { list in
          List(list, selection: $selected) { item in
            ChangingRow(
              name: item.name, change: "removing", isChanging: items.isModifying(item.id),
              failure: items.failedMutations.last { $0.item == MutationKey(item.id) })
          }
        }
        .empty(when: \.isEmpty) { Text("The drawer is empty.").foregroundStyle(\.secondary) }
      }
      .padding(.horizontal)
      .pane("The drawer")
    }
    .failedChanges(of: items, in: toasts)
    .onKeyPress(action: .removeSock) { remove() }
    .onKeyPress(action: .reload, label: "fill again") { items.load() }
  }

  private func remove() {
    guard let list = items.latestValue, !list.isEmpty else { return }
    let item = list.first { $0.id == selected } ?? list[0]
    guard !items.isModifying(item.id) else { return }
    let clock = clock
    items.mutate(
      item: item.id, timing: .confirmed,
      apply: { $0.removeAll { $0.id == item.id } },
      commit: { _ in
        try await clock.sleep(for: .milliseconds(1500))
        if item.name == Item.stubborn {
          throw DescribedError("It is not yours to remove.", advice: "Leave it where it is.")
        }
      })
  }
}

extension RemovingScreen.Item {
  fileprivate static let stubborn = "The one that is not yours"

  fileprivate static let all = [
    "Grey wool, darned twice", "Striped, cotton", "Left one of a pair", stubborn,
    "Argyle, of course", "Hiking sock, still wet", "Christmas, reindeer", "White, once",
  ].enumerated().map { Self(id: $0.offset, name: $0.element) }
}
