import Loading

/// Maps a loading state to views: a value, a failure, a first load, or nothing, and an indicator
/// while a load is running.
struct LoadedContent: PrimitiveView {
  let drawing: ResourceDrawing
  /// The view of the value, if there is one.
  let content: ErasedView?
  /// The view of the sample data, if there is any.
  let placeholder: (() -> ErasedView)?
  let slots: StateSlots

  func makeNodes(_ context: ViewContext) -> [Node] {
    let options = context.environment.loadingViewOptions
    let gate = drawing.timing.map { timing in
      (
        first: options.gate.placeholder(for: timing, at: context.now),
        reload: options.gate.indicator(for: timing, at: context.now)
      )
    }
    let showsFirst = gate?.first.isVisible ?? drawing.isLoading
    let showsReload = gate?.reload.isVisible ?? false
    let inner = context.child(.role(.content))
    let nodes =
      content.map {
        loaded($0, isIndicated: showsReload, options, retry: retryOffer(inner.environment))
          .makeNodes(inner)
      }
      ?? inner.resolve(
        context.reading { unloaded(isVisible: showsFirst, options, inner.environment) })
    return context.reading {
      let announcement = announcement(
        isIndicated: showsFirst || showsReload, context.environment)
      let changes = [gate?.first.changesAt, gate?.reload.changesAt, pauseEnd(context)]
        .compactMap(context.change)
      let answers = answers(context.environment)
      let cancel = showsFirst || showsReload ? cancel(context.environment.keyMap) : nil
      // At a path of its own, so that another source appears although the view stays.
      let lifecycles = drawing.shown.map { shown in
        LifecycleEntry(
          path: context.child(.object(shown.id)).path,
          kind: .appearance(appear: shown.appear, disappear: shown.disappear))
      }
      return nodes.map { node in
        DrawnNode(context, node) { context, content, region in
          let frame = context.frame
          if !context.environment.isInert, region.hasAppeared {
            for lifecycle in lifecycles { frame.declare(.lifecycle(lifecycle)) }
          }
          if !context.environment.isInert, region.isOnScreen {
            frame.declare(.announcement(path: context.path, text: announcement))
          }
          if region.isOnScreen { changes.forEach(frame.declare) }
          context.declare(answers, cancel, in: region)
          content.draw(in: region)
        }
      }
    }
  }

  /// The keys that answer a failure.
  private func answers(_ environment: EnvironmentValues) -> [KeyBinding] {
    // A part has no room for a failed change, so it has no keys for one.
    if environment.loadingViewOptions.isPart, drawing.dismiss != nil { return [] }
    let keyMap = environment.keyMap
    return [canRetry(environment) ? retry(keyMap) : nil, dismiss(keyMap)].compactMap(\.self)
  }

  /// Whether to offer a retry: one exists and may succeed now.
  private func canRetry(_ environment: EnvironmentValues) -> Bool {
    guard drawing.retry != nil else { return false }
    guard let failure = drawing.failure else { return true }
    return failure.error.allowsRetry
      && environment.describeError(failure.error).pauseLeft == nil
  }

  private func retryOffer(_ environment: EnvironmentValues) -> RetryOffer {
    guard canRetry(environment) else { return .none }
    return drawing.isRetrying ? .running : .possible
  }

  /// The instant at which a retry is no longer refused.
  private func pauseEnd(_ context: ViewContext) -> AnyClock.Instant? {
    guard let failure = drawing.failure else { return nil }
    return context.environment.describeError(failure.error).pauseLeft.map {
      context.now.advanced(by: $0.duration)
    }
  }

  // Declared here and not by the hints that name the keys, because the focus is on the content.

  private func retry(_ keyMap: KeyMap) -> KeyBinding? {
    // A paused load can be retried, too.
    let isOffered = drawing.failure != nil || drawing.isPrompting || drawing.pauseReason != nil
    guard let retry = drawing.retry, isOffered else { return nil }
    // While a retry runs, nothing names the key, but it stays: one press too many must not reach the
    // views around this one.
    let label = drawing.isRetrying ? "" : drawing.isPrompting ? "load" : "retry"
    return KeyBinding(
      drawing.retryAction, in: keyMap, label: label, footer: label.isEmpty ? .never : .first,
      perform: retry)
  }

  private func dismiss(_ keyMap: KeyMap) -> KeyBinding? {
    drawing.dismiss.map { KeyBinding(.dismiss, in: keyMap, perform: $0) }
  }

  private func cancel(_ keyMap: KeyMap) -> KeyBinding? {
    guard let cancel = drawing.cancel, drawing.isLoading else { return nil }
    return KeyBinding(.cancel, in: keyMap, perform: cancel)
  }

  /// The text that plain mode announces for the state.
  private func announcement(isIndicated: Bool, _ environment: EnvironmentValues) -> String {
    if environment.loadingViewOptions.isPart { return "" }
    let name = environment.accessibilityLabel ?? "Content"
    // While a load waits for its next attempt, announce why it failed.
    if let reason = drawing.pauseReason, isIndicated { return "\(name): paused (\(reason))." }
    if drawing.isWorking, isIndicated { return "\(name): loading." }
    if let failure = drawing.failure {
      let what = environment.describeError(failure.error).what
      return content == nil ? "\(name): failed. \(what)" : "\(name): \(what)"
    }
    return content == nil ? "" : "\(name): loaded."
  }

  private func loaded(
    _ content: ErasedView, isIndicated: Bool, _ options: LoadingViewOptions, retry: RetryOffer
  ) -> FailureStripLayout {
    let failure = options.isPart ? nil : drawing.failure
    return FailureStripLayout(
      content: IndicatedView(
        content: ErasedView(
          content.unlabelled()
            .transformEnvironment { [isModifying = drawing.isModifying] environment in
              if let isModifying { environment.isModifying = isModifying }
            }), style: options.afterValue, moment: .afterValue, isIndicated: isIndicated,
        progress: drawing.progress,
        pauseReason: drawing.pauseReason),
      strip: failure.map {
        FailureStrip(
          failure: $0, more: drawing.moreFailures, retry: retry,
          retryAction: drawing.retryAction, canDismiss: drawing.dismiss != nil)
      })
  }

  @ViewBuilder
  private func unloaded(
    isVisible: Bool, _ options: LoadingViewOptions, _ environment: EnvironmentValues
  ) -> some View {
    if let failure = drawing.failure {
      IndicatedView(
        content: ErasedView(failed(failure, retryOffer(environment))),
        style: options.afterError, moment: .afterError,
        isIndicated: isVisible && (drawing.isWorking || drawing.pauseReason != nil),
        progress: drawing.progress, pauseReason: drawing.pauseReason)
    } else if drawing.isLoading {
      // Before the gate opens, the room is kept, so that nothing moves when it opens. In plain
      // mode, redacted blocks would be meaningless, so a word is shown.
      waiting(isVisible: isVisible, options, placeholder: environment.isPlain ? nil : placeholder)
    } else if drawing.isPrompting {
      idle
    } else {
      Room().focusable()
    }
  }

  @ViewBuilder
  private func failed(_ failure: LoadFailure, _ retry: RetryOffer) -> some View {
    if let view = slots.failure(failure, retry == .none ? nil : drawing.retry) {
      view.focusableIfNothingInside()
    } else {
      inPlaceOfContent(
        ErrorPanel(failure: failure, activity: drawing.activity, retry: retry))
    }
  }

  /// Shows a view in the room of the placeholder, if there is one, so that nothing moves when the
  /// content comes.
  @ViewBuilder
  private func inPlaceOfContent(_ view: some View) -> some View {
    if let placeholder {
      placeholder().unlabelled().redacted(reason: .placeholder).hidden().overlay { view }
    } else {
      view
    }
  }

  @ViewBuilder
  private func waiting(
    isVisible: Bool, _ options: LoadingViewOptions, placeholder: (() -> ErasedView)?
  ) -> some View {
    if isVisible, let view = slots.loading(drawing.progress()) {
      view.focusableIfNothingInside()
    } else {
      // A placeholder alone shows that something is being loaded.
      let isPlaceholderEnough =
        placeholder != nil && drawing.progress() == nil && drawing.pauseReason == nil
      IndicatedView(
        content: ErasedView(
          Group {
            if let placeholder {
              if isVisible {
                placeholder().unlabelled().redacted(reason: .placeholder)
              } else {
                inPlaceOfContent(EmptyView())
              }
            } else {
              Room()
            }
          }), style: options.initial ?? (isPlaceholderEnough ? .hidden : .overContent(.center)),
        moment: .initial,
        isIndicated: isVisible, progress: drawing.progress,
        title: placeholder == nil ? options.title : nil, pauseReason: drawing.pauseReason
      )
      .focusable()
    }
  }

  @ViewBuilder
  private var idle: some View {
    if let load = drawing.retry {
      if let view = slots.idle(load) {
        view.focusableIfNothingInside()
      } else {
        inPlaceOfContent(IdlePrompt())
      }
    }
  }
}

extension ViewContext {
  /// Declares the keys of a load.
  fileprivate func declare(_ answers: [KeyBinding], _ cancel: KeyBinding?, in region: Region) {
    // Of a part, Esc cancels the load only while the part has the focus; elsewhere, the user wants
    // to leave the whole view.
    let isPart = environment.loadingViewOptions.isPart
    if let cancel, isPart || region.isOnScreen {
      declare(cancel, reach: isPart ? .focus : .pane)
    }
    // Declared deeper in the tree than the content's other bindings, so it precedes keys that lead
    // out.
    guard region.isOnScreen else { return }
    for answer in answers { child(.role(.content)).declare(answer, reach: .paneByHint) }
  }
}

/// An empty view that takes all available room.
struct Room: View {
  var body: some View {
    Text("").frame(maxWidth: .infinity, maxHeight: .infinity)
  }
}

/// The prompt to load, shown if no load starts automatically or if the user cancelled it.
struct IdlePrompt: View {
  var body: some View {
    KeyHint(.reload, "to load")
      .frame(maxWidth: .infinity, maxHeight: .infinity)
      .focusable()
  }
}
