public import Loading
import Observation

/// Messages about what happened in passing, shown one at a time until they are answered.
///
/// A message that offers a retry stays until then: the retry would be lost with it. Any other goes
/// away by itself after ``showingTime``.
///
/// ```swift
/// RootScreen()
///   .toasts(toasts)
///   .task { await toasts.follow(failedChanges) }
/// ```
@MainActor
@Observable
public final class ToastQueue {
  /// A message, with what can be done about it.
  struct Toast {
    let id: Int
    let message: String
    let retry: (@MainActor () -> Void)?
    let dismiss: @MainActor () -> Void
    let isCurrent: @MainActor () -> Bool
  }

  /// How long a message that can only be dismissed is shown.
  public static let showingTime = Duration.seconds(10)

  private var all: [Toast] = []
  private var number = 0

  /// Those that are not answered, here or elsewhere.
  var waiting: [Toast] { all.filter { $0.isCurrent() } }

  /// An empty queue.
  public init() {}

  /// How many messages have not been answered.
  public var count: Int { waiting.count }

  /// Adds a message; one without a retry can only be dismissed.
  ///
  /// It is withdrawn as soon as `isCurrent`, which may read observable models, no longer holds.
  public func show(
    _ message: String, retry: (@MainActor () -> Void)? = nil,
    onDismiss: @escaping @MainActor () -> Void = {},
    while isCurrent: @escaping @MainActor () -> Bool = { true }
  ) {
    all = waiting
    number += 1
    all.append(
      Toast(
        id: number, message: message, retry: retry, dismiss: onDismiss, isCurrent: isCurrent))
  }

  /// Shows the changes that could not be stored, until its task is cancelled.
  public func follow(
    _ inbox: MutationFailureInbox,
    describe: @MainActor (any Error) -> ErrorDescription = EnvironmentValues().describeError
  ) async {
    for await failure in inbox.failures {
      show(
        describe(failure.error).what, retry: failure.retry, onDismiss: failure.dismiss,
        while: failure.isCurrent)
    }
  }

  /// Tries the oldest again.
  public func retry() {
    let waiting = waiting
    guard let retry = waiting.first?.retry else { return }
    all = Array(waiting.dropFirst())
    retry()
  }

  /// Forgets the oldest.
  public func dismiss() {
    let waiting = waiting
    all = Array(waiting.dropFirst())
    waiting.first?.dismiss()
  }

  /// Forgets a message that has been shown for long enough.
  func end(_ id: Int) {
    if waiting.first?.id == id { dismiss() }
  }
}

extension View {
  /// Shows the messages of `queue` in rows of their own below this view, the oldest first;
  /// ``KeyAction/retryChange`` tries again and ``KeyAction/dismiss`` dismisses, wherever the focus is.
  public func toasts(_ queue: ToastQueue) -> some View { ToastedView(content: self, queue: queue) }
}

private struct ToastedView<Content: View>: View {
  let content: Content
  let queue: ToastQueue

  var body: some View {
    MessageStack(
      content: content.frame(maxWidth: .infinity, maxHeight: .infinity, alignment: .topLeading)
    ) {
      if let toast = queue.waiting.first {
        // Each is shown for a time of its own.
        ForEach([toast], id: \.id) { toast in
          ToastBox(toast: toast, more: queue.count - 1) { queue.end(toast.id) }
        }
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

/// A content, and below it a message that takes at most half of the rows.
private struct MessageStack<Content: View, Message: View>: PrimitiveView {
  let content: Content
  @ViewBuilder let message: Message

  func makeNodes(_ context: ViewContext) -> [Node] {
    [
      MessageStackNode(
        context, context.child(.role(.content)).node(content),
        message: context.child(.role(.overlay)).node(message))
    ]
  }
}

private final class MessageStackNode: WrapperNode {
  private let message: Node

  init(_ context: ViewContext, _ content: Node, message: Node) {
    self.message = message
    super.init(context, content)
  }

  override func draw(in region: Region) {
    let rect = region.rect
    let size = message.size(ProposedSize(width: rect.width, height: max(1, rect.height / 2)))
    let height = min(size.height, rect.height)
    content.draw(
      in: region.part(
        Rect(x: rect.minX, y: rect.minY, width: rect.width, height: rect.height - height)))
    message.draw(
      in: region.part(
        Rect(x: rect.minX, y: rect.maxY - height, width: rect.width, height: height)))
  }
}

/// A message in a box of its own, which goes away by itself where it offers nothing that would be lost.
private struct ToastBox: View {
  let toast: ToastQueue.Toast
  let more: Int
  let end: @MainActor () -> Void
  @State private var shownSince: AnyClock.Instant?

  var body: some View {
    TimelineView(changesAfter: { _ in goesAwayAt }) { now in
      Modified(ToastLine(toast: toast, more: more)) { context, node in EdgedNode(context, node) }
        .onAppear(at: { shownSince = $0 })
        .onChange(of: goesAwayAt.map { now >= $0 } ?? false) { _, isOver in if isOver { end() } }
    }
  }

  private var goesAwayAt: AnyClock.Instant? {
    toast.retry == nil ? shownSince?.advanced(by: ToastQueue.showingTime) : nil
  }
}

/// A content on a plate with a coloured edge at its left, and as much room at its right.
private final class EdgedNode: WrapperNode {
  private var edges: Int { environment.isPlain ? 0 : 2 }

  override func measure(_ proposal: ProposedSize) -> Size {
    let size = content.size(proposal.inset(horizontal: edges, vertical: 0))
    return Size(width: proposal.width ?? size.width + edges, height: size.height)
  }

  override func draw(in region: Region) {
    guard !environment.isPlain else { return content.draw(in: region) }
    let theme = environment.theme
    region.fill(Style(background: theme.plate))
    for y in 0..<region.rect.height {
      region.write("▌", y: y, style: Style(foreground: theme.failure, background: theme.plate))
    }
    content.draw(in: region.inset(left: 1, right: 1))
  }
}

private struct ToastLine: View {
  let toast: ToastQueue.Toast
  let more: Int
  @Environment(\.isPlain) private var isPlain

  var body: some View {
    // In one line where it fits; else the reason is not what is cut.
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
    Text(isPlain ? "Failed: " : "✗ ").bold().foregroundStyle(\.failure) + Text(toast.message).bold()
      + Text(more > 0 ? " +\(more)" : "").foregroundStyle(\.secondary)
  }

  private var keys: some View {
    HStack(spacing: 3) {
      if toast.retry != nil { KeyHint(.retryChange, "to retry").lineLimit(1) }
      KeyHint(.dismiss, "to dismiss").lineLimit(1)
    }
  }
}
