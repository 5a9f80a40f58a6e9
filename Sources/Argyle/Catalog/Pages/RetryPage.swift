import Loading
import Observation
import TerminalUI

extension CatalogPage {
  static let retry = CatalogPage(
    "Retry & backoff", "A load that tries again by itself, later each time."
  ) { runtime in
    let model = RetryModel(runtime)
    return PageContent(
      view: { RetryView(model: model) },
      options: [
        CatalogOption("Attempts", model, \.limit, ["5": 5, "2": 2, "8": 8]),
        CatalogOption("Fails", model, \.failures, ["3 times": 3, "once": 1, "always": .max]),
        CatalogOption(
          "First wait", model, \.base,
          ["2 s": .seconds(2), "0.5 s": .milliseconds(500), "8 s": .seconds(8)]),
        CatalogOption("Factor", model, \.factor, ["1.7": 1.7, "1.0": 1, "3.0": 3]),
        CatalogOption("Time-out", model, \.timeout, ["none": .zero, "0.5 s": .milliseconds(500)]),
      ],
      actions: [
        CatalogAction("Load") { model.load() },
        CatalogAction("Retry now") { model.letter.retry() },
        CatalogAction("Cancel") { model.letter.cancel() },
        CatalogAction("Reset") { model.letter.reset() },
      ], events: { PageEvent.all(of: model.letter) }, again: { .again(model.letter) }
    ) { model.code }
  }
}

/// A letter whose load fails several times before it succeeds.
@MainActor
@Observable
final class RetryModel {
  var limit = 5
  var failures = 3
  var base = Duration.seconds(2)
  var factor = 1.7
  /// The timeout of one attempt; zero for none.
  var timeout = Duration.zero
  let letter: Resource<String>
  @ObservationIgnored private let runtime: SceneRuntime

  init(_ runtime: SceneRuntime) {
    self.runtime = runtime
    letter = Resource(
      name: "letter", historyCapacity: 64, clock: runtime.clock, scheduler: runtime.scheduler)
    letter.load(loader, .restart, cause: .appeared)
  }

  /// Loads with the current options.
  func load() { letter.load(loader, .restart, cause: .user) }

  private var loader: Loader<String> {
    let chance = SharedChance(seed: runtime.seed)
    let failures = failures
    let attempt = Loader<String> { context in
      try await context.clock.sleep(for: .milliseconds(700))
      guard context.attempt > failures else {
        throw DescribedError(
          "The post office is closed.", advice: "It is tried again automatically.",
          detail: "Attempt \(context.attempt)")
      }
      return """
        Dear reader,

        the post office was closed before it was open. Nobody had to stand at its door: the program \
        waited, a little longer each time, and said so.

        Had you pressed r, it would have knocked at once.
        """
    }
    .under(runtime.faults)
    return (timeout > .zero ? attempt.timeout(timeout) : attempt).retrying(
      limit: limit,
      backoff: Backoff(base: base, factor: factor, random: { 0.6 + 0.4 * chance.next() }))
  }

  fileprivate var code: String {
    let timeout = timeout > .zero ? "\n  .timeout(\(timeout.swift))" : ""
    return """
      import Loading
      import TerminalUI

      struct LetterView: View {
        let letter = Resource(Loader { _ in try await api.letter() }\(timeout)
          .retrying(
            limit: \(limit), backoff: Backoff(base: \(base.swift), factor: \(factor))))

        var body: some View {
          AsyncContentView(letter) { text in
            ScrollView { Text(text) }
          }
        }
      }
      """
  }
}

private struct RetryView: View {
  let model: RetryModel

  var body: some View {
    AsyncContentView(model.letter) { text in
      ScrollView { Text(text).padding(.horizontal) }
    }
    .onKeyPress(action: .reload) { model.letter.load() }
  }
}
