import Loading
import TerminalUI

extension CatalogPage {
  static let styles = CatalogPage(
    "Styles", "How a load is shown: at first, over a value, after an error."
  ) { runtime in
    let model = ExampleModel(runtime)
    return model.page(
      [CatalogOption("As in", model, \.preset)]
        + look("First load", model, \.options.first)
        + look("Over a value", model, \.options.afterValue)
        + look("After an error", model, \.options.afterError),
      [.firstLoad, .overValue, .afterError, .cancel])
  }

  static let indicators = CatalogPage(
    "Indicators", "What turns or glows, when it comes, how long it stays."
  ) { runtime in
    var options = ExampleOptions()
    options.first.style = .overContent
    let model = ExampleModel(runtime, options: options)
    return model.page(
      [
        CatalogOption("Placeholder", model, isOn: \.options.hasPlaceholder),
        CatalogOption(
          "Redaction", model, \.options.redaction,
          ["blocks": .blocks, "shimmer": .shimmer, "dots": .dots]),
        CatalogOption("Own first view", model, isOn: \.[own: .loading]),
        CatalogOption("Own at first", model, isOn: \.options.first.hasOwnIndicator),
        CatalogOption("Own over a value", model, isOn: \.options.afterValue.hasOwnIndicator),
        CatalogOption("Own after an error", model, isOn: \.options.afterError.hasOwnIndicator),
        CatalogOption(
          "Delay", model, \.options.gate.delay,
          ["200 ms": .milliseconds(200), "1 s": .seconds(1), "none": .zero]),
        CatalogOption(
          "Shown at least", model, \.options.gate.minimum,
          ["400 ms": .milliseconds(400), "2 s": .seconds(2), "0 ms": .zero]),
      ],
      [.firstLoad, .overValue, .afterError, .cancel])
  }

  static let errors = CatalogPage(
    "Errors", "A failure with nothing to show, and one beside a value."
  ) { runtime in
    let model = ExampleModel(runtime)
    return model.page(
      [
        CatalogOption(
          "A failure will", model, \.options.errorPolicy,
          ["keep the value": .keep, "replace it": .replace]),
        CatalogOption("Retry", model, isOn: \.options.allowsRetry),
        CatalogOption("Own error view", model, isOn: \.[own: .error]),
        CatalogOption("Placeholder", model, isOn: \.options.hasPlaceholder),
      ],
      [.failed, .failedAtFirst, .loaded, .afterError, .reset])
  }

  static let idle = CatalogPage(
    "Idle", "Before anything is loaded: by itself, or by a button."
  ) { runtime in
    var options = ExampleOptions()
    options.startsOnAppear = false
    let model = ExampleModel(runtime, options: options)
    return model.page(
      [
        CatalogOption(
          "Starts", model, \.options.startsOnAppear, ["by a key": false, "by itself": true]),
        CatalogOption("“Load” button", model, isOn: \.[own: .idle]),
        CatalogOption("Placeholder", model, isOn: \.options.hasPlaceholder),
      ],
      [.reset, .load, .cancel])
  }

  static let empty = CatalogPage(
    "Empty", "A value that has nothing to show."
  ) { runtime in
    let model = ExampleModel(runtime)
    model[own: .empty] = true
    model.resource.set(.loaded([]))
    return model.page(
      [CatalogOption("Own empty view", model, isOn: \.[own: .empty])],
      [.empty, .loaded, .overValue])
  }

  static let progress = CatalogPage(
    "Progress", "How far a load has come: in words, in percent or not."
  ) { runtime in
    var options = ExampleOptions()
    options.progress = .fraction
    options.afterValue = .belowContent
    let model = ExampleModel(runtime, options: options)
    return model.page(
      [
        CatalogOption("Reported", model, \.options.progress),
        CatalogOption("First load", model, \.options.first.style),
        CatalogOption("Over a value", model, \.options.afterValue.style),
        CatalogOption("Placeholder", model, isOn: \.options.hasPlaceholder),
        CatalogOption("Own indicator", model, isOn: \.options.afterValue.hasOwnIndicator),
      ],
      [.step, .firstLoad, .overValue, .cancel])
  }

  static let modifying = CatalogPage(
    "Modifying", "Rows that are being changed, each with its own spinner."
  ) { runtime in
    var options = ExampleOptions()
    options.changeCount = 3
    options.timing = .confirmed
    options.afterValue = .belowContent
    let model = ExampleModel(runtime, options: options)
    model.resource.set(.loaded(ExampleModel.Item.all))
    return model.page(
      [
        CatalogOption("Rows at once", model, \.options.changeCount, ["3": 3, "6": 6, "2": 2]),
        CatalogOption("Shown", model, \.options.timing),
      ],
      [.change, .failingChange, .loaded])
  }

  static let mutations = CatalogPage(
    "Mutations", "A change that shows at once and is taken back if it fails."
  ) { runtime in
    var options = ExampleOptions()
    options.afterValue = .belowContent
    let model = ExampleModel(runtime, options: options)
    model.resource.set(.loaded(ExampleModel.Item.all))
    var content = model.page(
      [
        CatalogOption("Shown", model, \.options.timing),
        CatalogOption(
          "Undo within", model, \.options.undoWindow, ["0 s": .zero, "3 s": .seconds(3)]),
      ],
      [
        .change, .failingChange, ForcedState("Undo") { $0.undo() },
        ForcedState("A change during a load") {
          $0.load()
          $0.change(failing: false)
        },
      ]
    ) { "import Loading\n\n" + model.options.changeCode.text }
    content.again = { .again(model.resource) { model.load() } }
    return content
  }

  static let history = CatalogPage(
    "History", "What a resource remembers: value, failure, result, events."
  ) { runtime in
    var options = ExampleOptions()
    options.afterValue = .belowContent
    let model = ExampleModel(runtime, options: options)
    return PageContent(
      view: { HistoryView(model: model) },
      options: [
        CatalogOption(
          "A failure will", model, \.options.errorPolicy,
          ["keep the value": .keep, "replace it": .replace])
      ],
      actions: model.actions([
        .overValue, .loaded, .empty, .failed, .cancel, .reset, .change,
      ]), events: { PageEvent.all(of: model.resource) }, again: { model.again }
    ) {
      #"""
      import Loading

      @MainActor func describe(_ socks: Resource<[Sock]>) -> String {
        let newest = "\(socks.latestValue?.count ?? 0) socks"
        let failure = socks.failure.map { "\($0.error), \($0.failureCount) in a row" }
        let events = socks.history.suffix(10).map { "\($0.at.offset): \($0.event)" }
        return ([newest, failure ?? "no failure"] + events).joined(separator: "\n")
      }
      """#
    }
  }

  @MainActor
  private static func look(
    _ moment: String, _ model: ExampleModel,
    _ path: ReferenceWritableKeyPath<ExampleModel, ExampleOptions.Look>
  ) -> [CatalogOption] {
    [
      CatalogOption(moment, model, path.appending(path: \.style)),
      CatalogOption(
        "· alignment", of: moment, model, path.appending(path: \.alignment), Alignment.named),
      CatalogOption(
        "· spacing", of: moment, model, path.appending(path: \.spacing),
        ["0": 0, "1": 1, "2": 2, "3": 3]),
      CatalogOption(
        "· opacity", of: moment, model, path.appending(path: \.opacity),
        ["1.0": 1, "0.9": 0.9, "0.7": 0.7, "0.5": 0.5, "0.3": 0.3, "0.1": 0.1]),
      CatalogOption(
        "· own indicator", of: moment, model, path.appending(path: \.hasOwnIndicator),
        ["off": false, "on": true]),
    ]
  }
}

/// What the pages of the example have in common.
extension ExampleModel {
  fileprivate func page(
    _ options: [CatalogOption], _ states: [ForcedState], code: (@MainActor () -> String)? = nil
  ) -> PageContent {
    PageContent(
      view: { ExampleView(model: self) }, options: options, actions: actions(states),
      events: { [self] in PageEvent.all(of: resource) }, again: { [self] in again },
      code: code ?? { [self] in self.options.code.text })
  }

  fileprivate func actions(_ states: [ForcedState]) -> [CatalogAction] {
    states.map { state in CatalogAction(state.name) { state.force(self) } }
  }
}

/// A state that the example can be forced into.
@MainActor
private struct ForcedState {
  let name: String
  let force: @MainActor (ExampleModel) -> Void

  init(_ name: String, force: @escaping @MainActor (ExampleModel) -> Void) {
    (self.name, self.force) = (name, force)
  }

  static let firstLoad = ForcedState("First load") {
    $0.resource.reset()
    $0.load()
  }
  static let overValue = ForcedState("Load over a value") {
    if $0.resource.latestValue == nil { $0.resource.set(.loaded(ExampleModel.Item.all)) }
    $0.load()
  }
  static let afterError = ForcedState("Load after an error") {
    $0.resource.reset()
    $0.fail()
    $0.load()
  }
  static let load = ForcedState("Load") { $0.load() }
  static let loaded = ForcedState("Loaded") { $0.resource.set(.loaded(ExampleModel.Item.all)) }
  static let empty = ForcedState("Empty") { $0.resource.set(.loaded([])) }
  static let failed = ForcedState("Error") { $0.fail() }
  static let failedAtFirst = ForcedState("Error of the first load") {
    $0.resource.reset()
    $0.fail()
  }
  static let step = ForcedState("Progress by one step") { $0.stepProgress() }
  static let cancel = ForcedState("Cancel") { $0.resource.cancel() }
  static let reset = ForcedState("Reset") { $0.resource.reset() }
  static let change = ForcedState("A change that succeeds") { $0.change(failing: false) }
  static let failingChange = ForcedState("A change that fails") { $0.change(failing: true) }
}

/// The example, with the history that its resource records.
private struct HistoryView: View {
  let model: ExampleModel
  @Environment(\.describeError) private var describe

  var body: some View {
    let resource = model.resource
    VStack(alignment: .leading) {
      fact("state", resource.state.word)
      fact("strictly", resource.strictState.word)
      fact("newest value", resource.latestValue.map { "\($0.count) socks" } ?? "none")
      fact(
        "failure",
        resource.failure.map { "\(describe($0.error).what) (\($0.failureCount))" } ?? "none")
      fact("last result", lastResult)
      fact("runs", resource.activity.map { "\($0.ticket)" } ?? "nothing")
      fact("changes", "\(resource.pendingMutations.count)")
      Text("")
      ExampleView(model: model)
    }
  }

  private var lastResult: String {
    switch model.resource.lastResult {
    case .success(let socks): "\(socks.count) socks"
    case .failure(let error): describe(error).what
    case nil: "none"
    }
  }

  private func fact(_ name: String, _ value: String) -> some View {
    HStack {
      Text(name).foregroundStyle(\.secondary).frame(width: 13, alignment: .leading)
      Text(value).lineLimit(1)
    }
    .padding(.horizontal)
  }
}

extension LoadingState {
  /// The name of the state.
  fileprivate var word: String {
    switch self {
    case .idle: "idle"
    case .loading: "loading"
    case .failed: "failed"
    case .loaded: "loaded"
    }
  }
}
