/// Several screens, of which the selected one is shown.
///
/// By default a digit selects the tab with that number, and `]` and `[` select the next and the
/// previous one; ``EnvironmentValues/keyMap`` can change that. Each title shows its key. Hidden
/// tabs keep their state and their focus. A tab view takes all the room it is offered, whatever the
/// selected tab needs.
///
/// ```swift
/// TabView(selection: $tab) {
///   Tab("Articles", value: Screen.articles) { ArticlesScreen() }
///   Tab("Socks", value: Screen.socks) { SocksScreen() }
/// }
/// ```
public struct TabView<Value: Hashable, Content: View>: PlacedView {
  let selection: Binding<Value>
  let content: Content
  let heightForBar: Int

  /// Creates a tab view from the tabs of `content`.
  ///
  /// On a screen with fewer than `heightForBar` rows, the bar of titles is hidden.
  public init(
    selection: Binding<Value>, heightForBar: Int = 0, @ViewBuilder content: () -> Content
  ) {
    self.selection = selection
    self.heightForBar = heightForBar
    self.content = content()
  }

  func makeNodes(_ context: ViewContext) -> [Node] {
    let tabs = context.child(.role(.content)).resolve(content).compactMap { node in
      (node.option as? TabNode).flatMap { tab in
        tab.value.value(as: Value.self).map { (value: $0, tab: tab, node: node) }
      }
    }
    let wanted = context.reading { selection.wrappedValue }
    let selected = tabs.firstIndex { $0.value == wanted } ?? 0
    context.owner.element?.dependsOnSize = true
    for (index, tab) in tabs.enumerated() where index != selected {
      context.owner.element?.keep(tab.tab.context.path)
    }
    let select: @MainActor (Int) -> Void = { index in
      if tabs.indices.contains(index) { selection.wrappedValue = tabs[index].value }
    }
    return context.resolve(
      VStack(alignment: .leading) {
        if context.frame.size.height >= heightForBar {
          TabBar(titles: tabs.map(\.tab.title), selected: selected, select: select)
        }
        if tabs.indices.contains(selected) { NodeView(node: tabs[selected].node) }
      }
      .frame(maxWidth: .infinity, maxHeight: .infinity, alignment: .topLeading)
      .onKeyPress(
        keys(
          context.environment.keyMap, titles: tabs.map(\.tab.title), selected: selected,
          select: select)))
  }

  private func keys(
    _ map: KeyMap, titles: [String], selected: Int, select: @escaping @MainActor (Int) -> Void
  ) -> [KeyBinding] {
    guard titles.count > 1 else { return [] }
    return zip(KeyAction.tabs, titles.enumerated()).map { action, tab in
      KeyBinding(action, in: map, label: tab.element, footer: .never) { select(tab.offset) }
    } + [
      KeyBinding(.nextTab, in: map, footer: .never) { select((selected + 1) % titles.count) },
      KeyBinding(.previousTab, in: map, footer: .never) {
        select((selected - 1 + titles.count) % titles.count)
      },
    ]
  }
}

/// One screen of a ``TabView``.
public struct Tab<Value: Hashable, Content: View>: PlacedView {
  let title: String
  let value: Value
  let content: () -> Content

  /// Creates a tab that is shown while `value` is selected.
  public init(_ title: String, value: Value, @ViewBuilder content: @escaping () -> Content) {
    self.title = title
    self.value = value
    self.content = content
  }

  func makeNodes(_ context: ViewContext) -> [Node] {
    [
      TabNode(context, title: title, value: ItemID(value)) {
        context.screen { $0.hosted(content) }
      }
    ]
  }
}

/// The node of a tab, which makes its screen only when the tab is shown.
private final class TabNode: Node {
  let title: String
  let value: ItemID
  private let make: () -> Node
  private lazy var screen = make()

  init(_ context: ViewContext, title: String, value: ItemID, make: @escaping () -> Node) {
    self.title = title
    self.value = value
    self.make = make
    super.init(context)
  }

  override var option: Node? { self }
  override var isStructural: Bool { true }
  override func measure(_ proposal: ProposedSize) -> Size { screen.size(proposal) }
  override func draw(in region: Region) { screen.draw(in: region) }
  override func expands(_ axis: Axis) -> Bool { screen.expands(axis) }
}

/// A view of an existing node.
struct NodeView: PrimitiveView {
  let node: Node

  func makeNodes(_ context: ViewContext) -> [Node] { [node] }
}

/// The titles of the tabs, with the selected one in brackets; where not all fit, the others have
/// only their keys.
private struct TabBar: View {
  let titles: [String]
  let selected: Int
  let select: @MainActor (Int) -> Void
  @Environment(\.keyMap) private var keyMap

  var body: some View {
    ViewThatFits(in: .horizontal) {
      row { title($0) }
      row { $0 == selected ? title($0) : key($0) ?? titles[$0] }
    }
    .frame(maxWidth: .infinity, alignment: .leading)
    .bar()
  }

  private func row(_ title: @escaping (Int) -> String) -> some View {
    HStack(spacing: 0) {
      ForEach(0..<titles.count) { index in
        TabTitle(title: title(index), isSelected: index == selected) { select(index) }
      }
    }
  }

  private func title(_ index: Int) -> String {
    key(index).map { "\($0) \(titles[index])" } ?? titles[index]
  }

  private func key(_ index: Int) -> String? {
    guard titles.count > 1, KeyAction.tabs.indices.contains(index) else { return nil }
    return keyMap[KeyAction.tabs[index]].first.map { "\($0)" }
  }
}

private struct TabTitle: View {
  let title: String
  let isSelected: Bool
  let select: @MainActor () -> Void

  var body: some View {
    (isSelected
      ? Text("[\(title)]").bold().foregroundStyle(\.accent) : Text(" \(title) "))
      .lineLimit(1).onTapGesture(perform: select)
  }
}

extension View {
  /// Sets a row apart from the rows below it: with a background if the theme has one for it,
  /// otherwise with an underline.
  fileprivate func bar() -> some View {
    drawn { context, content, region in
      let theme = context.environment.theme
      region.fill(Style(foreground: theme.separator, background: theme.plate))
      content.draw(in: region)
      if theme.plate == .default, !context.environment.isPlain {
        region.restyle { @Sendable style in style.attributes.insert(.underline) }
      }
    }
    .transformEnvironment { $0.style.background = $0.theme.plate }
  }
}
