import Loading
import Observation
import TerminalUI

/// What the catalog shows: the options that are chosen, and a resource in the state that is forced.
@MainActor
@Observable
final class CatalogModel {
  struct Item: Sendable, Identifiable {
    let id: Int
    var title: String
  }

  private(set) var options = CatalogOptions()
  private(set) var resource: Resource<[Item]>
  let toasts = ToastQueue()
  @ObservationIgnored private let clock: AnyClock
  @ObservationIgnored private let scheduler: LoadScheduler
  @ObservationIgnored private var step = 0

  init(clock: AnyClock = .terminal, scheduler: LoadScheduler = .terminal) {
    self.clock = clock
    self.scheduler = scheduler
    resource = Resource(
      Self.loader(reporting: false), name: "example", historyCapacity: 64, clock: clock,
      scheduler: scheduler)
  }

  /// Chooses another value of an option.
  func step(_ option: CatalogOption, by step: Int) {
    let before = options
    option.step(&options, step)
    guard options.failure != before.failure else { return }
    // What a failure does is decided when a resource is made.
    resource = Resource(
      Self.loader(reporting: options.progress == .on), initialState: resource.state,
      errorPolicy: options.failure == .keep ? .keep : .replace, name: "example",
      historyCapacity: 64, clock: clock, scheduler: scheduler)
  }

  /// What `r` would do; nil when the view offers nothing of the kind.
  var retryLabel: String? {
    guard !resource.isLoading else { return nil }
    return resource.failure != nil ? "retry" : resource.latestValue == nil ? "load" : nil
  }

  func perform(_ action: CatalogAction) {
    switch action {
    case .load:
      resource.load(Self.loader(reporting: options.progress == .on), .restart, cause: .user)
    case .progress:
      step = step % 4 + 1
      resource.set(.loading(LoadingProgress(message: "\(step) of 5 parts", completed: step, of: 5)))
    case .loaded: resource.set(.loaded(Item.all))
    case .empty: resource.set(.loaded([]))
    case .failed: resource.set(.failed(Self.failure))
    case .cancel: resource.cancel()
    case .reset: resource.reset()
    case .change: change(failing: false)
    case .failingChange: change(failing: true)
    }
  }

  private func change(failing: Bool) {
    guard let item = resource.latestValue?.first else { return }
    let clock = clock
    resource.mutate(item: item.id) { items in
      items.modify(id: item.id) { $0.title += failing ? " (in red)" : " (in blue)" }
    } commit: { _ in
      try await clock.sleep(for: .milliseconds(1500))
      if failing {
        throw DescribedError("The change was not saved.", advice: "Try it again.")
      }
    }
  }

  private static let failure = DescribedError(
    "The drawer is stuck.", advice: "Try again, or choose another state.",
    detail: "This failure was chosen in the catalog")

  /// Takes three seconds.
  private static func loader(reporting: Bool) -> Loader<[Item]> {
    Loader { context in
      for part in 0..<5 {
        if reporting {
          context.report(
            LoadingProgress(message: "\(part) of 5 parts", completed: part, of: 5))
        }
        try await context.clock.sleep(for: .milliseconds(600))
      }
      return Item.all
    }
  }
}

/// A state to be forced.
enum CatalogAction: String, CaseIterable, Identifiable {
  case load = "Load for three seconds"
  case progress = "Progress by one step"
  case loaded = "Loaded"
  case empty = "Empty"
  case failed = "Error"
  case cancel = "Cancel"
  case reset = "Reset"
  case change = "A change that succeeds"
  case failingChange = "A change that fails"

  var id: String { rawValue }
}

extension CatalogModel.Item {
  static let all = titled([
    "Grey wool, darned twice", "Striped, cotton", "Left one of a pair", "Argyle, of course",
    "Hiking sock, still wet", "White, once",
  ])
  static let samples = titled(["Some sock or other", "Another", "A third one, too", "And one more"])

  private static func titled(_ titles: [String]) -> [Self] {
    titles.enumerated().map { Self(id: $0.offset, title: $0.element) }
  }
}
