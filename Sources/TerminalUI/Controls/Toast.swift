public import Loading
import Observation

/// Messages about background events, shown one at a time until the user answers them.
///
/// A message with a retry stays until it is answered, because the retry would be lost with it. Any
/// other message disappears after ``showingTime``.
///
/// ```swift
/// RootScreen()
///   .toasts(toasts, following: failedChanges)
/// ```
@MainActor
@Observable
public final class ToastQueue {
  /// A message, and the actions by which the user answers it.
  struct Toast {
    let id: Int
    let message: String
    let isFailure: Bool
    /// Whether a retry leaves it to `isCurrent` whether it stays.
    let staysAfterRetry: Bool
    let retry: (@MainActor () -> Void)?
    let dismiss: @MainActor () -> Void
    let isCurrent: @MainActor () -> Bool
  }

  /// How long a message without a retry is shown.
  public static let showingTime = Duration.seconds(10)

  private var all: [Toast] = []
  private var number = 0

  /// The messages that have not been answered, here or elsewhere.
  var waiting: [Toast] { all.filter { $0.isCurrent() } }

  /// Creates an empty queue.
  public init() {}

  /// The number of messages that have not been answered.
  public var count: Int { waiting.count }

  /// Adds a message; without a retry, the user can only dismiss it.
  ///
  /// A message with a retry looks like a failure, any other like news.
  ///
  /// `onDismiss` is called when the user dismisses the message, and when it disappears after
  /// ``showingTime``. The message is withdrawn as soon as `isCurrent`, which may read observable
  /// models, returns `false`.
  public func show(
    _ message: String, retry: (@MainActor () -> Void)? = nil,
    onDismiss: @escaping @MainActor () -> Void = {},
    while isCurrent: @escaping @MainActor () -> Bool = { true }
  ) {
    add(message, isFailure: retry != nil, retry, onDismiss, isCurrent)
  }

  /// Adds a message about a failed change, by which the user retries or dismisses the change.
  ///
  /// The message is withdrawn as soon as the change is no longer failed, or `isWanted` returns
  /// `false`.
  public func show(
    _ message: String, about failure: FailedMutation,
    while isWanted: @escaping @MainActor () -> Bool = { true }
  ) {
    add(message, isFailure: true, staysAfterRetry: true, failure.retry, failure.dismiss) {
      failure.isCurrent() && isWanted()
    }
  }

  private func add(
    _ message: String, isFailure: Bool, staysAfterRetry: Bool = false,
    _ retry: (@MainActor () -> Void)?, _ dismiss: @escaping @MainActor () -> Void,
    _ isCurrent: @escaping @MainActor () -> Bool
  ) {
    all = waiting
    number += 1
    all.append(
      Toast(
        id: number, message: message, isFailure: isFailure,
        staysAfterRetry: staysAfterRetry, retry: retry, dismiss: dismiss,
        isCurrent: isCurrent))
  }

  /// Shows a message for each failed change of an inbox, until the calling task is cancelled.
  ///
  /// A view calls ``View/toasts(_:following:)`` instead, which describes errors as the environment
  /// does. The message is the sentence in which `describe` says what happened. It offers a retry unless
  /// the error's `RetryAdvice` says that another attempt cannot help.
  public func follow(
    _ inbox: FailedMutation.Inbox,
    describe: @MainActor (any Error) -> ErrorDescription = EnvironmentValues().describeError
  ) async {
    for await failure in inbox.failures {
      show(describe(failure.error).what, about: failure)
    }
  }

  /// Runs the retry of the oldest message and removes the message; does nothing without a retry.
  ///
  /// A message about a failed change stays if the change was not begun again, for example because
  /// there is no value any more.
  public func retry() {
    guard let first = waiting.first, let retry = first.retry else { return }
    retry()
    all = waiting.filter { $0.id != first.id || $0.staysAfterRetry }
  }

  /// Dismisses the oldest message.
  public func dismiss() {
    let waiting = waiting
    all = Array(waiting.dropFirst())
    waiting.first?.dismiss()
  }

  /// Dismisses a message that has been shown for long enough.
  func end(_ id: Int) {
    if waiting.first?.id == id { dismiss() }
  }
}

extension View {
  /// Shows the messages of `queue`, the oldest first, in rows below this view.
  ///
  /// ``KeyAction/retryChange`` retries and ``KeyAction/dismiss`` dismisses a message, wherever the
  /// focus is, unless a sheet is open.
  public func toasts(_ queue: ToastQueue) -> some View {
    ToastedView(content: ErasedView(self), queue: queue)
  }

  /// Shows the messages of `queue` below this view, and adds one for each failed change of `inbox`.
  ///
  /// The messages are those in which ``EnvironmentValues/describeError`` says what happened. What
  /// fails while this view is not on the screen is shown when it is again.
  public func toasts(_ queue: ToastQueue, following inbox: FailedMutation.Inbox) -> some View {
    FollowingView(content: ErasedView(toasts(queue)), queue: queue, inbox: inbox)
  }
}

private struct FollowingView: View {
  let content: ErasedView
  let queue: ToastQueue
  let inbox: FailedMutation.Inbox
  @Environment(\.describeError) private var describeError
  @State private var latest = Latest()

  /// The description of the last body: the task goes on when the environment changes.
  @MainActor
  private final class Latest {
    var describe: (@MainActor (any Error) -> ErrorDescription)?
  }

  var body: some View {
    latest.describe = describeError
    return content.task(id: [ObjectIdentifier(queue), ObjectIdentifier(inbox)]) {
      await queue.follow(inbox) { (latest.describe ?? describeError)($0) }
    }
  }
}

private struct ToastedView: View {
  let content: ErasedView
  let queue: ToastQueue

  var body: some View {
    MessageStack(
      content: content.frame(maxWidth: .infinity, maxHeight: .infinity, alignment: .topLeading)
    ) {
      if let toast = queue.waiting.first {
        // Each message gets its own time, because its id is another identity.
        ToastBox(toast: toast, more: queue.count - 1) { queue.end(toast.id) }.id(toast.id)
      }
    }
    .onKeyPress(action: .retryChange, when: queue.waiting.first?.retry != nil) {
      queue.retry()
    }
    .onKeyPress(action: .dismiss, when: !queue.waiting.isEmpty) {
      queue.dismiss()
    }
  }
}

/// Content with a message below it that takes at most half of the rows.
private struct MessageStack<Content: View, Message: View>: PrimitiveView {
  let content: Content
  @ViewBuilder let message: Message

  func makeNodes(_ context: ViewContext) -> [Node] {
    let message = context.child(.role(.overlay)).node(message)
    return [
      DrawnNode(context, context.child(.role(.content)).node(content)) { context, content, region in
        let rect = region.rect
        let size = message.size(ProposedSize(width: rect.width, height: max(1, rect.height / 2)))
        let height = min(size.height, rect.height)
        content.draw(in: region.inset(bottom: height))
        let place = region.inset(top: rect.height - height)
        message.draw(in: place)
        if !place.isHidden { context.frame.declare(.failure(place.clip, isMessage: true)) }
      }
    ]
  }
}

/// A message in a box, which disappears automatically if it has no retry.
private struct ToastBox: View {
  let toast: ToastQueue.Toast
  let more: Int
  let end: @MainActor () -> Void
  @State private var shownSince: AnyClock.Instant?

  var body: some View {
    TimelineView(changesAfter: { _ in goesAwayAt }) { now in
      Modified(ToastLine(toast: toast, more: more)) { [isFailure = toast.isFailure] context, node in
        EdgedNode(context, node, isFailure: isFailure)
      }
      .onAppear(at: { shownSince = $0 })
      .onChange(of: goesAwayAt.map { now >= $0 } ?? false) { _, isOver in if isOver { end() } }
    }
  }

  private var goesAwayAt: AnyClock.Instant? {
    toast.retry == nil ? shownSince?.advanced(by: ToastQueue.showingTime) : nil
  }
}

/// Content on a plate, with a coloured edge on the left and an equally wide margin on the right.
private final class EdgedNode: InsetNode {
  private let isFailure: Bool

  init(_ context: ViewContext, _ content: Node, isFailure: Bool) {
    self.isFailure = isFailure
    super.init(
      context, content,
      edges: context.environment.isPlain ? EdgeInsets() : EdgeInsets(leading: 1, trailing: 1))
  }

  override func measure(_ proposal: ProposedSize) -> Size {
    let size = super.measure(proposal)
    return Size(width: proposal.width ?? size.width, height: size.height)
  }

  override func draw(in region: Region) {
    if !environment.isPlain {
      let theme = environment.theme
      region.fill(Style(background: theme.plate))
      let edge = Style(
        foreground: isFailure ? theme.failure : theme.accent, background: theme.plate)
      for y in 0..<region.rect.height { region.write("▌", y: y, style: edge) }
    }
    super.draw(in: region)
  }
}

private struct ToastLine: View {
  let toast: ToastQueue.Toast
  let more: Int
  @Environment(\.isPlain) private var isPlain

  var body: some View {
    // Uses one line if the message fits, otherwise several, so that the reason is not cut off.
    ViewThatFits(in: .horizontal) {
      HStack {
        message
        Spacer()
        keys
      }
      VStack(alignment: .leading) {
        message.lineLimit(3)
        keys.frame(maxWidth: .infinity, alignment: .trailing)
      }
    }
    .transformEnvironment { environment in
      if !environment.isPlain { environment.style.background = environment.theme.plate }
    }
    .announced(toast.message)
  }

  private var message: some View {
    Text(mark).bold().foregroundStyle(\.failure) + Text(toast.message).bold()
      + Text(more > 0 ? " And \(more) more." : "").foregroundStyle(\.secondary)
  }

  private var mark: String {
    if isPlain { return toast.isFailure ? "Failed: " : "" }
    return toast.isFailure ? "✗ " : " "
  }

  private var keys: some View {
    // A hint that is cut off says nothing.
    Hints {
      if toast.retry != nil { KeyHint(.retryChange, "to retry").lineLimit(1) }
      KeyHint(.dismiss, "to dismiss").lineLimit(1)
    }
  }
}
