import Loading
import LoadingTesting
import Observation
import PseudoTerminal

@testable import TerminalUI

/// A part of a tree with views of every kind, which can change into another kind at any time.
@MainActor
@Observable
final class ChangingPart: Identifiable {
  enum Kind: CaseIterable {
    case row, column, layers, lazyColumn, scroll, form, list, grid, tabs, sheet, pushed, geometry,
      fitting, section, environment, inert, hidden, collapsed, border, overlay, messages, loading,
      timeline
    case text, counter, button, toggle, slider, field, picker, spinner, progress, hint, rich,
      announced, watcher, footer, loaded, named

    /// The kinds that have children come first.
    static let containers = Array(allCases.prefix { $0 != .text })
    static let leaves = Array(allCases.drop { $0 != .text })

    var isLazy: Bool { self == .list || self == .grid || self == .lazyColumn }
  }

  let id: Int
  var kind: Kind
  var text: String
  var number: Int
  var flag: Bool
  var children: [ChangingPart]
  /// The selection of a list, observed.
  var selected: Int?
  @ObservationIgnored let resource: Resource<String>
  @ObservationIgnored let toasts = ToastQueue()

  init(id: Int, kind: Kind, text: String, number: Int, runtime: ManualRuntime) {
    self.id = id
    self.kind = kind
    self.text = text
    self.number = number
    flag = !number.isMultiple(of: 2)
    children = []
    // Some loads take until the value is set.
    resource = runtime.resource(
      number < 6 ? ManualLoads<String>().loader : .constant("value \(id)"),
      initialState: number < 6 ? .idle : .loaded("value"))
  }

  /// This part and all parts below it.
  var all: [ChangingPart] { [self] + children.flatMap(\.all) }
}

/// A tree of parts, and a log of their events.
@MainActor
final class ChangingTree {
  private(set) var root: ChangingPart
  var log: [String] = []
  private var generator: SeededGenerator
  private var count = 0
  private let runtime: ManualRuntime

  init(seed: UInt64, depth: Int, runtime: ManualRuntime) {
    generator = SeededGenerator(seed: seed)
    self.runtime = runtime
    root = ChangingPart(id: 0, kind: .column, text: "", number: 1, runtime: runtime)
    root.children = [part(depth: depth), part(depth: depth), part(depth: 0)]
  }

  private static let texts = [
    "word", "two words", "one\ntwo", "漢字かな", "", "a longer text that wraps",
  ]

  private func part(depth: Int) -> ChangingPart {
    let kinds = depth > 0 ? ChangingPart.Kind.containers : ChangingPart.Kind.leaves
    let kind = kinds.randomElement(using: &generator) ?? .text
    let childCount = depth == 0 ? 0 : Int.random(in: 1...(kind.isLazy ? 9 : 3), using: &generator)
    count += 1
    let part = ChangingPart(
      id: count, kind: kind, text: Self.texts.randomElement(using: &generator) ?? "",
      number: .random(in: 0...9, using: &generator), runtime: runtime)
    part.children = (0..<childCount).map { _ in self.part(depth: kind.isLazy ? 0 : depth - 1) }
    return part
  }

  private struct Failure: Error {
    let number: Int
  }

  /// Changes a random part.
  func change() {
    let parts = root.all
    let part = parts.randomElement(using: &generator) ?? root
    switch Int.random(in: 0..<14, using: &generator) {
    case 0, 1: part.text = Self.texts.randomElement(using: &generator) ?? ""
    case 2, 3: part.number = .random(in: 0...9, using: &generator)
    case 4, 5: part.flag.toggle()
    case 6: part.children.shuffle(using: &generator)
    case 7: if !part.children.isEmpty { part.children.removeFirst() }
    case 8: part.children.insert(self.part(depth: 0), at: 0)
    // Inserts the same part again, which makes two views with one ID. Which state each of them has
    // in a lazy container depends on what it showed before.
    case 9 where !part.kind.isLazy:
      if let child = part.children.last { part.children.insert(child, at: 0) }
    case 10: part.selected = part.children.randomElement(using: &generator)?.id
    case 11, 12: part.resource.load()
    default:
      let state: LoadingState<String> =
        part.flag ? .failed(Failure(number: part.number)) : .loaded("value \(part.number)")
      part.resource.set(state)
      if part.flag {
        part.toasts.show("Message \(part.number)", retry: {})
      } else {
        part.toasts.show("Message \(part.number)")
      }
    }
  }
}

/// The selection of a list, not observed: a part that is shown twice has one for each list, since
/// neither would hear of what the other does.
@MainActor
private final class Unobserved {
  var selected: Int?
}

/// A view whose value says what it shows, and whose first property is not part of that.
private struct Named: View {
  @State private var count = 0
  let text: String
  var body: some View {
    Text("\(text) \(count)").onKeyPress("+", label: "count \(text)") { count += 1 }
  }
}

/// Shows a part.
struct ChangingView: View {
  let tree: ChangingTree
  let part: ChangingPart
  @State private var unobserved = Unobserved()
  @State private var count = 0
  @Environment(\.isFocused) private var isFocused

  var body: some View {
    if ChangingPart.Kind.leaves.contains(part.kind) { leaf } else { container }
  }

  private var children: some View {
    ForEach(part.children) { ChangingView(tree: tree, part: $0) }
  }

  private var first: some View {
    Group { if let child = part.children.first { ChangingView(tree: tree, part: child) } }
  }

  private var selection: Binding<Int?>? {
    switch part.number % 3 {
    case 0: nil
    case 1: Binding(part, \.selected)
    default: Binding(unobserved, \.selected)
    }
  }

  private var container: AnyView {
    switch part.kind {
    case .row: AnyView(HStack { children })
    case .column: AnyView(VStack(alignment: .leading) { children })
    case .layers: AnyView(ZStack(alignment: .topLeading) { children })
    case .lazyColumn:
      AnyView(
        ScrollView {
          LazyVStack(alignment: part.flag ? .leading : .center, spacing: part.number % 3) {
            ForEach(part.children) {
              ChangingView(tree: tree, part: $0)
              if part.number > 3 { Text("under") }
            }
          }
        })
    case .scroll: AnyView(ScrollView { VStack { children } })
    case .form: AnyView(VStack { children }.disabled(part.flag))
    case .list:
      AnyView(
        List(part.children, selection: selection, onSubmit: { tree.log.append("submit \($0.id)") })
        {
          ChangingView(tree: tree, part: $0)
        })
    case .grid:
      AnyView(
        LazyVGrid(part.children, columns: 1 + part.number % 3, selection: selection) {
          child, isSelected in
          ChangingView(tree: tree, part: child).bold(isSelected)
        })
    case .tabs:
      AnyView(
        TabView(selection: Binding(part, \.number)) {
          ForEach(Array(part.children.enumerated()), id: \.element.id) { index, child in
            Tab("tab \(child.id)", value: index) { ChangingView(tree: tree, part: child) }
          }
        })
    case .sheet:
      AnyView(first.sheet(isPresented: Binding(part, \.flag), title: "Sheet") { children })
    case .pushed:
      AnyView(first.navigationDestination(item: Binding(part, \.selected)) { Text("screen \($0)") })
    case .geometry:
      AnyView(
        GeometryReader { size in
          if size.width > 12 { first }
        })
    case .fitting: AnyView(ViewThatFits(in: .horizontal) { children })
    case .section: AnyView(VStack { children }.focusSection("pane \(part.id)"))
    case .environment: AnyView(VStack { children }.lineLimit(part.number % 3).bold(part.flag))
    case .inert: AnyView(VStack { children }.redacted(reason: part.flag ? .placeholder : []))
    case .hidden: part.flag ? AnyView(VStack { children }.hidden()) : AnyView(VStack { children })
    case .collapsed: AnyView(VStack { children }.collapsed(part.flag))
    case .border: AnyView(VStack { children }.border(part.text).padding(part.number % 2))
    case .overlay: AnyView(first.overlay(alignment: .bottom) { if part.flag { Text("in front") } })
    case .messages: AnyView(VStack { children }.toasts(part.toasts))
    case .loading: AnyView(AsyncContentView(part.resource) { _ in children })
    case .timeline:
      AnyView(
        // Also a change that shows nothing new has a next one.
        TimelineView(changesAfter: { .init(offset: .seconds($0.offset.components.seconds + 1)) }) {
          // Both texts have the same width: out of sight, the change shows later, and would move
          // its neighbour later, too.
          Named(text: $0.offset < .seconds(2) ? "early" : "later")
        })
    default: AnyView(EmptyView())
    }
  }

  private var leaf: AnyView {
    switch part.kind {
    case .counter:
      AnyView(
        Text("\(part.text) \(count)\(isFocused ? " here" : "")").focusable()
          .onKeyPress("+", label: "count \(part.id)") { count += 1 })
    case .button: AnyView(Button(part.text) { part.number += 1 })
    case .toggle: AnyView(Toggle(part.text, isOn: Binding(part, \.flag)))
    case .slider: AnyView(Slider(part.text, value: Binding(part, \.number), in: 0...9))
    case .field: AnyView(TextField("Name", text: Binding(part, \.text)))
    case .picker:
      AnyView(
        Picker("One", selection: Binding(part, \.number)) {
          ForEach(0..<3) { Text("choice \($0)").tag($0) }
        })
    case .spinner: AnyView(Spinner())
    case .progress:
      AnyView(ProgressView(.init(message: part.text, fraction: Double(part.number) / 9)))
    case .hint: AnyView(KeyHint(.reload, "to retry"))
    case .rich:
      AnyView(
        RichText(id: part.text) {
          [.init { StyledText(part.text).wrapped(width: $0) }]
        })
    case .announced: AnyView(Text(part.text).announced("announced \(part.text)"))
    case .watcher:
      AnyView(
        Text("watcher \(part.number)")
          .onAppear { tree.log.append("appear \(part.id)") }
          .onDisappear { tree.log.append("disappear \(part.id)") }
          .onChange(of: part.number) { old, new in
            tree.log.append("change \(part.id): \(old) to \(new)")
          })
    case .footer: AnyView(KeyFooter())
    case .loaded: AnyView(AsyncContentView(part.resource) { Text($0) })
    case .named: AnyView(Named(text: part.text))
    default: AnyView(Text(part.text).lineLimit(part.flag ? 1 : nil))
    }
  }
}
