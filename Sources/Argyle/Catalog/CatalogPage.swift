import Loading
import TerminalUI

/// A page of the catalog, as it is listed.
struct CatalogPage: Identifiable, Sendable {
  let name: String
  /// A sentence that says what is to be seen there.
  let summary: String
  /// Makes what is on the page, when somebody looks at it first.
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

/// What is on a page: a live view, what can be chosen for it, the states it can be forced into, what
/// happened to it, and the Swift that makes it.
@MainActor
struct PageContent {
  let view: AnyView
  var options: [CatalogOption] = []
  var actions: [CatalogAction] = []
  /// The newest last.
  let events: @MainActor () -> [PageEvent]
  /// The Swift that makes the view as it is chosen; see ``CatalogCode`` for what it may use.
  let code: @MainActor () -> String
  /// What `r` does, whichever pane has the focus; nil where the view itself has to be asked.
  var again: @MainActor () -> CatalogAction? = { nil }

  init(
    @ViewBuilder view: () -> some View, options: [CatalogOption] = [],
    actions: [CatalogAction] = [], events: @escaping @MainActor () -> [PageEvent],
    again: @escaping @MainActor () -> CatalogAction? = { nil },
    code: @escaping @MainActor () -> String
  ) {
    self.view = AnyView(view())
    self.options = options
    self.actions = actions
    self.events = events
    self.again = again
    self.code = code
  }
}

/// Something to be chosen, with its values as words.
@MainActor
struct CatalogOption: Identifiable {
  nonisolated let name: String
  let value: @MainActor () -> String
  /// Chooses the next value, or with -1 the one before.
  let step: @MainActor (Int) -> Void
  /// How many values there are.
  let count: Int

  /// What it belongs to, where several have one name.
  nonisolated let subject: String
  /// Whether it stands on every page, below the page's own.
  var isOfEveryPage = false

  nonisolated var id: String { "\(subject) \(name)" }

  /// Its name with what it belongs to, in words alone.
  var spokenName: String {
    subject.isEmpty ? name : "\(subject), \(name.drop { !$0.isLetter })"
  }

  /// A choice among `values` for what `path` leads to.
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

  /// A choice among all cases for what `path` leads to.
  init<Root: AnyObject, Choice: CaseIterable & RawRepresentable & Equatable>(
    _ name: String, _ root: Root, _ path: ReferenceWritableKeyPath<Root, Choice>
  ) where Choice.RawValue == String {
    self.name = name
    subject = ""
    count = Choice.allCases.count
    value = { root[keyPath: path].rawValue }
    step = {
      let all = Array(Choice.allCases)
      let index = all.firstIndex(of: root[keyPath: path]) ?? 0
      root[keyPath: path] = all[(index + $0 + all.count) % all.count]
    }
  }

  /// Something that is there or not.
  init<Root: AnyObject>(
    _ name: String, _ root: Root, isOn path: ReferenceWritableKeyPath<Root, Bool>
  ) {
    self.init(name, root, path, ["off": false, "on": true])
  }
}

/// Something to be done to a page: mostly a state to be forced.
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

/// Something in the timeline of a page: what happened, or what was asked for.
struct PageEvent {
  let at: AnyClock.Instant
  let line: String
  /// Whether it is a state that somebody forced.
  var isForced = false
}

extension PageEvent {
  /// The events of a resource, with its name where it is not clear.
  @MainActor
  static func all<Value>(of resource: Resource<Value>, named name: String? = nil) -> [PageEvent] {
    resource.history.map { PageEvent(at: $0.at, line: $0.line(of: name)) }
  }
}

extension [PageEvent] {
  /// In the order of their times; what happened at once stays in its order.
  var inOrder: [PageEvent] {
    enumerated().sorted { ($0.element.at, $0.offset) < ($1.element.at, $1.offset) }
      .map(\.element)
  }
}
