import Loading
import Observation
import TerminalUI

extension CatalogPage {
  static let cache = CatalogPage(
    "Cache & refresh", "A value that is loaded already, and is kept fresh."
  ) { runtime in
    let model = CacheModel(runtime)
    return PageContent(
      view: { CacheView(model: model) },
      options: [
        CatalogOption(
          "Stale after", model, \.staleAfter,
          ["5 s": .seconds(5), "1 s": .seconds(1), "1 min": .seconds(60)]),
        CatalogOption(
          "Kept for", model, \.lifetime, ["1 min": .seconds(60), "10 s": .seconds(10)]),
        CatalogOption("Refreshed", model, \.interval, ["never": .zero, "every 4 s": .seconds(4)]),
      ],
      actions: [
        CatalogAction("Show it in another view") { model.showAgain() },
        CatalogAction("Load, cache or not") { model.weather.load(.restart, cause: .user) },
        CatalogAction("Forget the cached value") { model.forget() },
      ], events: { PageEvent.all(of: model.weather) },
      again: { .again(model.weather) { model.weather.load(.restart, cause: .user) } }
    ) { model.code }
  }
}

/// The weather, loaded through a cache that outlives the view.
@MainActor
@Observable
final class CacheModel {
  var staleAfter = Duration.seconds(5) { didSet { makeCache() } }
  var lifetime = Duration.seconds(60) { didSet { makeCache() } }
  /// The interval of automatic refreshes; zero for none.
  var interval = Duration.zero { didSet { showAgain() } }
  private(set) var weather: Resource<String>
  @ObservationIgnored private let runtime: SceneRuntime
  @ObservationIgnored private var cache: LoadCache<String, String>
  @ObservationIgnored private let chance: SharedChance

  init(_ runtime: SceneRuntime) {
    self.runtime = runtime
    chance = SharedChance(seed: runtime.seed)
    cache = LoadCache(staleAfter: .seconds(5), lifetime: .seconds(60))
    weather = Resource()
    showAgain()
  }

  /// Does what a new view would do: makes another resource with the same cache.
  func showAgain() {
    let chance = chance
    weather = Resource(
      Loader { context in
        try await context.clock.sleep(for: .seconds(1))
        return "\(8 + Int(chance.next() * 12))° and rain, good weather for wool"
      }
      .under(runtime.faults)
      .cached(in: cache, key: "weather"),
      refreshing: Refreshing(interval: interval > .zero ? interval : nil, staleAfter: staleAfter),
      name: "weather", historyCapacity: 64, clock: runtime.clock, scheduler: runtime.scheduler)
  }

  func forget() { cache.remove("weather") }

  private func makeCache() {
    cache = LoadCache(staleAfter: staleAfter, lifetime: lifetime)
    showAgain()
  }

  fileprivate var code: String {
    let interval = interval > .zero ? "interval: \(interval.swift), " : ""
    return """
      import Loading
      import TerminalUI

      let weatherCache = LoadCache<String, String>(
        staleAfter: \(staleAfter.swift), lifetime: \(lifetime.swift))

      struct WeatherView: View {
        let weather = Resource(
          Loader { _ in try await api.weather() }.cached(in: weatherCache, key: "weather"),
          refreshing: Refreshing(\(interval)staleAfter: \(staleAfter.swift)))

        var body: some View {
          AsyncContentView(weather) { Text($0) }
        }
      }
      """
  }
}

private struct CacheView: View {
  let model: CacheModel

  var body: some View {
    VStack(alignment: .leading) {
      AsyncContentView(model.weather) { Text($0).bold() }.frame(height: 3, alignment: .topLeading)
      Text(
        "A fresh value is taken from the cache without a load. A stale one is shown while it is loaded again."
      )
      .foregroundStyle(\.secondary)
    }
    .padding(.horizontal)
  }
}
