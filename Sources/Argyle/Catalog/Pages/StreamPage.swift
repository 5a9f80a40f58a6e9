import Loading
import Observation
import TerminalUI

extension CatalogPage {
  static let streams = CatalogPage(
    "Streams", "A subscription that brings many values and may break off."
  ) { runtime in
    let model = StreamModel(runtime)
    return PageContent(
      view: { StreamView(model: model) },
      options: [
        CatalogOption(
          "A value every", model, \.period,
          ["1 s": .seconds(1), "0.2 s": .milliseconds(200), "5 s": .seconds(5)]),
        CatalogOption(
          "It ends", model, \.end,
          ["never": .never, "after 5 values": .done, "with a failure": .broken]),
        CatalogOption(
          "Equal values", model, \.dropsEqual, ["are shown again": false, "are dropped": true]),
      ],
      actions: [
        CatalogAction("Subscribe again") { model.load() },
        CatalogAction("Cancel") { model.count.cancel() },
        CatalogAction("Reset") { model.count.reset() },
      ], events: { PageEvent.all(of: model.count) },
      again: { .again(model.count) { model.load() } }
    ) { model.code }
  }
}

/// A counter whose values come from a stream.
@MainActor
@Observable
final class StreamModel {
  enum End: Hashable { case never, done, broken }

  var period = Duration.seconds(1) { didSet { load() } }
  var end = End.never { didSet { load() } }
  var dropsEqual = false { didSet { load() } }
  let count: Resource<Int>
  @ObservationIgnored private let runtime: SceneRuntime

  init(_ runtime: SceneRuntime) {
    self.runtime = runtime
    count = Resource(
      name: "count", historyCapacity: 64, clock: runtime.clock, scheduler: runtime.scheduler)
    count.load(loader, .restart, cause: .appeared)
  }

  func load() { count.load(loader, .restart, cause: .user) }

  private var loader: Loader<Int> {
    let (period, end, clock) = (period, end, runtime.clock)
    let loader = Loader(sequence: {
      let number = Turns()
      return AsyncThrowingStream {
        let number = number.next()
        guard end == .never || number < 5 else {
          if end == .done { return nil as Int? }
          throw DescribedError("The line was cut.", advice: "Subscribe again.")
        }
        try await clock.sleep(until: clock.now.advanced(by: period))
        // Every other value is equal to the one before it.
        return number / 2 + 1
      }
    })
    .under(runtime.faults)
    return dropsEqual ? loader.removeDuplicates() : loader
  }

  fileprivate var code: String {
    """
    import Loading
    import TerminalUI

    struct CountView: View {
      let count = Resource(
        Loader(sequence: { try await api.counts() })\(dropsEqual ? ".removeDuplicates()" : ""))

      var body: some View {
        AsyncContentView(count) { Text("Counted: \\($0)") }
      }
    }
    """
  }
}

private struct StreamView: View {
  let model: StreamModel

  var body: some View {
    AsyncContentView(model.count) { number in
      VStack(alignment: .leading) {
        Text("Counted: \(number)").bold()
        Text(String(repeating: "▇", count: min(40, number))).foregroundStyle(\.accent).lineLimit(1)
      }
    }
    .padding(.horizontal)
  }
}
