public import Loading

// Where the value comes from; the views of the other states are the same for all.

extension AsyncContentView {
  /// Shows what `resource` holds.
  public init(
    _ resource: Resource<Value>, placeholder: Value? = nil,
    @ViewBuilder content: @escaping (Value) -> Content,
    @SlotBuilder idle: @escaping AsyncContentSlots.Idle = { _ in nil },
    @SlotBuilder loading: @escaping AsyncContentSlots.Loading = { _ in nil },
    @SlotBuilder failure: @escaping AsyncContentSlots.Failure = { _, _ in nil },
    @SlotBuilder empty: @escaping AsyncContentSlots.Empty = { nil }
  ) {
    let slots = LoadingSlots(
      placeholder: placeholder, idle: idle, loading: loading, failure: failure, empty: empty)
    self.init(.resource(resource), slots) { value, _ in content(value) }
  }

  /// Shows what `resource` holds and lets it be changed.
  ///
  /// The content is given a binding to the value: `{ $sock in … }`. `commit` makes a change last; it
  /// is told which member was changed. `item` is what the value is, for ``View/modifying(_:)`` and
  /// `Resource.modifyingIDs`. `undoWindow` is how long a change may be undone before it is committed,
  /// and `spacing` the least time between the beginnings of two commits of one place, for a slider
  /// that may be held down.
  public init(
    _ resource: Resource<Value>, placeholder: Value? = nil,
    item: (any Hashable & Sendable)? = nil, undoWindow: Duration? = nil, spacing: Duration? = nil,
    commit: @escaping @Sendable (ValueChange<Value>) async throws -> Void,
    @ViewBuilder content: @escaping (Binding<Value>) -> Content,
    @SlotBuilder idle: @escaping AsyncContentSlots.Idle = { _ in nil },
    @SlotBuilder loading: @escaping AsyncContentSlots.Loading = { _ in nil },
    @SlotBuilder failure: @escaping AsyncContentSlots.Failure = { _, _ in nil },
    @SlotBuilder empty: @escaping AsyncContentSlots.Empty = { nil }
  ) {
    let slots = LoadingSlots(
      placeholder: placeholder, idle: idle, loading: loading, failure: failure, empty: empty)
    self.init(
      .resource(resource), slots, item: item, undoWindow: undoWindow, spacing: spacing,
      commit: commit, content: content)
  }

  /// Shows what `loader` loads, in a resource that lives as long as this place and `id`: another id
  /// is another resource.
  ///
  /// `refreshing` says when it is loaded again by itself.
  public init(
    loader: Loader<Value>, id: some Hashable = 0, refreshing: Refreshing = .never,
    placeholder: Value? = nil,
    @ViewBuilder content: @escaping (Value) -> Content,
    @SlotBuilder idle: @escaping AsyncContentSlots.Idle = { _ in nil },
    @SlotBuilder loading: @escaping AsyncContentSlots.Loading = { _ in nil },
    @SlotBuilder failure: @escaping AsyncContentSlots.Failure = { _, _ in nil },
    @SlotBuilder empty: @escaping AsyncContentSlots.Empty = { nil }
  ) {
    let slots = LoadingSlots(
      placeholder: placeholder, idle: idle, loading: loading, failure: failure, empty: empty)
    self.init(.loader(loader, id: AnyHashable(id), refreshing), slots) { value, _ in content(value)
    }
  }

  /// Shows what `loader` loads, as above, and lets it be changed.
  public init(
    loader: Loader<Value>, id: some Hashable = 0, refreshing: Refreshing = .never,
    placeholder: Value? = nil,
    item: (any Hashable & Sendable)? = nil, undoWindow: Duration? = nil, spacing: Duration? = nil,
    commit: @escaping @Sendable (ValueChange<Value>) async throws -> Void,
    @ViewBuilder content: @escaping (Binding<Value>) -> Content,
    @SlotBuilder idle: @escaping AsyncContentSlots.Idle = { _ in nil },
    @SlotBuilder loading: @escaping AsyncContentSlots.Loading = { _ in nil },
    @SlotBuilder failure: @escaping AsyncContentSlots.Failure = { _, _ in nil },
    @SlotBuilder empty: @escaping AsyncContentSlots.Empty = { nil }
  ) {
    let slots = LoadingSlots(
      placeholder: placeholder, idle: idle, loading: loading, failure: failure, empty: empty)
    self.init(
      .loader(loader, id: AnyHashable(id), refreshing), slots, item: item, undoWindow: undoWindow,
      spacing: spacing, commit: commit, content: content)
  }

  /// Shows what an asynchronous function returns; another id loads it again.
  public init(
    id: some Hashable = 0, refreshing: Refreshing = .never, placeholder: Value? = nil,
    load: @escaping @Sendable () async throws -> Value,
    @ViewBuilder content: @escaping (Value) -> Content,
    @SlotBuilder idle: @escaping AsyncContentSlots.Idle = { _ in nil },
    @SlotBuilder loading: @escaping AsyncContentSlots.Loading = { _ in nil },
    @SlotBuilder failure: @escaping AsyncContentSlots.Failure = { _, _ in nil },
    @SlotBuilder empty: @escaping AsyncContentSlots.Empty = { nil }
  ) {
    self.init(
      loader: Loader { _ in try await load() }, id: id, refreshing: refreshing,
      placeholder: placeholder, content: content,
      idle: idle, loading: loading, failure: failure, empty: empty)
  }

  /// Shows the newest value of a sequence, which is made when the load starts.
  public init<Values: AsyncSequence>(
    id: some Hashable = 0, placeholder: Value? = nil,
    sequence: @escaping @Sendable () async throws -> Values,
    @ViewBuilder content: @escaping (Value) -> Content,
    @SlotBuilder idle: @escaping AsyncContentSlots.Idle = { _ in nil },
    @SlotBuilder loading: @escaping AsyncContentSlots.Loading = { _ in nil },
    @SlotBuilder failure: @escaping AsyncContentSlots.Failure = { _, _ in nil },
    @SlotBuilder empty: @escaping AsyncContentSlots.Empty = { nil }
  )
  where
    Values.Element == Value, Values: SendableMetatype, Values.AsyncIterator: SendableMetatype
  {
    self.init(
      loader: Loader(sequence: sequence), id: id, placeholder: placeholder, content: content,
      idle: idle, loading: loading, failure: failure, empty: empty)
  }

  /// Shows a view model of your own, by its state alone.
  public init<Object: LoadableObject>(
    _ object: Object, placeholder: Value? = nil,
    @ViewBuilder content: @escaping (Value) -> Content,
    @SlotBuilder idle: @escaping AsyncContentSlots.Idle = { _ in nil },
    @SlotBuilder loading: @escaping AsyncContentSlots.Loading = { _ in nil },
    @SlotBuilder failure: @escaping AsyncContentSlots.Failure = { _, _ in nil },
    @SlotBuilder empty: @escaping AsyncContentSlots.Empty = { nil }
  ) where Object.Value == Value {
    let slots = LoadingSlots(
      placeholder: placeholder, idle: idle, loading: loading, failure: failure, empty: empty)
    let drawing: @MainActor (AnyClock.Instant) -> (Value?, ResourceDrawing) = { now in
      let state = object.state
      return (state.value, ResourceDrawing(object, state, at: now))
    }
    self.init(.object(drawing, id: ObjectIdentifier(object)), slots) { value, _ in content(value) }
  }

  private init(
    _ source: Source, _ slots: LoadingSlots<Value>, item: (any Hashable & Sendable)?,
    undoWindow: Duration?, spacing: Duration?,
    commit: @escaping @Sendable (ValueChange<Value>) async throws -> Void,
    content: @escaping (Binding<Value>) -> Content
  ) {
    self.init(source, slots) { value, resource in
      let access = resource?.access(
        item: item, undoWindow: undoWindow, spacing: spacing, commit: commit)
      return content(access.map(Binding.init) ?? .constant(value))
    }
  }
}
