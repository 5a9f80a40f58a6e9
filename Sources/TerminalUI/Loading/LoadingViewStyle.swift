public import Loading

/// How a running load is shown beside, over or instead of the content.
public enum LoadingViewStyle {
  /// Shows no indicator.
  case hidden
  /// In the middle, over the faded content.
  case material
  /// To the left or right of the content.
  case horizontal(
    HorizontalEdge, opacity: Double = 1, alignment: VerticalAlignment = .center, spacing: Int = 1)
  /// Above or below the content.
  case vertical(
    VerticalEdge, opacity: Double = 1, alignment: HorizontalAlignment = .center, spacing: Int = 0)
  /// Over the content, at an edge, in a corner or in the middle.
  case overContent(Alignment = .topTrailing, opacity: Double = 1)
  /// A view that the closure makes from the content and the progress.
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

/// A moment of loading; each has a style of its own.
public enum LoadingMoment: Hashable, Sendable, CaseIterable {
  /// The first load.
  case initial
  /// A load while there is a value.
  case afterValue
  /// A load while there is an error.
  case afterError
}

/// The styles of the three moments of loading, and when indicators may appear.
public struct LoadingViewOptions {
  /// The style of a first load.
  ///
  /// By default a spinner in the middle, which is left out if there is a placeholder and no
  /// progress is known.
  public var initial: LoadingViewStyle?
  /// The style of a load while there is a value.
  public var afterValue = LoadingViewStyle.overContent(.topTrailing)
  /// The style of a load while there is an error.
  public var afterError = LoadingViewStyle.overContent(.topTrailing)
  /// The indicators that replace the spinner, made from the progress, by moment.
  ///
  /// By default a spinner with message, bar and percentage.
  public var indicators: [LoadingMoment: @MainActor (LoadingProgress?) -> AnyView?] = [:]
  /// The title of the spinner of a first load.
  public var title = "Loading"
  /// Whether the content is one of many parts of a whole, such as a row of a list that is loaded in
  /// pages.
  ///
  /// A part announces nothing and shows no failure beside its value, because all parts would show
  /// the same one. Esc cancels its load only while it has the focus.
  public var isPart = false
  /// When indicators may appear, and how long they stay.
  public var gate = IndicatorGate()

  /// Creates the default options.
  public init() {}
}

extension View {
  /// Sets how a first load, a load over a value and one after an error are shown in this view.
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

  /// Replaces the spinner in every loading style but `custom` in this view, in all moments or in
  /// some.
  public func loadingIndicator<Indicator: View>(
    in moments: Set<LoadingMoment> = Set(LoadingMoment.allCases),
    @ViewBuilder _ indicator: @escaping @MainActor (LoadingProgress?) -> Indicator?
  ) -> some View {
    transformEnvironment { environment in
      for moment in moments {
        environment.loadingViewOptions.indicators[moment] = { indicator($0).map { AnyView($0) } }
      }
    }
  }
}
