import Loading
import Observation
import TerminalUI

extension CatalogPage {
  static let paused = CatalogPage(
    "Paused & offline", "A load that waits for the network and says so."
  ) { runtime in
    let model = PauseModel(runtime)
    return PageContent(
      view: { PauseView(model: model) },
      options: [
        CatalogOption("Network", model, \.isOnline, ["offline": false, "online": true]),
        CatalogOption("Refreshed", model, \.interval, ["never": .zero, "every 3 s": .seconds(3)]),
      ],
      actions: [
        CatalogAction("Show it in another view") { model.show() },
        CatalogAction("Load all the same") { model.news.load(.restart, cause: .user) },
        CatalogAction("Cancel") { model.news.cancel() },
        CatalogAction("Reset") { model.news.reset() },
      ], events: { PageEvent.all(of: model.news) }, again: { .again(model.news) }
    ) { model.code }
  }
}

/// News that are loaded only while the network is there, and again when it is back after a while.
@MainActor
@Observable
final class PauseModel {
  var isOnline = false {
    didSet { if isOnline { network.open() } else { network.close() } }
  }
  /// The interval of automatic refreshes; zero for none.
  var interval = Duration.zero { didSet { show() } }
  private(set) var news: Resource<String>
  @ObservationIgnored private let network = LoadGate("offline")
  @ObservationIgnored private let runtime: SceneRuntime

  init(_ runtime: SceneRuntime) {
    self.runtime = runtime
    network.close()
    news = Resource()
    show()
  }

  func show() {
    let gate = network
    news = Resource(
      Loader { context in
        try await context.clock.sleep(for: .seconds(1))
        guard gate.isOpen else { throw Faults.Failure.offline.error }
        return "News of \(context.clock.now.offset.components.seconds) seconds after the start"
      }
      .under(runtime.faults)
      .gated(by: network),
      refreshing: Refreshing(
        interval: interval > .zero ? interval : nil, staleAfter: .seconds(10)),
      name: "news", historyCapacity: 64, clock: runtime.clock,
      scheduler: runtime.scheduler.refreshing(whileOpen: network))
  }

  fileprivate var code: String {
    let interval = interval > .zero ? "interval: \(interval.swift), " : ""
    return """
      import Loading
      import TerminalUI

      // Whoever watches the network opens and closes it.
      let network = LoadGate("offline")

      struct NewsView: View {
        let news = Resource(
          Loader { _ in try await api.news() }.gated(by: network),
          refreshing: Refreshing(\(interval)staleAfter: .seconds(10)),
          scheduler: LoadScheduler.terminal.refreshing(whileOpen: network))

        var body: some View {
          AsyncContentView(news) { Text($0) }
        }
      }
      """
  }
}

private struct PauseView: View {
  let model: PauseModel

  var body: some View {
    AsyncContentView(model.news) { Text($0).bold() }.padding(.horizontal)
  }
}
