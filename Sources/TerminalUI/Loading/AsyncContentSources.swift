public import Loading

// The initializers, one for each source of the value and each way to change it.

extension AsyncContentView {
  /// Creates a view that shows the value of `resource`.
  public init(
    _ resource: Resource<Value>, @ViewBuilder content: @escaping (Value) -> Content
  ) {
    self.init(.resource(resource)) { value, _ in content(value) }
  }

  /// Creates a view that shows the value of `resource` and can change it.
  ///
  /// The content is given a binding to the value: `{ $sock in … }`. `commit` stores a change and is
  /// told which member was changed. `item` identifies the value for ``View/modifying(_:)`` and
  /// `Resource.modifyingIDs`; by default the id of a value that is `Identifiable`. `undoWindow` is how long a change can be undone before it is
  /// committed. `throttle` is the minimum time between the starts of two commits of the same member,
  /// for example for a slider that is held down.
  public init(
    _ resource: Resource<Value>, item: (any Hashable & Sendable)? = nil,
    undoWindow: Duration? = nil, throttle: Duration? = nil,
    commit: @escaping @Sendable (ValueAccess<Value>.Change) async throws -> Void,
    @ViewBuilder content: @escaping (Binding<Value>) -> Content
  ) {
    self.init(
      .resource(resource), item: { _ in item }, undoWindow: undoWindow, throttle: throttle,
      commit: commit, content: content)
  }

  /// Creates a view that shows the value that `loader` loads.
  ///
  /// The view keeps the resource as long as its identity and `id` stay the same; another `id`
  /// creates another resource. `name` is the resource's name in reports; by default the type of the
  /// value. `refreshing` says when the value is loaded again automatically.
  public init(
    loader: Loader<Value>, id: some Hashable = 0, name: String? = nil,
    refreshing: Refreshing = .never, @ViewBuilder content: @escaping (Value) -> Content
  ) {
    self.init(.loader(loader, id: ItemID(id), name: name, refreshing)) { value, _ in
      content(value)
    }
  }

  /// Creates a view that shows the value that `loader` loads and can change it.
  ///
  /// The parameters have the meanings that they have for a resource with a `commit`, and for a
  /// loader without one.
  public init(
    loader: Loader<Value>, id: some Hashable = 0, name: String? = nil,
    refreshing: Refreshing = .never, item: (any Hashable & Sendable)? = nil,
    undoWindow: Duration? = nil, throttle: Duration? = nil,
    commit: @escaping @Sendable (ValueAccess<Value>.Change) async throws -> Void,
    @ViewBuilder content: @escaping (Binding<Value>) -> Content
  ) {
    self.init(
      .loader(loader, id: ItemID(id), name: name, refreshing), item: { _ in item },
      undoWindow: undoWindow, throttle: throttle, commit: commit, content: content)
  }

  /// Creates a view that shows the result of an asynchronous function; another `id` loads again.
  public init(
    id: some Hashable = 0, refreshing: Refreshing = .never,
    load: @escaping @Sendable () async throws -> Value,
    @ViewBuilder content: @escaping (Value) -> Content
  ) {
    self.init(
      loader: Loader { _ in try await load() }, id: id, refreshing: refreshing, content: content)
  }

  /// Creates a view that shows the newest value of a sequence, which is created when the load
  /// starts.
  public init<Values: AsyncSequence>(
    id: some Hashable = 0, sequence: @escaping @Sendable () async throws -> Values,
    @ViewBuilder content: @escaping (Value) -> Content
  )
  where
    Values.Element == Value, Values: SendableMetatype, Values.AsyncIterator: SendableMetatype
  {
    self.init(loader: Loader(sequence: sequence), id: id, content: content)
  }

  /// Creates a view that shows the value of a view model of your own, which provides a state and a
  /// way to load.
  public init<Object: LoadableObject>(
    _ object: Object, @ViewBuilder content: @escaping (Value) -> Content
  ) where Object.Value == Value {
    let drawing: @MainActor (AnyClock.Instant) -> (Value?, ResourceDrawing) = { now in
      let state = object.state
      return (state.value, ResourceDrawing(object, state, at: now))
    }
    self.init(.object(drawing, id: ObjectIdentifier(object))) { value, _ in content(value) }
  }

  private init(
    _ source: Source, item: @escaping (Value) -> (any Hashable & Sendable)?,
    undoWindow: Duration?, throttle: Duration?,
    commit: @escaping @Sendable (ValueAccess<Value>.Change) async throws -> Void,
    content: @escaping (Binding<Value>) -> Content
  ) {
    self.init(source) { value, resource in
      let access = resource?.access(
        item: item(value), undoWindow: undoWindow, throttle: throttle, commit: commit)
      return content(access.map(Binding.init) ?? .constant(value))
    }
  }
}

extension AsyncContentView where Value: Identifiable, Value.ID: Sendable {
  /// Creates a view that shows the value of `resource` and can change it, with the value's id as
  /// the item of its changes.
  ///
  /// The other parameters have the meanings that they have with an `item`.
  public init(
    _ resource: Resource<Value>, undoWindow: Duration? = nil, throttle: Duration? = nil,
    commit: @escaping @Sendable (ValueAccess<Value>.Change) async throws -> Void,
    @ViewBuilder content: @escaping (Binding<Value>) -> Content
  ) {
    self.init(
      .resource(resource), item: { $0.id }, undoWindow: undoWindow, throttle: throttle,
      commit: commit, content: content)
  }

  /// Creates a view that shows the value that `loader` loads and can change it, with the value's id
  /// as the item of its changes.
  ///
  /// The other parameters have the meanings that they have with an `item`.
  public init(
    loader: Loader<Value>, id: some Hashable = 0, name: String? = nil,
    refreshing: Refreshing = .never, undoWindow: Duration? = nil, throttle: Duration? = nil,
    commit: @escaping @Sendable (ValueAccess<Value>.Change) async throws -> Void,
    @ViewBuilder content: @escaping (Binding<Value>) -> Content
  ) {
    self.init(
      .loader(loader, id: ItemID(id), name: name, refreshing), item: { $0.id },
      undoWindow: undoWindow, throttle: throttle, commit: commit, content: content)
  }
}
