public import Loading

/// Shows a value that is loaded: a placeholder until it is there, an error with a way to retry
/// where it did not come, the value with an indicator while it is asked for again.
///
/// A load starts by itself when the view appears.
///
/// ```swift
/// AsyncContentView(article) { article in
///   Text(article.title)
/// }
/// .placeholder(.sample)
/// ```
public struct AsyncContentView<Value: Sendable, Content: View>: PrimitiveView {
  private enum Source {
    case resource(Resource<Value>)
    case loader(Loader<Value>, id: AnyHashable)
    case object(@MainActor (AnyClock.Instant) -> ResourceDrawing<Value>, id: ObjectIdentifier)
  }

  private let source: Source
  private let content: (Value) -> Content
  private var placeholder: Value?
  private var emptyView: (isEmpty: (Value) -> Bool, view: AnyView)?
  private var failureView: ((LoadFailure, (@MainActor () -> Void)?) -> AnyView)?
  private var loadingView: ((LoadingProgress?) -> AnyView)?
  private var idleView: ((@escaping @MainActor () -> Void) -> AnyView)?

  /// Shows what `resource` holds.
  public init(_ resource: Resource<Value>, @ViewBuilder content: @escaping (Value) -> Content) {
    source = .resource(resource)
    self.content = content
  }

  /// Shows what `loader` loads, in a resource that lives as long as this place and `id`: another id
  /// is another resource.
  public init(
    _ loader: Loader<Value>, id: some Hashable = 0,
    @ViewBuilder content: @escaping (Value) -> Content
  ) {
    source = .loader(loader, id: AnyHashable(id))
    self.content = content
  }

  /// Shows a view model of your own, by its state alone.
  public init<Object: LoadableObject>(
    _ object: Object, @ViewBuilder content: @escaping (Value) -> Content
  ) where Object.Value == Value {
    source = .object({ ResourceDrawing(object, at: $0) }, id: ObjectIdentifier(object))
    self.content = content
  }

  /// Draws the content with sample data, redacted, until there is a value.
  public func placeholder(_ sample: Value) -> AsyncContentView { with { $0.placeholder = sample } }

  /// Shows something else where the value has nothing to show.
  public func empty(
    when isEmpty: @escaping (Value) -> Bool, @ViewBuilder _ view: () -> some View
  ) -> AsyncContentView {
    let view = AnyView(view())
    return with { $0.emptyView = (isEmpty, view) }
  }

  /// Shows a failure otherwise, where there is no value; it is given no retry when there is none.
  public func failure(
    @ViewBuilder _ view: @escaping (LoadFailure, (@MainActor () -> Void)?) -> some View
  ) -> AsyncContentView {
    with { $0.failureView = { AnyView(view($0, $1)) } }
  }

  /// Shows a first load otherwise.
  public func loading(
    @ViewBuilder _ view: @escaping (LoadingProgress?) -> some View
  ) -> AsyncContentView {
    with { $0.loadingView = { AnyView(view($0)) } }
  }

  /// Shows otherwise that nothing was loaded yet, and that a load must be asked for.
  public func idle(
    @ViewBuilder _ view: @escaping (@escaping @MainActor () -> Void) -> some View
  ) -> AsyncContentView {
    with { $0.idleView = { AnyView(view($0)) } }
  }

  private func with(_ change: (inout Self) -> Void) -> Self {
    var copy = self
    change(&copy)
    return copy
  }

  // MARK: Drawing

  func makeNodes(_ context: ViewContext) -> [Node] {
    switch source {
    case .resource(let resource):
      return nodes(ResourceDrawing(resource), id: ObjectIdentifier(resource), context)
    case .loader(let loader, let id):
      let place = context.child(.id(id, ordinal: 0))
      let resource = place.frame.store.box(at: place.path) {
        Resource(
          loader, clock: context.frame.host.clock, scheduler: context.frame.host.scheduler)
      }
      return nodes(ResourceDrawing(resource), id: ObjectIdentifier(resource), place)
    case .object(let drawing, let id):
      return nodes(drawing(context.now), id: id, context)
    }
  }

  private func nodes(
    _ drawing: ResourceDrawing<Value>, id: ObjectIdentifier, _ context: ViewContext
  ) -> [Node] {
    let options = context.environment.loadingViewOptions
    let place = context.child(.id(AnyHashable(id), ordinal: 0))
    let placeholder = drawing.timing.map { options.gate.placeholder(for: $0, at: context.now) }
    let indicator = drawing.timing.map { options.gate.indicator(for: $0, at: context.now) }
    context.frame.redraw(at: placeholder?.changesAt)
    context.frame.redraw(at: indicator?.changesAt)
    let showsPlaceholder = placeholder?.isVisible ?? drawing.isLoading
    let showsIndicator = indicator?.isVisible ?? false
    let view = Group {
      if let value = drawing.value {
        loaded(value, drawing, isIndicated: showsIndicator, options)
      } else if let failure = drawing.failure {
        failed(failure, drawing)
      } else if drawing.isLoading {
        // Before the gate opens the room is kept, so that nothing moves when it does.
        waiting(drawing, isVisible: showsPlaceholder, options)
      } else if drawing.isPrompting {
        idle(drawing)
      } else {
        Room()
      }
    }
    .onAppear(perform: drawing.appear)
    .onDisappear(perform: drawing.disappear)
    let isVisible = showsPlaceholder || (showsIndicator && drawing.isLoading)
    guard isVisible, let cancel = drawing.cancel else { return place.resolve(view) }
    return place.resolve(view.onKeyPress(KeyPress.escape, label: "cancel", action: cancel))
  }

  @ViewBuilder
  private func loaded(
    _ value: Value, _ drawing: ResourceDrawing<Value>, isIndicated: Bool,
    _ options: LoadingViewOptions
  ) -> some View {
    let isEmpty = emptyView?.isEmpty(value) ?? false
    VStack(alignment: .leading) {
      IndicatedView(
        content: Group {
          if isEmpty, let view = emptyView?.view { view } else { content(value) }
        }, style: options.afterValue, isIndicated: isIndicated, progress: drawing.progress)
      if let failure = drawing.failure {
        FailureStrip(failure: failure, retry: drawing.retry)
      }
    }
  }

  @ViewBuilder
  private func failed(_ failure: LoadFailure, _ drawing: ResourceDrawing<Value>) -> some View {
    if let failureView {
      failureView(failure, drawing.retry)
    } else {
      ErrorPanel(
        failure: failure, activity: drawing.activity, retry: drawing.retry)
    }
  }

  @ViewBuilder
  private func waiting(
    _ drawing: ResourceDrawing<Value>, isVisible: Bool, _ options: LoadingViewOptions
  ) -> some View {
    if !isVisible {
      Room()
    } else if let loadingView {
      loadingView(drawing.progress)
    } else if let placeholder {
      IndicatedView(
        content: content(placeholder).redacted(reason: .placeholder),
        style: drawing.progress == nil ? .none : options.initial,
        isIndicated: drawing.progress != nil, progress: drawing.progress
      )
      .focusable()
    } else {
      ProgressView(drawing.progress, title: options.title)
        .frame(maxWidth: .infinity, maxHeight: .infinity)
        .focusable()
    }
  }

  @ViewBuilder
  private func idle(_ drawing: ResourceDrawing<Value>) -> some View {
    if let load = drawing.retry {
      if let idleView {
        idleView(load)
      } else {
        IdlePrompt(load: load)
      }
    }
  }
}

/// All the room there is, with nothing in it.
struct Room: View {
  var body: some View {
    Text("").frame(maxWidth: .infinity, maxHeight: .infinity).focusable()
  }
}

/// Nothing was loaded, because it is not to start by itself or because somebody stopped it.
struct IdlePrompt: View {
  let load: @MainActor () -> Void

  var body: some View {
    HStack {
      Text("r").bold().foregroundStyle(\.accent)
      Text("to load").foregroundStyle(\.secondary)
    }
    .frame(maxWidth: .infinity, maxHeight: .infinity)
    .onKeyPress(["r"], label: "load", reach: .pane, action: load)
    .focusable()
  }
}
