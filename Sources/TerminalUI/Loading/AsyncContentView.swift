public import Loading

/// Shows a value that is loaded.
///
/// It shows a placeholder until the value is there, an error with a way to retry if loading failed,
/// and the value with an indicator while it is loaded again. A load starts when the view appears.
///
/// The content is made again for another value, and when something observable that it has read
/// changes, but not for another state of the same value.
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
/// Each state has a default view, which is also shown if the closure of its modifier makes none. If
/// nothing in a view that replaces it can have the focus, it can have the focus itself, so that the
/// keys of its region go on working. It takes only the room it needs; to keep the room of a list,
/// give it a `frame(maxWidth: .infinity, maxHeight: .infinity)`.
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
    case loader(Loader<Value>, id: ItemID, name: String?, Refreshing)
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

  /// Shows another view than the content if the value is empty.
  public func empty<Slot: View>(
    when isEmpty: @escaping (Value) -> Bool, @ViewBuilder _ view: @escaping @MainActor () -> Slot?
  ) -> AsyncContentView {
    with { ($0.isEmpty, $0.empty) = (isEmpty, { view().map { AnyView($0) } }) }
  }

  /// Replaces the view of a failure without a value; its retry is nil if none is possible.
  ///
  /// The default shows what happened, what the user can do, the number of attempts, and “r to
  /// retry”.
  public func failure<Slot: View>(
    @ViewBuilder _ view:
      @escaping @MainActor (_ failure: LoadFailure, _ retry: (@MainActor () -> Void)?) -> Slot?
  ) -> AsyncContentView {
    with { $0.views.failure = { view($0, $1).map { AnyView($0) } } }
  }

  /// Replaces the view of a first load, given its progress.
  ///
  /// The default is the placeholder, or a spinner titled “Loading”.
  public func loading<Slot: View>(
    @ViewBuilder _ view: @escaping @MainActor (_ progress: LoadingProgress?) -> Slot?
  ) -> AsyncContentView {
    with { $0.views.loading = { view($0).map { AnyView($0) } } }
  }

  /// Replaces the view shown while nothing has been loaded and no load starts automatically; it is
  /// given an action that starts the load.
  ///
  /// The default is “r to load”.
  public func idle<Slot: View>(
    @ViewBuilder _ view: @escaping @MainActor (_ load: @escaping @MainActor () -> Void) -> Slot?
  ) -> AsyncContentView {
    with { $0.views.idle = { view($0).map { AnyView($0) } } }
  }

  private func with(_ change: (inout LoadingSlots<Value>) -> Void) -> Self {
    var copy = self
    change(&copy.slots)
    return copy
  }
}

extension AsyncContentView where Value: Collection {
  /// Shows another view if the value is an empty collection.
  public func empty<Slot: View>(
    @ViewBuilder _ view: @escaping @MainActor () -> Slot?
  ) -> AsyncContentView {
    empty(when: \.isEmpty, view)
  }
}
