import Loading

/// Shows a value that is loaded.
///
/// It shows a placeholder until the value is there, an error with a way to retry if loading failed,
/// and the value with an indicator while it is loaded again. A load starts when the view appears.
///
/// ```swift
/// AsyncContentView(article) { article in
///   Text(article.title)
/// }
/// .placeholder(.sample)
/// .failure { failure, retry in
///   Text("No article today.")
/// }
/// ```
///
/// A state without a modifier has a default look: see ``AsyncContentSlots``.
///
/// With a `commit`, the content is given a binding. A change written through it is shown at once,
/// stored by `commit`, and rolled back if that fails.
///
/// A change that could not be stored, by whichever mutation, is shown beside the content until it is
/// stored or dismissed: ``KeyAction/retryChange`` tries all of them again, and ``KeyAction/dismiss``
/// forgets them. If the resource reports its failed mutations to an inbox, only that tells of them.
///
/// ```swift
/// AsyncContentView(sock, commit: { try await api.save($0.value) }) { $sock in
///   Toggle("Washed", isOn: $sock.isWashed)
/// }
/// ```
public struct AsyncContentView<Value: Sendable, Content: View>: PlacedView {
  enum Source {
    case resource(Resource<Value>)
    case loader(Loader<Value>, id: ItemID, Refreshing)
    case object(
      @MainActor (AnyClock.Instant) -> (Value?, ResourceDrawing), id: ObjectIdentifier)
  }

  let source: Source
  // The resource is nil for a placeholder.
  let content: (Value, Resource<Value>?) -> Content
  var slots = LoadingSlots<Value>()

  init(_ source: Source, content: @escaping (Value, Resource<Value>?) -> Content) {
    self.source = source
    self.content = content
  }

  /// Draws the content with sample data, redacted, until there is a value or a failure.
  public func placeholder(_ sample: Value) -> AsyncContentView {
    with { $0.placeholder = sample }
  }

  /// Shows another view if the value is empty.
  public func empty(
    when isEmpty: @escaping (Value) -> Bool, @SlotBuilder _ view: @escaping AsyncContentSlots.Empty
  ) -> AsyncContentView {
    with { ($0.isEmpty, $0.empty) = (isEmpty, view) }
  }

  /// Replaces the view of a failure without a value; its retry is nil if none is possible.
  public func failure(
    @SlotBuilder _ view: @escaping AsyncContentSlots.Failure
  ) -> AsyncContentView {
    with { $0.views.failure = view }
  }

  /// Replaces the view of a first load.
  public func loading(
    @SlotBuilder _ view: @escaping AsyncContentSlots.Loading
  ) -> AsyncContentView {
    with { $0.views.loading = view }
  }

  /// Replaces the view shown while nothing has been loaded and no load starts automatically.
  public func idle(@SlotBuilder _ view: @escaping AsyncContentSlots.Idle) -> AsyncContentView {
    with { $0.views.idle = view }
  }

  private func with(_ change: (inout LoadingSlots<Value>) -> Void) -> Self {
    var copy = self
    change(&copy.slots)
    return copy
  }
}

extension AsyncContentView where Value: Collection {
  /// Shows another view if the value is an empty collection.
  public func empty(@SlotBuilder _ view: @escaping AsyncContentSlots.Empty) -> AsyncContentView {
    empty(when: \.isEmpty, view)
  }
}
