import Loading
import TerminalUI

/// A page of the catalog, as the list shows it.
struct CatalogPage: Identifiable, Sendable {
  let name: String
  /// A sentence that says what the page shows.
  let summary: String
  /// Makes the content of the page, when it is first opened.
  let open: @MainActor @Sendable (SceneRuntime) -> PageContent

  var id: String { name }

  init(
    _ name: String, _ summary: String,
    open: @escaping @MainActor @Sendable (SceneRuntime) -> PageContent
  ) {
    self.name = name
    self.summary = summary
    self.open = open
  }
}

/// The content of a page: a live view, its options, the states that it can be forced into, its
/// events, and the Swift that makes it.
@MainActor
struct PageContent {
  let view: AnyView
  var options: [CatalogOption] = []
  var actions: [CatalogAction] = []
  /// The events of the page, the newest last.
  let events: @MainActor () -> [PageEvent]
  /// The Swift of the view with the chosen options; see ``CatalogCode`` for what it may use.
  let code: @MainActor () -> String
  /// The action of `r` in any pane; nil if the view itself handles the key.
  var again: @MainActor () -> CatalogAction? = { nil }

  init(
    @ViewBuilder view: @escaping () -> some View, options: [CatalogOption] = [],
    actions: [CatalogAction] = [], events: @escaping @MainActor () -> [PageEvent],
    again: @escaping @MainActor () -> CatalogAction? = { nil },
    code: @escaping @MainActor () -> String
  ) {
    self.view = AnyView(PageView(content: view))
    self.options = options
    self.actions = actions
    self.events = events
    self.again = again
    self.code = code
  }
}

/// The live view of a page, made again when a model that it is made from was replaced.
private struct PageView<Content: View>: View {
  let content: () -> Content
  var body: some View { content() }
}

/// An option of a page, with its values as text.
@MainActor
struct CatalogOption: Identifiable {
  nonisolated let name: String
  let value: @MainActor () -> String
  /// Chooses the next value, or with -1 the previous one.
  let step: @MainActor (Int) -> Void
  /// The number of values; 1 if it is no choice but an action.
  let count: Int
  var isChoice: Bool { count > 1 }

  /// The group of options that it belongs to, where several options share a name.
  nonisolated let subject: String
  /// Whether the option applies to every page; it is listed below the page's own.
  var isOfEveryPage = false

  nonisolated var id: String { "\(subject) \(name)" }

  /// The name with its group, without symbols, for plain mode.
  var spokenName: String {
    subject.isEmpty ? name : "\(subject), \(name.drop { !$0.isLetter })"
  }

  /// Makes a row that performs an action.
  init(_ action: CatalogAction) {
    name = action.name
    subject = ""
    count = 1
    value = { "" }
    step = { _ in action.perform() }
  }

  /// Makes a choice among `values` for the property at `path`.
  init<Root: AnyObject, Value: Equatable>(
    _ name: String, of subject: String = "", _ root: Root,
    _ path: ReferenceWritableKeyPath<Root, Value>, _ values: KeyValuePairs<String, Value>
  ) {
    self.name = name
    self.subject = subject
    count = values.count
    let index: @MainActor () -> Int = {
      values.firstIndex { $0.value == root[keyPath: path] } ?? 0
    }
    value = { values[index()].key }
    step = { root[keyPath: path] = values[(index() + $0 + values.count) % values.count].value }
  }

  /// Makes a choice among all cases for the property at `path`.
  init<Root: AnyObject, Choice: CaseIterable & RawRepresentable & Equatable>(
    _ name: String, _ root: Root, _ path: ReferenceWritableKeyPath<Root, Choice>
  ) where Choice.RawValue == String {
    self.name = name
    subject = ""
    count = Choice.allCases.count
    value = { root[keyPath: path].rawValue }
    step = {
      let all = Array(Choice.allCases)
      var index = all.firstIndex(of: root[keyPath: path]) ?? 0
      // The property may refuse a value: then the one after it is next.
      for _ in all {
        index = (index + $0 + all.count) % all.count
        root[keyPath: path] = all[index]
        if root[keyPath: path] == all[index] { return }
      }
    }
  }

  /// Makes a choice between off and on for the property at `path`.
  init<Root: AnyObject>(
    _ name: String, _ root: Root, isOn path: ReferenceWritableKeyPath<Root, Bool>
  ) {
    self.init(name, root, path, ["off": false, "on": true])
  }
}

/// An action on a page; most of them force a state.
@MainActor
struct CatalogAction: Identifiable {
  nonisolated let name: String
  let perform: @MainActor () -> Void

  nonisolated var id: String { name }

  init(_ name: String, perform: @escaping @MainActor () -> Void) {
    self.name = name
    self.perform = perform
  }
}

extension CatalogAction {
  /// The action of `r` on a resource that has failed, waits or has nothing to show; nil if the key
  /// does nothing there.
  ///
  /// - Parameter reload: what `r` does with a resource that is loaded.
  static func again<Value>(
    _ resource: Resource<Value>, reload: (@MainActor () -> Void)? = nil
  ) -> CatalogAction? {
    let activity = resource.activity
    let waits = activity?.phase == .backoff || activity?.pauseReason != nil
    guard waits || !resource.isLoading else { return nil }
    if let failure = resource.failure, !failure.error.allowsRetry { return nil }
    guard waits || resource.failure != nil || resource.latestValue == nil else {
      return reload.map { CatalogAction("reload", perform: $0) }
    }
    return CatalogAction(waits || resource.failure != nil ? "retry" : "load") { resource.retry() }
  }

  /// The action of `r` on those of some resources that have failed; nil if none has.
  static func retry<Value>(_ resources: Resource<Value>...) -> CatalogAction? {
    let failed = resources.filter { $0.currentFailure != nil }
    guard !failed.isEmpty else { return nil }
    return CatalogAction("retry") { for resource in failed { resource.retry() } }
  }

  /// The action of `r` on several resources: all of those that it does something on.
  static func again(_ actions: CatalogAction?...) -> CatalogAction? {
    let actions = actions.compactMap(\.self)
    guard let first = actions.first else { return nil }
    return CatalogAction(first.name) { for action in actions { action.perform() } }
  }
}

/// An entry in the timeline of a page: an event, or an action of the user.
struct PageEvent {
  let at: AnyClock.Instant
  let line: String
  /// Whether the user forced it.
  var isForced = false
}

extension PageEvent {
  /// Returns the events of a resource, each with its name if one is given.
  @MainActor
  static func all<Value>(of resource: Resource<Value>, named name: String? = nil) -> [PageEvent] {
    resource.history.map { PageEvent(at: $0.at, line: $0.line(of: name)) }
  }
}

extension [PageEvent] {
  /// The events in the order of their times; events at the same time keep their order.
  var inOrder: [PageEvent] {
    enumerated().sorted { ($0.element.at, $0.offset) < ($1.element.at, $1.offset) }
      .map(\.element)
  }
}

extension CatalogPage {
  /// Every page, in the order of the list.
  static let all: [CatalogPage] = [
    styles, indicators, errors, idle, empty, progress, modifying, mutations, retry, combine, cache,
    paging, conversation, streams, limits, paused, history, search, removing,
  ]
}
