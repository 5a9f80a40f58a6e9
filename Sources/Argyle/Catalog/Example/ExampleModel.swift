import Loading
import Observation
import TerminalUI

/// The example on most pages of the catalog: a list of socks, in whatever state it is forced into.
@MainActor
@Observable
final class ExampleModel {
  struct Item: Sendable, Identifiable {
    let id: Int
    var title: String
  }

  var options: ExampleOptions {
    didSet { if needsAnotherResource(than: oldValue) { resource = makeResource(resource.state) } }
  }
  private(set) var resource: Resource<[Item]>
  @ObservationIgnored private let runtime: SceneRuntime
  @ObservationIgnored private var step = 0

  init(_ runtime: SceneRuntime, options: ExampleOptions = ExampleOptions()) {
    self.runtime = runtime
    self.options = options
    resource = Resource()
    resource = makeResource(.idle)
  }

  /// The preset with the current options.
  var preset: ExampleOptions.Preset {
    get { ExampleOptions.Preset.allCases.first { $0.options == options } ?? .own }
    set { options = newValue.options ?? options }
  }

  /// Whether the example uses a custom view in place of the default `view`.
  subscript(own view: ExampleOptions.OwnView) -> Bool {
    get { options.ownViews.contains(view) }
    set {
      if newValue { options.ownViews.insert(view) } else { options.ownViews.remove(view) }
    }
  }

  // A resource takes its error policy, its start and its loader when it is made.
  private func needsAnotherResource(than old: ExampleOptions) -> Bool {
    options.errorPolicy != old.errorPolicy || options.startsOnAppear != old.startsOnAppear
      || options.progress != old.progress
  }

  private func makeResource(_ state: LoadingState<[Item]>) -> Resource<[Item]> {
    Resource(
      loader, initialState: state.isLoading ? .idle : state, errorPolicy: options.errorPolicy,
      startsOnAppear: options.startsOnAppear, name: "socks", historyCapacity: 64,
      clock: runtime.clock, scheduler: runtime.scheduler)
  }

  /// The action of `r` in the current state.
  var again: CatalogAction? { .again(resource) }

  func load() { resource.load(loader, .restart, cause: .user) }

  func stepProgress() {
    step = step % 4 + 1
    resource.set(.loading(LoadingProgress(message: "\(step) of 5 parts", completed: step, of: 5)))
  }

  func fail() {
    resource.set(
      .failed(
        DescribedError(
          "The drawer is stuck.", advice: "Try again, or choose another state.",
          detail: "This failure was chosen in the catalog.", isRetryable: options.allowsRetry)))
  }

  /// Changes the chosen number of elements at once.
  func change(failing: Bool) {
    let (clock, faults) = (runtime.clock, runtime.faults)
    for item in resource.latestValue?.prefix(options.changeCount) ?? [] {
      resource.mutate(
        item: item.id, field: "colour",
        timing: options.timing == .optimistic ? .optimistic : .confirmed,
        undoWindow: options.undoWindow > .zero ? options.undoWindow : nil
      ) { items in
        items.modify(id: item.id) { $0.title += failing ? " (in red)" : " (in blue)" }
      } commit: { _ in
        try await faults.strike(on: clock)
        try await clock.sleep(for: .milliseconds(1500 + 400 * item.id))
        if failing {
          throw DescribedError("The change was not saved.", advice: "Try it again.")
        }
      }
    }
  }

  /// Undoes the newest change that can still be undone.
  func undo() {
    for mutation in resource.pendingMutations.reversed() where resource.undo(mutation.id) { return }
  }

  /// Loads the socks in three seconds.
  private var loader: Loader<[Item]> {
    Loader { [progress = options.progress] context in
      for part in 0..<5 {
        switch progress {
        case .none: break
        case .message: context.report(message: "part \(part + 1)")
        case .fraction:
          context.report(LoadingProgress(message: "\(part) of 5 parts", completed: part, of: 5))
        }
        try await context.clock.sleep(for: .milliseconds(600))
      }
      return Item.all
    }
    .under(runtime.faults)
  }
}

extension ExampleModel.Item {
  static let all = titled([
    "Grey wool, darned twice", "Striped, cotton", "Left one of a pair", "Argyle, of course",
    "Hiking sock, still wet", "White, once",
  ])
  static let samples = titled(["Some sock or other", "Another", "A third one, too", "And one more"])

  private static func titled(_ titles: [String]) -> [Self] {
    titles.enumerated().map { Self(id: $0.offset, title: $0.element) }
  }
}
