import Loading
import Observation
import TerminalUI

extension CatalogPage {
  static let removing = CatalogPage(
    "Removing", "Rows that are removed one by one; x removes."
  ) { runtime in
    let model = RemovingModel(runtime)
    return PageContent(
      view: { RemovingView(model: model) },
      options: [
        CatalogOption(
          "Shown", model, \.timing, ["confirmed": .confirmed, "optimistic": .optimistic]),
        CatalogOption(
          "It takes", model, \.time, ["1.5 s": .milliseconds(1500), "5 s": .seconds(5)]),
      ],
      actions: [
        CatalogAction("Remove the first three") { model.remove(count: 3) },
        CatalogAction("Remove the one that stays") { model.removeStubborn() },
        CatalogAction("Fill again") { model.items.load() },
      ], events: { PageEvent.all(of: model.items) }
    ) {
      """
      import Loading

      @MainActor func remove(_ sock: Sock, from socks: Resource<[Sock]>) {
        socks.mutate(item: sock.id, field: "removal", timing: .\(model.timing)) { socks in
          socks.removeAll { $0.id == sock.id }
        } commit: { _ in
          try await api.remove(sock.id)
        }
      }
      """
    }
  }
}

/// A list whose rows can be removed, except for one that refuses.
@MainActor
@Observable
final class RemovingModel {
  struct Item: Sendable, Identifiable {
    let id: Int
    let name: String
  }

  var timing = Mutation<[Item]>.Timing.confirmed
  var time = Duration.milliseconds(1500)
  var selected: Int?
  let items: Resource<[Item]>
  @ObservationIgnored private let runtime: SceneRuntime

  init(_ runtime: SceneRuntime) {
    self.runtime = runtime
    items = Resource(
      .constant(Item.all), name: "items", historyCapacity: 64, clock: runtime.clock,
      scheduler: runtime.scheduler)
  }

  func removeSelected() {
    guard let list = items.latestValue, !list.isEmpty else { return }
    remove(list.first { $0.id == selected } ?? list[0])
  }

  func remove(count: Int) {
    for item in items.latestValue?.prefix(count) ?? [] { remove(item) }
  }

  func removeStubborn() {
    items.latestValue?.first { $0.name == Item.stubborn }.map(remove)
  }

  private func remove(_ item: Item) {
    guard !items.isModifying(item.id) else { return }
    let (clock, time, faults) = (runtime.clock, time, runtime.faults)
    items.mutate(
      item: item.id, field: "removal", timing: timing,
      apply: { $0.removeAll { $0.id == item.id } },
      commit: { _ in
        try await faults.strike(on: clock)
        try await clock.sleep(for: time)
        if item.name == Item.stubborn {
          throw DescribedError("It is not yours to remove.", advice: "Leave it where it is.")
        }
      })
  }
}

private struct RemovingView: View {
  let model: RemovingModel

  var body: some View {
    let items = model.items
    AsyncContentView(items) { list in
      List(list, selection: Binding(model, \.selected)) { item in
        ChangingRow(
          name: item.name, change: "removing", isChanging: items.isModifying(item.id),
          failure: items.failedMutations.last { $0.item == MutationKey(item.id) })
      }
    }
    .empty(when: \.isEmpty) { Text("The drawer is empty.").foregroundStyle(\.secondary) }
    .padding(.horizontal)
    .onKeyPress(action: .removeSock) { model.removeSelected() }
    .onKeyPress(action: .reload, label: "fill again") { items.load() }
  }
}

extension RemovingModel.Item {
  fileprivate static let stubborn = "The one that is not yours"

  fileprivate static let all = [
    "Grey wool, darned twice", "Striped, cotton", "Left one of a pair", stubborn,
    "Argyle, of course", "Hiking sock, still wet", "Christmas, reindeer", "White, once",
  ].enumerated().map { Self(id: $0.offset, name: $0.element) }
}
