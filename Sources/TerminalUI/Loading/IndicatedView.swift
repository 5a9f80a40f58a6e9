import Loading

/// Lays out an indicator with the content that it belongs to.
///
/// The identity of the content is the same in every style, with and without the indicator, so
/// nothing inside starts again.
struct IndicatedView: PrimitiveView {
  let content: ErasedView
  let style: LoadingViewStyle
  var moment = LoadingMoment.afterValue
  let isIndicated: Bool
  let progress: @MainActor () -> LoadingProgress?
  var title: String?
  /// Why the load is paused; shown instead of a moving indicator.
  var pauseReason: String?

  func makeNodes(_ context: ViewContext) -> [Node] {
    let inner = context.child(.role(.content)).within(.vertical)
    guard isIndicated else { return [plainNode(context, inner)] }
    let path = inner.path
    let place = PlacedContent(content: content, path: path)
    // A style may leave the content out for a while; its elements are kept.
    context.owner.element?.keep(path)
    if case .custom(let make) = style {
      return context.child(.role(.indicator)).resolve(
        context.reading { make(AnyView(place), progress()) })
    }
    let options = context.environment.loadingViewOptions
    func indicator(_ form: Indicator.Form, title: String?) -> AnyView {
      AnyView(
        Indicator(
          form: form, moment: moment, progress: progress, title: title, pauseReason: pauseReason))
    }
    // The content behind the indicator must not show between its words.
    let ground = context.environment.style.background
    return context.child(.role(.indicator)).resolve(
      layout(
        place, indicator(.whole, title: title),
        beside: beside == nil ? nil : indicator(.short, title: title),
        plate: indicator(.whole, title: title ?? options.title), ground))
  }

  /// The content alone, which is the most common case.
  private func plainNode(_ context: ViewContext, _ inner: ViewContext) -> Node {
    StackNode(
      context, axis: .vertical, spacing: 0, alignment: verticalAlignment,
      children: [inner.node(content)])
  }

  private func layout(
    _ place: PlacedContent, _ indicator: AnyView, beside short: AnyView?, plate: AnyView,
    _ ground: Color
  ) -> some View {
    VStack(alignment: verticalAlignment, spacing: 0) {
      if case .vertical(.top, _, _, let spacing) = style { indicator.padding(.bottom, spacing) }
      BesideLayout(
        content: place.faded(opacity), indicator: short, edge: beside?.edge ?? .leading,
        alignment: beside?.alignment ?? .center, spacing: beside?.spacing ?? 0)
      if case .vertical(.bottom, _, _, let spacing) = style { indicator.padding(.top, spacing) }
    }
    .overlay(alignment: overlayAlignment) {
      if case .material = style {
        Plate(titled: plate, bare: indicator, ground: ground)
      } else if case .overContent = style {
        indicator.background(ground)
      }
    }
  }

  /// The opacity of the content while the indicator shows.
  private var opacity: Double {
    switch style {
    case .material: 0.4
    case .horizontal(_, let opacity, _, _), .vertical(_, let opacity, _, _),
      .overContent(_, let opacity):
      opacity
    case .hidden, .custom: 1
    }
  }

  private var overlayAlignment: Alignment {
    if case .overContent(let alignment, _) = style { alignment } else { .center }
  }

  private var beside:
    (edge: LoadingViewStyle.HorizontalEdge, alignment: VerticalAlignment, spacing: Int)?
  {
    guard case .horizontal(let edge, _, let alignment, let spacing) = style else { return nil }
    return (edge, alignment, spacing)
  }

  private var verticalAlignment: HorizontalAlignment {
    if case .vertical(_, _, let alignment, _) = style { alignment } else { .leading }
  }
}

/// The indicator itself.
///
/// It is a view of its own, so that a progress step makes only the indicator again, not the content
/// beside it.
private struct Indicator: View {
  enum Form {
    case whole
    /// As much of it as fits.
    case short
  }

  let form: Form
  let moment: LoadingMoment
  let progress: @MainActor () -> LoadingProgress?
  let title: String?
  let pauseReason: String?
  @Environment(\.loadingViewOptions) private var options

  var body: some View {
    if let pauseReason {
      Text("Paused (\(pauseReason))").lineLimit(1).foregroundStyle(\.secondary)
    } else {
      running(progress())
    }
  }

  @ViewBuilder
  private func running(_ progress: LoadingProgress?) -> some View {
    if let own = options.indicators[moment]?(progress) {
      own
    } else if form == .short {
      ViewThatFits(in: .horizontal) {
        ProgressView(progress, title: title)
        if let percent = progress?.percent {
          HStack {
            Spinner()
            Text("\(percent) %").lineLimit(1)
          }
        }
        Spinner()
      }
    } else {
      ProgressView(progress, title: title)
    }
  }
}

/// An indicator on a plate in front of its content, with its title and a margin if there is room.
private struct Plate: View {
  let titled: AnyView
  let bare: AnyView
  let ground: Color
  @Environment(\.theme) private var theme
  @Environment(\.isPlain) private var isPlain

  var body: some View {
    ViewThatFits {
      plate(titled)
      plate(bare)
      bare.background(ground)
    }
  }

  @ViewBuilder
  private func plate(_ indicator: AnyView) -> some View {
    if theme.plate != .default {
      indicator.padding(.horizontal).padding().background(theme.plate)
    } else if isPlain {
      indicator.padding(.horizontal).background(ground)
    } else {
      indicator.padding(.horizontal).border().background(ground)
    }
  }
}

/// Content that keeps its identity wherever it is laid out.
///
/// If it is used twice in one frame, the second use is an inert copy.
private struct PlacedContent: PrimitiveView {
  @MainActor
  final class Use {
    var place: ViewPath?
  }

  let content: ErasedView
  let path: ViewPath
  let use = Use()

  func makeNodes(_ context: ViewContext) -> [Node] {
    var place = context
    place.path = path
    if let other = use.place, other != context.path {
      place.path = context.child(.role(.copy)).path
      place.environment.isInert = true
    } else {
      use.place = context.path
    }
    return place.resolve(content)
  }
}
