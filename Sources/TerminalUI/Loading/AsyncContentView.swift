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
///
/// With a commit, the content is given a binding: what is written through it is on the screen at
/// once, stored by the commit, and taken back if that fails.
///
/// ```swift
/// AsyncContentView(sock, commit: { try await api.save($0) }) { $sock in
///   Toggle("Washed", isOn: $sock.isWashed)
/// }
/// ```
public struct AsyncContentView<Value: Sendable, Content: View>: PrimitiveView {
  enum Source {
    case resource(Resource<Value>)
    case loader(Loader<Value>, id: AnyHashable)
    case object(@MainActor (AnyClock.Instant) -> ResourceDrawing<Value>, id: ObjectIdentifier)
  }

  let source: Source
  // A placeholder has no resource.
  let content: (Value, Resource<Value>?) -> Content
  var placeholder: Value?
  var emptyView: (isEmpty: (Value) -> Bool, view: AnyView)?
  var failureView: ((LoadFailure, (@MainActor () -> Void)?) -> AnyView)?
  var loadingView: ((LoadingProgress?) -> AnyView)?
  var idleView: ((@escaping @MainActor () -> Void) -> AnyView)?

  /// Shows what `resource` holds.
  public init(_ resource: Resource<Value>, @ViewBuilder content: @escaping (Value) -> Content) {
    self.init(.resource(resource)) { value, _ in content(value) }
  }

  /// Shows what `resource` holds and lets it be changed.
  ///
  /// - Parameters:
  ///   - undoWindow: how long a change may be undone before it is committed.
  ///   - commit: makes a change last; it is given the value as the change leaves it.
  ///   - content: is given a binding to the value: `{ $sock in … }`.
  public init(
    _ resource: Resource<Value>, undoWindow: Duration? = nil,
    commit: @escaping @Sendable (Value) async throws -> Void,
    @ViewBuilder content: @escaping (Binding<Value>) -> Content
  ) {
    self.init(.resource(resource), undoWindow: undoWindow, commit: commit, content: content)
  }

  /// Shows what `loader` loads, in a resource that lives as long as this place and `id`: another id
  /// is another resource.
  public init(
    _ loader: Loader<Value>, id: some Hashable = 0,
    @ViewBuilder content: @escaping (Value) -> Content
  ) {
    self.init(.loader(loader, id: AnyHashable(id))) { value, _ in content(value) }
  }

  /// Shows what `loader` loads, as above, and lets it be changed.
  public init(
    _ loader: Loader<Value>, id: some Hashable = 0, undoWindow: Duration? = nil,
    commit: @escaping @Sendable (Value) async throws -> Void,
    @ViewBuilder content: @escaping (Binding<Value>) -> Content
  ) {
    self.init(
      .loader(loader, id: AnyHashable(id)), undoWindow: undoWindow, commit: commit,
      content: content)
  }

  /// Shows what an asynchronous function returns; another id loads it anew.
  public init(
    id: some Hashable = 0, load: @escaping @Sendable () async throws -> Value,
    @ViewBuilder content: @escaping (Value) -> Content
  ) {
    self.init(Loader { _ in try await load() }, id: id, content: content)
  }

  /// Shows the newest value of a sequence, which is made when the load starts.
  public init<Values: AsyncSequence>(
    id: some Hashable = 0, sequence: @escaping @Sendable () async throws -> Values,
    @ViewBuilder content: @escaping (Value) -> Content
  )
  where
    Values.Element == Value, Values: SendableMetatype, Values.AsyncIterator: SendableMetatype
  {
    self.init(Loader(sequence: sequence), id: id, content: content)
  }

  /// Shows a view model of your own, by its state alone.
  public init<Object: LoadableObject>(
    _ object: Object, @ViewBuilder content: @escaping (Value) -> Content
  ) where Object.Value == Value {
    self.init(.object({ ResourceDrawing(object, at: $0) }, id: ObjectIdentifier(object))) {
      value, _ in content(value)
    }
  }

  /// Shows what `resource` holds, with the other views in one place.
  public init(
    _ resource: Resource<Value>, @ViewBuilder content: @escaping (Value) -> Content,
    @ViewBuilder loading: @escaping (LoadingProgress?) -> some View,
    @ViewBuilder failure: @escaping (LoadFailure, (@MainActor () -> Void)?) -> some View
  ) {
    self = AsyncContentView(resource, content: content).loading(loading).failure(failure)
  }

  private init(_ source: Source, content: @escaping (Value, Resource<Value>?) -> Content) {
    self.source = source
    self.content = content
  }

  private init(
    _ source: Source, undoWindow: Duration?,
    commit: @escaping @Sendable (Value) async throws -> Void,
    content: @escaping (Binding<Value>) -> Content
  ) {
    self.init(source) { value, resource in
      let access = resource?.access(undoWindow: undoWindow, commit: commit)
      return content(access.map(Binding.init) ?? .constant(value))
    }
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
}
