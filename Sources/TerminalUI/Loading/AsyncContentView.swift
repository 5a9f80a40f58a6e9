import Loading

/// Shows a value that is loaded: a placeholder until it is there, an error with a way to retry
/// where it did not come, the value with an indicator while it is asked for again.
///
/// A load starts by itself when the view appears.
///
/// ```swift
/// AsyncContentView(article) { article in
///   Text(article.title)
/// } failure: { failure, retry in
///   Text("No article today.")
/// }
/// .placeholder(.sample)
/// ```
///
/// What is not given has its usual look: see ``AsyncContentSlots``.
///
/// With a commit, the content is given a binding: what is written through it is on the screen at
/// once, stored by the commit, and taken back if that fails.
///
/// ```swift
/// AsyncContentView(sock, commit: { try await api.save($0.value) }) { $sock in
///   Toggle("Washed", isOn: $sock.isWashed)
/// }
/// ```
public struct AsyncContentView<Value: Sendable, Content: View>: PlacedView {
  enum Source {
    case resource(Resource<Value>)
    case loader(Loader<Value>, id: AnyHashable, Refreshing)
    case object(
      @MainActor (AnyClock.Instant) -> (Value?, ResourceDrawing), id: ObjectIdentifier)
  }

  let source: Source
  // A placeholder has no resource.
  let content: (Value, Resource<Value>?) -> Content
  var slots: LoadingSlots<Value>

  init(
    _ source: Source, _ slots: LoadingSlots<Value>,
    content: @escaping (Value, Resource<Value>?) -> Content
  ) {
    self.source = source
    self.slots = slots
    self.content = content
  }

  /// Draws the content with sample data, redacted, until there is a value.
  public func placeholder(_ sample: Value) -> AsyncContentView {
    with { $0.placeholder = sample }
  }

  /// Shows something else where the value has nothing to show.
  public func empty(
    when isEmpty: @escaping (Value) -> Bool, @SlotBuilder _ view: @escaping AsyncContentSlots.Empty
  ) -> AsyncContentView {
    with { ($0.isEmpty, $0.empty) = (isEmpty, view) }
  }

  /// Shows a failure otherwise, where there is no value; it is given no retry when there is none.
  public func failure(
    @SlotBuilder _ view: @escaping AsyncContentSlots.Failure
  ) -> AsyncContentView {
    with { $0.failure = view }
  }

  /// Shows a first load otherwise.
  public func loading(
    @SlotBuilder _ view: @escaping AsyncContentSlots.Loading
  ) -> AsyncContentView {
    with { $0.loading = view }
  }

  /// Shows otherwise that nothing was loaded yet, and that a load must be asked for.
  public func idle(@SlotBuilder _ view: @escaping AsyncContentSlots.Idle) -> AsyncContentView {
    with { $0.idle = view }
  }

  private func with(_ change: (inout LoadingSlots<Value>) -> Void) -> Self {
    var copy = self
    change(&copy.slots)
    return copy
  }
}

extension AsyncContentView where Value: Collection {
  /// Shows something else where the value is an empty collection.
  public func empty(@SlotBuilder _ view: @escaping AsyncContentSlots.Empty) -> AsyncContentView {
    empty(when: \.isEmpty, view)
  }
}
