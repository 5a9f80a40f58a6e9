import Loading
import TerminalUI

/// The catalog of loading states: pages with a live view each, its options, the states to force it
/// into, what happened to it, and the Swift that makes it.
///
/// On a small screen, and in plain mode, one of these is there, and Tab goes from one to the next.
struct CatalogScreen: View {
  let model: CatalogModel
  @State private var pane = Pane.view
  @Environment(\.isPlain) private var isPlain
  @Environment(\.copyText) private var copyText

  private enum Pane: CaseIterable {
    case view, pages, options, states, events, code

    var next: Pane {
      let panes = Pane.allCases
      return panes[((panes.firstIndex(of: self) ?? 0) + 1) % panes.count]
    }
  }

  /// What there is room for.
  private struct Layout {
    /// Whether there are panes side by side at all.
    let showsPanes: Bool
    /// Whether the pages have a pane, and not only a line.
    let listsPages: Bool
    /// Whether events and Swift are both there.
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
            // In plain mode what a state has done stands in a pane that is not there.
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
            PageCode(content: content, isCopied: model.isCopied)
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
      // What is copied is what can be seen.
      .onKeyPress(
        action: .copyCode, footer: showsCode(layout) ? .ifRoom : .never
      ) { model.copyCode { copyText?($0) } }
    }
    .onKeyPress(action: .nextPage) { model.turn(by: 1) }
    .onKeyPress(action: .previousPage, footer: .never) { model.turn(by: -1) }
    // The view says "r to retry" whichever pane has the focus.
    .onKeyPress(action: .reload, label: content.again()?.name, when: content.again() != nil) {
      content.again()?.perform()
    }
  }

  private var newestEvent: String { model.timeline.last.map { $0.line + "." } ?? "" }

  private func showsCode(_ layout: Layout) -> Bool {
    layout.showsPanes ? layout.showsBoth || model.showsCode : pane == .code
  }

  /// All states where there is room for them beside the options.
  private func statesHeight(in size: Size) -> Int {
    min(model.actions.count + 2, max(5, size.height / 2 - 1))
  }
}

/// Which page is open, in a line, and what is to be seen there.
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

/// The pages, one of which is open.
private struct PageList: View {
  let model: CatalogModel

  var body: some View {
    List(
      model.pages,
      selection: Binding(
        get: { model.selected },
        modify: { change in
          var id: CatalogPage.ID? = model.selected
          change(&id)
          if let id, id != model.selected { model.selected = id }
        })
    ) { page in
      Text(page.name).lineLimit(1)
    }
  }
}

/// The options, one of which can be changed.
struct CatalogOptionList: View {
  let options: [CatalogOption]
  @State private var selected: String?
  @Environment(\.isPlain) private var isPlain

  var body: some View {
    List(
      options, selection: $selected, submitLabel: "next value", onSubmit: { $0.step(1) }
    ) { option in
      CatalogOptionRow(option: option)
    }
    .onKeyPress(action: .left, label: "previous value", footer: .never) { step(by: -1) }
    .onKeyPress(action: .right, label: "next value", footer: .never) { step(by: 1) }
    .announced(isPlain ? spoken : "")
  }

  private var current: CatalogOption? { options.first { $0.id == selected } ?? options.first }

  private func step(by step: Int) { current?.step(step) }

  /// The selected option and its value, in words.
  private var spoken: String {
    current.map { "\($0.spokenName): \($0.value())." } ?? ""
  }
}

/// An option with its value.
private struct CatalogOptionRow: View {
  let option: CatalogOption
  @Environment(\.isPlain) private var isPlain

  var body: some View {
    if isPlain {
      HStack {
        Text(option.spokenName + ":").lineLimit(1)
        value.lineLimit(1).layoutPriority(1)
      }
    } else {
      // The name needs its room more than the value its arrows.
      ViewThatFits(in: .horizontal) {
        row(arrow("‹ ") + value + arrow(" ›"))
        row(value)
      }
    }
  }

  private func row(_ value: Text) -> some View {
    HStack {
      // An option of every page is dimmer than those of this page.
      (option.isOfEveryPage ? Text(option.name).foregroundStyle(\.secondary) : Text(option.name))
        .lineLimit(1)
      Spacer()
      value.lineLimit(1).layoutPriority(1)
    }
  }

  private func arrow(_ glyph: String) -> Text { Text(glyph).foregroundStyle(\.separator) }

  private var value: Text { Text(option.value()).foregroundStyle(\.accent) }
}

/// The states, one of which can be forced.
private struct CatalogActionList: View {
  let model: CatalogModel

  var body: some View {
    List(model.actions, submitLabel: "force", onSubmit: model.force) { action in
      Text(action.name).lineLimit(1)
    }
  }
}

/// What happened on a page.
private struct PageEvents: View {
  let model: CatalogModel
  let isNarrow: Bool

  var body: some View {
    ScrollView { EventList(events: model.timeline, isNarrow: isNarrow) }
      .padding(.horizontal).pane("Events")
  }
}

/// The Swift of a page.
private struct PageCode: View {
  let content: PageContent
  let isCopied: Bool

  var body: some View {
    ScrollView { CodeText(code: content.code()) }.padding(.horizontal)
      .pane(isCopied ? "Swift · copied" : "Swift")
  }
}
