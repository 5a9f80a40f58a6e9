public import Loading

/// How a running load is shown beside, over or instead of what is there.
public enum LoadingViewStyle {
  /// Not at all.
  case none
  /// In the middle, over a faint copy of the content.
  case material
  /// Beside the content: at its left or right.
  case horizontal(
    HorizontalEdge, opacity: Double = 1, alignment: VerticalAlignment = .center, spacing: Int = 1)
  /// Above or below the content.
  case vertical(
    VerticalEdge, opacity: Double = 1, alignment: HorizontalAlignment = .center, spacing: Int = 0)
  /// Over the content, at an edge, a corner or in the middle.
  case overContent(Alignment = .topTrailing, opacity: Double = 1)
  /// As the closure makes it of the content and the progress.
  case custom(@MainActor (_ content: AnyView, _ progress: LoadingProgress?) -> AnyView)

  /// The left or the right side.
  public enum HorizontalEdge: Hashable, Sendable {
    /// The left side.
    case leading
    /// The right side.
    case trailing
  }

  /// The upper or the lower side.
  public enum VerticalEdge: Hashable, Sendable {
    /// Above.
    case top
    /// Below.
    case bottom
  }
}

/// The styles of the three moments in which something is loaded, and when they may appear.
public struct LoadingViewOptions {
  /// Nothing was there yet.
  public var initial = LoadingViewStyle.overContent(.center)
  /// A value is there.
  public var afterValue = LoadingViewStyle.overContent(.topTrailing)
  /// An error is there.
  public var afterError = LoadingViewStyle.overContent(.topTrailing)
  /// What the spinner of a first load is called.
  public var title = "Loading"
  /// When indicators may appear and how long they stay.
  public var gate = IndicatorGate()

  /// The defaults.
  public init() {}
}

private enum LoadingViewOptionsKey: EnvironmentKey {
  static var defaultValue: LoadingViewOptions { LoadingViewOptions() }
}

extension EnvironmentValues {
  /// How loading is shown.
  public var loadingViewOptions: LoadingViewOptions {
    get { self[LoadingViewOptionsKey.self] }
    set { self[LoadingViewOptionsKey.self] = newValue }
  }
}

extension View {
  /// How a first load, one over a value and one after an error are shown inside.
  public func loadingViewStyle(
    initial: LoadingViewStyle? = nil, afterValue: LoadingViewStyle? = nil,
    afterError: LoadingViewStyle? = nil
  ) -> some View {
    transformEnvironment { environment in
      if let initial { environment.loadingViewOptions.initial = initial }
      if let afterValue { environment.loadingViewOptions.afterValue = afterValue }
      if let afterError { environment.loadingViewOptions.afterError = afterError }
    }
  }
}

/// Lays an indicator out with the content it belongs to.
///
/// The content's place in the tree is the same in every style, with and without the indicator:
/// nothing inside starts again.
struct IndicatedView<Content: View>: View {
  let content: Content
  let style: LoadingViewStyle
  let isIndicated: Bool
  let progress: LoadingProgress?

  var body: some View {
    if isIndicated, case .custom(let make) = style {
      make(AnyView(content), progress)
    } else {
      layout
    }
  }

  // One tree for all styles: gaps that are not wanted are views that take no place.
  private var layout: some View {
    VStack(alignment: verticalAlignment, spacing: 0) {
      if case .vertical(.top, _, _, let spacing) = style, isIndicated {
        indicator.padding(.bottom, spacing)
      }
      HStack(alignment: horizontalAlignment, spacing: 0) {
        if case .horizontal(.leading, _, _, let spacing) = style, isIndicated {
          indicator.padding(.trailing, spacing)
        }
        content.transformEnvironment { environment in
          guard isIndicated, isDimmed else { return }
          environment.style.attributes.insert(.dim)
        }
        if case .horizontal(.trailing, _, _, let spacing) = style, isIndicated {
          indicator.padding(.leading, spacing)
        }
      }
      if case .vertical(.bottom, _, _, let spacing) = style, isIndicated {
        indicator.padding(.top, spacing)
      }
    }
    .overlay(alignment: overlayAlignment) {
      if isIndicated, isOverlay { indicator }
    }
  }

  private var indicator: some View { ProgressView(progress) }

  private var isOverlay: Bool {
    switch style {
    case .material, .overContent: true
    case .none, .horizontal, .vertical, .custom: false
    }
  }

  // A terminal has one step of fainter.
  private var isDimmed: Bool {
    switch style {
    case .material: true
    case .horizontal(_, let opacity, _, _), .vertical(_, let opacity, _, _),
      .overContent(_, let opacity):
      opacity < 1
    case .none, .custom: false
    }
  }

  private var overlayAlignment: Alignment {
    if case .overContent(let alignment, _) = style { alignment } else { .center }
  }

  private var horizontalAlignment: VerticalAlignment {
    if case .horizontal(_, _, let alignment, _) = style { alignment } else { .top }
  }

  private var verticalAlignment: HorizontalAlignment {
    if case .vertical(_, _, let alignment, _) = style { alignment } else { .leading }
  }
}
