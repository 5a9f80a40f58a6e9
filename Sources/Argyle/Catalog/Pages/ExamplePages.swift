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
      [.firstLoad(model), .overValue(model), .afterError(model), .cancel(model)])
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
      [.firstLoad(model), .overValue(model), .afterError(model), .cancel(model)])
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
      [.failed(model), .failedAtFirst(model), .loaded(model), .afterError(model), .reset(model)])
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
      [.reset(model), .load(model), .cancel(model)])
  }

  static let empty = CatalogPage(
    "Empty", "A value that has nothing to show."
  ) { runtime in
    let model = ExampleModel(runtime)
    model[own: .empty] = true
    model.resource.set(.loaded([]))
    return model.page(
      [CatalogOption("Own empty view", model, isOn: \.[own: .empty])],
      [.empty(model), .loaded(model), .overValue(model)])
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
      [.step(model), .firstLoad(model), .overValue(model), .cancel(model)])
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
      [.change(model), .failingChange(model), .loaded(model)])
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
        .change(model), .failingChange(model), CatalogAction("Undo") { model.undo() },
        CatalogAction("A change during a load") {
          model.load()
          model.change(failing: false)
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
      actions: [
        .overValue(model), .loaded(model), .empty(model), .failed(model), .cancel(model),
        .reset(model),
        .change(model),
      ], events: { PageEvent.all(of: model.resource) }, again: { model.again }
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
    _ options: [CatalogOption], _ actions: [CatalogAction], code: (@MainActor () -> String)? = nil
  ) -> PageContent {
    PageContent(
      view: { ExampleView(model: self) }, options: options, actions: actions,
      events: { [self] in PageEvent.all(of: resource) }, again: { [self] in again },
      code: code ?? { [self] in self.options.code.text })
  }
}

/// The states that the example can be forced into.
extension CatalogAction {
  fileprivate static func firstLoad(_ model: ExampleModel) -> CatalogAction {
    CatalogAction("First load") {
      model.resource.reset()
      model.load()
    }
  }

  fileprivate static func overValue(_ model: ExampleModel) -> CatalogAction {
    CatalogAction("Load over a value") {
      if model.resource.latestValue == nil { model.resource.set(.loaded(ExampleModel.Item.all)) }
      model.load()
    }
  }

  fileprivate static func afterError(_ model: ExampleModel) -> CatalogAction {
    CatalogAction("Load after an error") {
      model.resource.reset()
      model.fail()
      model.load()
    }
  }

  fileprivate static func load(_ model: ExampleModel) -> CatalogAction {
    CatalogAction("Load") { model.load() }
  }

  fileprivate static func loaded(_ model: ExampleModel) -> CatalogAction {
    CatalogAction("Loaded") { model.resource.set(.loaded(ExampleModel.Item.all)) }
  }

  fileprivate static func empty(_ model: ExampleModel) -> CatalogAction {
    CatalogAction("Empty") { model.resource.set(.loaded([])) }
  }

  fileprivate static func failed(_ model: ExampleModel) -> CatalogAction {
    CatalogAction("Error") { model.fail() }
  }

  fileprivate static func failedAtFirst(_ model: ExampleModel) -> CatalogAction {
    CatalogAction("Error of the first load") {
      model.resource.reset()
      model.fail()
    }
  }

  fileprivate static func step(_ model: ExampleModel) -> CatalogAction {
    CatalogAction("Progress by one step") { model.stepProgress() }
  }

  fileprivate static func cancel(_ model: ExampleModel) -> CatalogAction {
    CatalogAction("Cancel") { model.resource.cancel() }
  }

  fileprivate static func reset(_ model: ExampleModel) -> CatalogAction {
    CatalogAction("Reset") { model.resource.reset() }
  }

  fileprivate static func change(_ model: ExampleModel) -> CatalogAction {
    CatalogAction("A change that succeeds") { model.change(failing: false) }
  }

  fileprivate static func failingChange(_ model: ExampleModel) -> CatalogAction {
    CatalogAction("A change that fails") { model.change(failing: true) }
  }
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
