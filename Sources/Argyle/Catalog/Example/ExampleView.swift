import Loading
import TerminalUI

/// The example with its options.
struct ExampleView: View {
  let model: ExampleModel

  var body: some View {
    let options = model.options
    content
      .accessibilityLabel("Socks")
      .loadingViewStyle(
        initial: options.first.viewStyle, afterValue: options.afterValue.viewStyle,
        afterError: options.afterError.viewStyle
      )
      .loadingIndicator(in: options.momentsWithOwnIndicator) { progress in
        Text("✉ \(progress?.message ?? "on its way")").foregroundStyle(\.warning).lineLimit(1)
      }
      .environment(\.loadingViewOptions.gate, options.gate)
      .redactionStyle(options.redaction)
      .padding(.horizontal)
  }

  private var content: some View {
    let resource = model.resource
    var view = AsyncContentView(resource) { items in
      List(items) { item in
        ChangingRow(
          name: item.title, change: "saving", isChanging: resource.isModifying(item.id),
          failure: resource.failedMutations.last { $0.item == MutationKey(item.id) })
      }
    }
    if model.options.hasPlaceholder { view = view.placeholder(ExampleModel.Item.samples) }
    for own in model.options.ownViews { view = with(own, view) }
    return view
  }

  private func with<Content: View>(
    _ own: ExampleOptions.OwnView, _ view: AsyncContentView<[ExampleModel.Item], Content>
  ) -> AsyncContentView<[ExampleModel.Item], Content> {
    switch own {
    case .loading:
      view.loading { progress in
        OwnView { Text("✉ \(progress?.message ?? "Loading the post.")").foregroundStyle(\.warning) }
      }
    case .error:
      view.failure { _, retry in
        OwnView {
          Text("The drawer is jammed.").foregroundStyle(\.failure)
          if let retry { Button("Pull harder", action: retry) }
        }
      }
    case .empty:
      view.empty { OwnView { Text("No socks at all.").foregroundStyle(\.secondary) } }
    case .idle:
      view.idle { load in OwnView { Button("Load", action: load) } }
    }
  }
}

/// A custom view, centred in its space.
private struct OwnView<Content: View>: View {
  let content: Content

  init(@ViewBuilder content: () -> Content) { self.content = content() }

  var body: some View {
    VStack { content }.frame(maxWidth: .infinity, maxHeight: .infinity)
  }
}

extension ExampleOptions {
  /// The moments for which the example has a custom indicator.
  var momentsWithOwnIndicator: Set<LoadingMoment> {
    var moments: Set<LoadingMoment> = []
    if first.hasOwnIndicator { moments.insert(.initial) }
    if afterValue.hasOwnIndicator { moments.insert(.afterValue) }
    if afterError.hasOwnIndicator { moments.insert(.afterError) }
    return moments
  }
}
