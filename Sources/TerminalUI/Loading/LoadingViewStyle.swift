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

/// A moment in which something is loaded: each is shown in a style of its own.
public enum LoadingMoment: Hashable, Sendable, CaseIterable {
  /// Nothing was there yet.
  case initial
  /// A value is there.
  case afterValue
  /// An error is there.
  case afterError
}

/// The styles of the three moments in which something is loaded, and when they may appear.
public struct LoadingViewOptions {
  /// Nothing was there yet; by default a spinner in the middle, which a placeholder does without
  /// as long as no progress is known.
  public var initial: LoadingViewStyle?
  /// A value is there.
  public var afterValue = LoadingViewStyle.overContent(.topTrailing)
  /// An error is there.
  public var afterError = LoadingViewStyle.overContent(.topTrailing)
  /// What turns in every style of a moment, made of what is known of the progress: by default a
  /// spinner, with message, bar and percent.
  public var indicators: [LoadingMoment: @MainActor (LoadingProgress?) -> AnyView?] = [:]
  /// What the spinner of a first load is called.
  public var title = "Loading"
  /// Whether it is one of many parts of one thing, such as a row of a list that is loaded in pages:
  /// then it neither announces its states nor says beside its value that it could not be brought up
  /// to date, because all parts would say the same; and Esc cancels it only where it has the focus.
  public var isPart = false
  /// When indicators may appear and how long they stay.
  public var gate = IndicatorGate()

  /// The defaults.
  public init() {}
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

  /// What stands in place of the spinner in every loading style inside, in all moments or in some.
  public func loadingIndicator(
    in moments: Set<LoadingMoment> = Set(LoadingMoment.allCases),
    @SlotBuilder _ indicator: @escaping @MainActor (LoadingProgress?) -> AnyView?
  ) -> some View {
    transformEnvironment { environment in
      for moment in moments { environment.loadingViewOptions.indicators[moment] = indicator }
    }
  }
}
