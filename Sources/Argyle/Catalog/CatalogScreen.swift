import Loading
import TerminalUI

/// The catalog of loading states: each page has a live view, its options, the states to force it
/// into, its events, and the Swift that makes it.
///
/// A small screen and plain mode show only one of these at a time; Tab goes to the next.
struct CatalogScreen: View {
  let model: CatalogModel
  @State private var pane = Pane.view
  @Environment(\.isPlain) private var isPlain
  @Environment(\.terminal) private var terminal

  private enum Pane: CaseIterable {
    case view, pages, options, states, events, code

    var next: Pane {
      let panes = Pane.allCases
      return panes[((panes.firstIndex(of: self) ?? 0) + 1) % panes.count]
    }
  }

  /// Which panes fit on the screen.
  private struct Layout {
    /// Whether there are panes side by side at all.
    let showsPanes: Bool
    /// Whether the pages are listed in a pane instead of on one line.
    let listsPages: Bool
    /// Whether events and Swift are shown at the same time.
    let showsBoth: Bool
    let widthOfChoices: Int

    init(_ size: Size, isPlain: Bool) {
      showsPanes = !isPlain && size.width >= 56 && size.height >= 14
      listsPages = showsPanes && size.width >= 110
      showsBoth = listsPages && size.height >= 32
      widthOfChoices = listsPages ? 38 : min(38, size.width / 2)
    }
  }

  private static let widthOfPages = 22
  private static let heightForLine = 8
  private static let widthForEventColumns = 40

  var body: some View {
    let content = model.content
    GeometryReader { size in
      let layout = Layout(size, isPlain: isPlain)
      let hides: (Pane) -> Bool = { !layout.showsPanes && pane != $0 }
      VStack(alignment: .leading) {
        PageLine(model: model).collapsed(size.height < Self.heightForLine)
        HStack(alignment: .top) {
          PageList(model: model).padding(.horizontal).pane("Pages")
            .frame(width: layout.listsPages ? Self.widthOfPages : nil)
            .collapsed(layout.showsPanes ? !layout.listsPages : pane != .pages)
          VStack(alignment: .leading) {
            ForEach([model.page]) { _ in
              CatalogOptionList(options: model.options)
            }
            .padding(.horizontal).pane("Options").defaultFocus()
            .collapsed(hides(.options))
            ForEach([model.page]) { _ in
              CatalogActionList(model: model)
            }
            // Plain mode announces the newest event, since the pane of events may be hidden.
            .announced(isPlain ? newestEvent : "")
            .padding(.horizontal).pane("States")
            .frame(height: layout.showsPanes ? statesHeight(in: size) : nil)
            .collapsed(hides(.states))
          }
          .frame(width: layout.showsPanes ? layout.widthOfChoices : nil)
          .collapsed(hides(.options) && hides(.states))
          VStack(alignment: .leading) {
            ForEach([model.page]) { _ in
              content.view
                .frame(maxWidth: .infinity, maxHeight: .infinity, alignment: .topLeading)
            }
            .pane(model.page.name)
            .collapsed(hides(.view))
            PageEvents(model: model, isNarrow: size.width < Self.widthForEventColumns)
              .collapsed(
                layout.showsPanes ? model.showsCode && !layout.showsBoth : pane != .events)
            PageCode(model: model)
              .collapsed(
                layout.showsPanes ? !model.showsCode && !layout.showsBoth : pane != .code)
          }
          .collapsed(hides(.view) && hides(.events) && hides(.code))
        }
      }
      .onKeyPress(.tab, label: "next pane", when: !layout.showsPanes) { pane = pane.next }
      .onKeyPress(
        action: .showCode, label: model.showsCode ? "events" : "Swift",
        when: layout.showsPanes && !layout.showsBoth
      ) {
        model.showsCode.toggle()
      }
      // The footer offers to copy the Swift only while it is on the screen.
      .onKeyPress(
        action: .copyCode, footer: showsCode(layout) ? .ifRoom : .never
      ) { model.copyCode { terminal?.copy($0) != false } }
    }
    .onKeyPress(action: .nextPage) { model.turn(by: 1) }
    .onKeyPress(action: .previousPage, footer: .never) { model.turn(by: -1) }
    // The view says "r to retry", so the key works whichever pane has the focus.
    .onKeyPress(action: .reload, label: content.again()?.name, when: content.again() != nil) {
      content.again()?.perform()
    }
  }

  private var newestEvent: String { model.timeline.last.map { $0.line + "." } ?? "" }

  private func showsCode(_ layout: Layout) -> Bool {
    layout.showsPanes ? layout.showsBoth || model.showsCode : pane == .code
  }

  /// Returns the height that shows all states, as far as the options leave room.
  private func statesHeight(in size: Size) -> Int {
    min(model.actions.count + 2, max(5, size.height / 2 - 1))
  }
}

/// The open page in one line: its number, its name and its summary.
private struct PageLine: View {
  let model: CatalogModel
  @Environment(\.isPlain) private var isPlain

  var body: some View {
    let (index, count) = (model.index + 1, model.pages.count)
    HStack(spacing: 2) {
      Text(model.page.name).bold().foregroundStyle(\.accent).lineLimit(1).layoutPriority(2)
      Text(isPlain ? "\(index) of \(count)" : "\(index)/\(count)").foregroundStyle(\.secondary)
        .lineLimit(1).layoutPriority(1)
      Text(model.page.summary).foregroundStyle(\.secondary).lineLimit(1)
      Spacer()
    }
    .padding(.horizontal, isPlain ? 0 : 1)
    .announced("\(model.page.name), page \(index) of \(count)")
  }
}

/// The list of pages; the open one is selected.
private struct PageList: View {
  let model: CatalogModel

  var body: some View {
    List(
      model.pages,
      selection: Binding(
        get: { model.selected },
        set: { if let id = $0, id != model.selected { model.selected = id } })
    ) { page in
      Text(page.name).lineLimit(1)
    }
  }
}

/// The list of options, in which the selected one can be changed.
struct CatalogOptionList: View {
  let options: [CatalogOption]
  @State private var selected: String?
  @Environment(\.isPlain) private var isPlain

  var body: some View {
    List(
      options, selection: $selected, submitLabel: isChoice ? "next value" : "do it",
      onSubmit: { $0.step(1) }
    ) { option in
      CatalogOptionRow(option: option)
    }
    .onKeyPress(action: .left, label: "previous value", footer: .never, when: isChoice) {
      step(by: -1)
    }
    .onKeyPress(action: .right, label: "next value", footer: .never, when: isChoice) {
      step(by: 1)
    }
    .announced(isPlain ? spoken : "")
  }

  private var current: CatalogOption? { options.first { $0.id == selected } ?? options.first }

  private var isChoice: Bool { current?.isChoice ?? true }

  private func step(by step: Int) { current?.step(step) }

  /// The selected option and its value, for plain mode.
  private var spoken: String {
    current.map { $0.spokenName + ($0.isChoice ? ": \($0.value())." : ".") } ?? ""
  }
}

/// An option with its value.
private struct CatalogOptionRow: View {
  let option: CatalogOption
  @Environment(\.isPlain) private var isPlain

  var body: some View {
    if !option.isChoice {
      Text(option.name).lineLimit(1)
    } else if isPlain {
      Text(option.spokenName + ": ") + value
    } else {
      // If there is not enough room, the arrows are left out before the name is shortened.
      ViewThatFits(in: .horizontal) {
        row(
          HStack(spacing: 0) {
            arrow("‹ ").onTapGesture { option.step(-1) }
            value.layoutPriority(1)
            arrow(" ›").onTapGesture { option.step(1) }
          })
        row(value)
      }
    }
  }

  private func row(_ value: some View) -> some View {
    HStack {
      // Options of every page are dimmer than those of this page.
      (option.isOfEveryPage ? Text(option.name).foregroundStyle(\.secondary) : Text(option.name))
        .lineLimit(1)
      Spacer()
      value.lineLimit(1).layoutPriority(1)
    }
  }

  private func arrow(_ glyph: String) -> Text { Text(glyph).foregroundStyle(\.separator) }

  private var value: Text { Text(option.value()).foregroundStyle(\.accent) }
}

/// The list of states to force.
private struct CatalogActionList: View {
  let model: CatalogModel

  var body: some View {
    List(model.actions, submitLabel: "force", onSubmit: model.force) { action in
      Text(action.name).lineLimit(1)
    }
  }
}

/// The events of a page.
private struct PageEvents: View {
  let model: CatalogModel
  let isNarrow: Bool

  var body: some View {
    ForEach([model.page]) { _ in
      ScrollView { EventList(events: model.timeline, isNarrow: isNarrow) }
    }
    .padding(.horizontal).pane("Events")
  }
}

/// The Swift of a page; that of another page begins at its first line.
private struct PageCode: View {
  let model: CatalogModel

  var body: some View {
    ForEach([model.page]) { _ in
      ScrollView { CodeText(code: model.content.code()) }
    }
    .padding(.horizontal).pane("Swift")
  }
}
