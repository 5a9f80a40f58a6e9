import Loading

/// From a resource's state to views: a value, or else a failure, or else a first load, or else
/// nothing; and while something runs, its indicator.
extension AsyncContentView {
  func makeNodes(_ context: ViewContext) -> [Node] {
    switch source {
    case .resource(let resource):
      return nodes(resource, context)
    case .loader(let loader, let id):
      let place = context.child(.id(id, ordinal: 0))
      let host = context.frame.host
      let resource = place.frame.store.box(at: place.path) {
        Resource(loader, clock: host.clock, scheduler: host.scheduler)
      }
      return nodes(resource, place)
    case .object(let drawing, let id):
      return nodes(drawing(context.now), nil, context.child(.id(AnyHashable(id), ordinal: 0)))
    }
  }

  private func nodes(_ resource: Resource<Value>, _ context: ViewContext) -> [Node] {
    let place = context.child(.id(AnyHashable(ObjectIdentifier(resource)), ordinal: 0))
    return nodes(ResourceDrawing(resource), resource, place)
  }

  private func nodes(
    _ drawing: ResourceDrawing<Value>, _ resource: Resource<Value>?, _ place: ViewContext
  ) -> [Node] {
    let options = place.environment.loadingViewOptions
    let gate = drawing.timing.map { timing in
      (
        first: options.gate.placeholder(for: timing, at: place.now),
        reload: options.gate.indicator(for: timing, at: place.now)
      )
    }
    let showsFirst = gate?.first.isVisible ?? drawing.isLoading
    let showsReload = gate?.reload.isVisible ?? false
    let view = Group {
      if let value = drawing.value {
        loaded(value, drawing, resource, isIndicated: showsReload, options)
      } else if let failure = drawing.failure {
        IndicatedView(
          content: failed(failure, drawing), style: options.afterError,
          isIndicated: showsFirst && drawing.isWorking, progress: drawing.progress)
      } else if drawing.isLoading {
        // Before the gate opens the room is kept, so that nothing moves when it does.
        waiting(
          drawing, isVisible: showsFirst, options,
          // Blocks say nothing where things are read out: there it is a word.
          placeholder: place.environment.isPlain ? nil : slots.placeholder)
      } else if drawing.isPrompting {
        idle(drawing)
      } else {
        Room().focusable()
      }
    }
    .announced(
      announcement(of: drawing, isIndicated: showsFirst || showsReload, place.environment)
    )
    .redraws(at: gate?.first.changesAt, gate?.reload.changesAt)
    .onAppear(perform: drawing.appear)
    .onDisappear(perform: drawing.disappear)
    // Bound here, not at the words that name them: the focus is on the content, not on those.
    .onKeyPress(
      ["r"], label: drawing.isPrompting ? "load" : "retry", reach: .pane,
      when: drawing.retry != nil && (drawing.failure != nil || drawing.isPrompting)
    ) { drawing.retry?() }
    .onKeyPress(
      [.escape], label: "cancel", reach: .pane,
      when: drawing.cancel != nil && drawing.isLoading && (showsFirst || showsReload)
    ) { drawing.cancel?() }
    return place.resolve(view)
  }

  /// The state in words.
  private func announcement(
    of drawing: ResourceDrawing<Value>, isIndicated: Bool, _ environment: EnvironmentValues
  ) -> String {
    if environment.loadingViewOptions.isPart { return "" }
    let name = environment.accessibilityLabel ?? "Content"
    if drawing.isLoading, isIndicated { return "\(name): loading." }
    if let failure = drawing.failure {
      return "\(name): failed. \(environment.describeError(failure.error).what)"
    }
    return drawing.value == nil ? "" : "\(name): loaded."
  }

  private func loaded(
    _ value: Value, _ drawing: ResourceDrawing<Value>, _ resource: Resource<Value>?,
    isIndicated: Bool, _ options: LoadingViewOptions
  ) -> some View {
    VStack(alignment: .leading) {
      IndicatedView(
        content: Group {
          if let empty = slots.empty(), slots.isEmpty(value) {
            empty
          } else {
            content(value, resource)
          }
        }
        .transformEnvironment { environment in
          guard let resource else { return }
          environment.isModifying = { resource.isModifying($0) }
        }, style: options.afterValue, isIndicated: isIndicated, progress: drawing.progress)
      if let failure = drawing.failure, !options.isPart {
        FailureStrip(failure: failure, canRetry: drawing.retry != nil)
      }
    }
  }

  @ViewBuilder
  private func failed(_ failure: LoadFailure, _ drawing: ResourceDrawing<Value>) -> some View {
    if let view = slots.failure(failure, drawing.retry) {
      view
    } else {
      inPlaceOfContent(
        ErrorPanel(
          failure: failure, activity: drawing.activity, canRetry: drawing.retry != nil))
    }
  }

  /// In the room of the placeholder, where there is one: nothing moves until the content comes.
  @ViewBuilder
  private func inPlaceOfContent(_ view: some View) -> some View {
    if let placeholder = slots.placeholder {
      content(placeholder, nil).redacted(reason: .placeholder).hidden().overlay { view }
    } else {
      view
    }
  }

  @ViewBuilder
  private func waiting(
    _ drawing: ResourceDrawing<Value>, isVisible: Bool, _ options: LoadingViewOptions,
    placeholder: Value?
  ) -> some View {
    if isVisible, let view = slots.loading(drawing.progress) {
      view
    } else {
      // A placeholder says by itself that something is on its way.
      let isPlaceholderEnough = placeholder != nil && drawing.progress == nil
      IndicatedView(
        content: Group {
          if let placeholder {
            if isVisible {
              content(placeholder, nil).redacted(reason: .placeholder)
            } else {
              inPlaceOfContent(EmptyView())
            }
          } else {
            Room()
          }
        }, style: options.initial ?? (isPlaceholderEnough ? .none : .overContent(.center)),
        isIndicated: isVisible, progress: drawing.progress,
        title: placeholder == nil ? options.title : nil
      )
      .focusable()
    }
  }

  @ViewBuilder
  private func idle(_ drawing: ResourceDrawing<Value>) -> some View {
    if let load = drawing.retry {
      if let view = slots.idle(load) {
        view
      } else {
        inPlaceOfContent(IdlePrompt())
      }
    }
  }
}

/// All the room there is, with nothing in it.
struct Room: View {
  var body: some View {
    Text("").frame(maxWidth: .infinity, maxHeight: .infinity)
  }
}

/// Nothing was loaded, because it is not to start by itself or because somebody stopped it.
struct IdlePrompt: View {
  var body: some View {
    HStack {
      Text("r").bold().foregroundStyle(\.accent)
      Text("to load").foregroundStyle(\.secondary)
    }
    .frame(maxWidth: .infinity, maxHeight: .infinity)
    .focusable()
  }
}
