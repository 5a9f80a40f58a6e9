import Loading
import LoadingTesting
import TerminalUITesting
import Testing

@testable import TerminalUI

/// Tests of every state of a loaded value in every style, on a normal, a small and a large screen.
@MainActor
@Suite struct SnapshotTests {
  struct Row: Identifiable, Sendable {
    let id: Int
    let title: String
  }

  /// What happened before the snapshot.
  enum Situation: String, CaseIterable {
    case idle = "idle"
    case waiting = "loading, before it shows"
    case loading = "loading"
    case loadingWithProgress = "loading, with progress"
    case placeholder = "loading, with a placeholder"
    case placeholderWithProgress = "loading, with a placeholder and progress"
    case loaded = "loaded"
    case empty = "empty"
    case reloading = "reloading"
    case reloadingWithProgress = "reloading, with progress"
    case failedAfterValue = "failed over content"
    case reloadingAfterBoth = "reloading after a failure over content"
    case failed = "failed"
    case failedInDetail = "failed, with details"
    case failedForGood = "failed, without a retry"
    case replaced = "failed in place of content"
    case retrying = "retrying"
    case retryingWithProgress = "retrying, with progress"
    case backoff = "waiting for the next attempt"
  }

  nonisolated static let sizes = [(80, 24), (20, 5), (200, 50)]
  nonisolated static let moments: [(name: String, situations: [Situation])] = [
    ("initial", [.loading, .loadingWithProgress, .placeholder, .placeholderWithProgress]),
    ("after a value", [.reloading, .reloadingWithProgress, .reloadingAfterBoth]),
    ("after an error", [.retrying, .retryingWithProgress, .backoff]),
  ]

  nonisolated static let rows = [
    Row(id: 1, title: "A sock"), Row(id: 2, title: "全角の靴下"),
    Row(id: 3, title: "Another one, of wool, darned twice"),
  ]

  private func frame(
    _ situation: Situation, _ style: LoadingViewStyle?, _ width: Int, _ height: Int,
    isPlain: Bool = false
  ) -> Frame {
    let (runtime, loads) = (ManualRuntime(), ManualLoads<[Row]>())
    defer { loads.end() }
    let backoff = Backoff(base: .seconds(3), random: { 1 })
    let loader =
      situation == .backoff ? loads.loader.retrying(limit: 4, backoff: backoff) : loads.loader
    let resource = runtime.resource(
      situation == .failedForGood ? nil : loader,
      errorPolicy: situation == .replaced ? .replace : .keep,
      startsOnAppear: situation != .idle)
    let stage = Stage(width, height, runtime: runtime) {
      let view = AsyncContentView(resource) { rows in
        List(rows) { Text($0.title) }
      }
      .empty { Text("No socks.") }
      let isSampled = [.placeholder, .placeholderWithProgress].contains(situation)
      (isSampled ? view.placeholder(Self.rows) : view)
        .loadingViewStyle(initial: style, afterValue: style, afterError: style)
    }
    stage.host.environment.isPlain = isPlain
    stage.host.environment.describeError = { _ in
      ErrorDescription(
        what: "The server is asleep.", advice: "Wake it up, or try again later.", detail: "Code 7")
    }
    stage.settle()
    bring(stage, resource, loads, to: situation)
    return stage.frame
  }

  /// Brings the stage into a situation.
  private func bring(
    _ stage: Stage, _ resource: Resource<[Row]>, _ loads: ManualLoads<[Row]>,
    to situation: Situation
  ) {
    func answer(_ value: [Row]) {
      loads.latest?.succeed(value)
      stage.advance(by: .seconds(1))
    }
    func fail() {
      loads.latest?.fail(Broken())
      stage.advance(by: .seconds(1))
    }
    func load(reporting: Bool = false) {
      resource.load()
      stage.settle()
      if reporting { report() }
    }
    func report() { loads.latest?.context.report(message: "2 of 5", fraction: 0.4) }
    switch situation {
    case .idle, .waiting: return
    case .loading, .placeholder: break
    case .loadingWithProgress, .placeholderWithProgress: report()
    case .loaded: answer(Self.rows)
    case .empty: answer([])
    case .reloading, .reloadingWithProgress:
      answer(Self.rows)
      load(reporting: situation == .reloadingWithProgress)
    case .failedAfterValue, .replaced, .reloadingAfterBoth:
      answer(Self.rows)
      load()
      fail()
      if situation == .reloadingAfterBoth { load() }
    case .failed, .backoff: fail()
    case .failedForGood: resource.set(.failed(Broken()))
    case .failedInDetail:
      fail()
      stage.press("d")
    case .retrying, .retryingWithProgress:
      fail()
      load(reporting: situation == .retryingWithProgress)
    }
    stage.advance(by: .milliseconds(200))
  }

  private func section(
    _ situation: Situation, _ style: LoadingViewStyle?, isPlain: Bool = false
  ) -> String {
    Self.sizes.map { width, height in
      let frame = frame(situation, style, width, height, isPlain: isPlain)
      return "── \(situation.rawValue), \(width)×\(height)\n\(frame.compact)\n"
    }
    .joined()
  }

  @Test(arguments: LoadingStyleTests.names, moments.indices)
  func `every moment in every style looks as it did`(style: String, moment: Int) throws {
    let (name, situations) = Self.moments[moment]
    let text = situations.map { section($0, LoadingStyleTests.style(style)) }.joined()
    try expectSnapshot(text, "\(name)/\(style)")
  }

  @Test func `every state looks as it did`() throws {
    try expectSnapshot(Situation.allCases.map { section($0, nil) }.joined(), "states")
  }

  @Test func `every state in plain mode reads as it did`() throws {
    try expectSnapshot(
      Situation.allCases.map { section($0, nil, isPlain: true) }.joined(), "states in plain mode")
  }
}
