import Loading
import TerminalUI

/// Every style and option of a loading view beside a view that has them, the states to force it
/// into, and what happened to it.
///
/// On a small screen, and in plain mode, the view, the options or the states are there, and Tab goes from one to the
/// next.
struct CatalogScreen: View {
  let model: CatalogModel
  @State private var pane = Pane.view
  @Environment(\.isPlain) private var isPlain

  private enum Pane: CaseIterable {
    case view, options, states

    var next: Pane {
      let panes = Pane.allCases
      return panes[((panes.firstIndex(of: self) ?? 0) + 1) % panes.count]
    }
  }

  private static let (widthForAll, heightForAll) = (56, 14)

  var body: some View {
    GeometryReader { size in
      let showsAll =
        !isPlain && size.width >= Self.widthForAll && size.height >= Self.heightForAll
      let hides: (Pane) -> Bool = { !showsAll && pane != $0 }
      HStack(alignment: .top) {
        VStack(alignment: .leading) {
          CatalogOptionList(model: model).padding(.horizontal).pane("Options").defaultFocus()
            .collapsed(hides(.options))
          CatalogActionList(model: model).padding(.horizontal).pane("States")
            .collapsed(hides(.states))
        }
        .frame(width: showsAll ? min(40, size.width / 2) : size.width)
        .collapsed(hides(.options) && hides(.states))
        VStack(alignment: .leading) {
          CatalogExample(model: model).pane("The view")
            .collapsed(hides(.view))
          EventList(records: model.resource.history).padding(.horizontal)
            .collapsed(!showsAll)
        }
        .collapsed(hides(.view))
      }
      .onKeyPress(.tab, label: "next pane", when: !showsAll) { pane = pane.next }
    }
    // The view says "r to retry" whichever pane has the focus.
    .onKeyPress(action: .reload, label: model.retryLabel, when: model.retryLabel != nil) {
      model.resource.retry()
    }
    .failedChanges(of: model.resource, in: model.toasts)
  }
}

/// The options, one of which can be changed.
private struct CatalogOptionList: View {
  let model: CatalogModel
  @State private var selected: String?

  var body: some View {
    List(
      CatalogOption.all, selection: $selected, submitLabel: "next",
      onSubmit: { model.step($0, by: 1) }
    ) { option in
      HStack {
        Text(option.name).lineLimit(1)
        Spacer()
        Text("‹ \(option.value(model.options)) ›").foregroundStyle(\.accent).lineLimit(1)
      }
    }
    .onKeyPress(action: .left, label: "previous value", inFooter: false) { step(by: -1) }
    .onKeyPress(action: .right, label: "next value", inFooter: false) { step(by: 1) }
  }

  private func step(by step: Int) {
    let option = CatalogOption.all.first { $0.id == selected } ?? CatalogOption.all[0]
    model.step(option, by: step)
  }
}

/// The states, one of which can be forced.
private struct CatalogActionList: View {
  let model: CatalogModel

  var body: some View {
    List(CatalogAction.allCases, submitLabel: "force", onSubmit: { model.perform($0) }) { action in
      Text(action.rawValue).lineLimit(1)
    }
  }
}

/// The view that has the options.
private struct CatalogExample: View {
  let model: CatalogModel

  var body: some View {
    let options = model.options
    content
      .loadingViewStyle(
        initial: options.style(options.initial), afterValue: options.style(options.afterValue),
        afterError: options.style(options.afterError)
      )
      .environment(\.loadingViewOptions.gate, options.gate)
      .redactionStyle(options.redaction.style)
      .padding(.horizontal)
  }

  private var content: some View {
    let resource = model.resource
    var view = AsyncContentView(resource) { items in
      List(items) { item in
        ChangingRow(
          name: item.title, change: "storing", isChanging: resource.isModifying(item.id),
          failure: resource.failedMutations.last { $0.item == MutationKey(item.id) })
      }
    }
    .empty(when: \.isEmpty) {
      Text("The drawer is empty.").foregroundStyle(\.secondary)
        .frame(maxWidth: .infinity, maxHeight: .infinity).focusable()
    }
    if model.options.placeholder == .on { view = view.placeholder(CatalogModel.Item.samples) }
    if model.options.indicator == .own {
      view = view.loading { progress in
        VStack {
          Text("✉").foregroundStyle(\.warning)
          Text(progress?.message ?? "Loading the post.").italic()
        }
        .frame(maxWidth: .infinity, maxHeight: .infinity).focusable()
      }
    }
    return view
  }
}
