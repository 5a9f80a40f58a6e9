import Loading

/// The view of a failed load: what happened, what the user can do, and how to retry.
///
/// If there is too little room, the most useful parts stay: the hint to retry, then what happened,
/// the detail if it is shown, the number of attempts, and last the advice.
struct ErrorPanel: View {
  let failure: LoadFailure
  let activity: LoadActivity?
  let retry: RetryOffer
  @State private var showsDetail = false
  @Environment(\.describeError) private var describe

  var body: some View {
    let description = describe(failure.error)
    // In more than one row, its less useful parts are left out instead.
    ViewThatFits(rowsForFirst: 2) {
      VStack(alignment: .leading) {
        FailureText(what: description.what, isBold: true).layoutPriority(4)
        if let advice = description.advice { Text(advice).layoutPriority(1) }
        attempts.layoutPriority(2)
        if showsDetail, let detail = description.detail {
          Text(detail).foregroundStyle(\.secondary).layoutPriority(3)
        }
        if retry != .none || description.lead != nil {
          Text(" ")
          Hints {
            if retry != .none { RetryHint(isRunning: retry == .running) }
            if let lead = description.lead { KeyHint(lead.action, lead.words) }
            if description.detail != nil {
              KeyHint(.details, showsDetail ? "to hide details" : "for details")
            }
          }
          .layoutPriority(5)
        }
      }
      .frame(maxWidth: 72)
      FailureStrip(failure: failure, retry: retry)
    }
    .padding(.horizontal)
    .frame(maxWidth: .infinity, maxHeight: .infinity)
    .focusable()
    .onKeyPress(
      action: .details, label: showsDetail ? "hide details" : nil, when: description.detail != nil
    ) { showsDetail.toggle() }
  }

  @ViewBuilder
  private var attempts: some View {
    if let activity, let next = activity.nextAttemptAt {
      Countdown(activity: activity, next: next)
    } else if failure.failureCount > 1 {
      Text("Failed \(failure.failureCount) times.").foregroundStyle(\.secondary)
    }
  }
}

/// The text of a failure, after a mark; in plain mode, after a word instead.
struct FailureText: PrimitiveView {
  let what: String
  var isBold = false
  /// Whether there is content beside it, which has not failed.
  var isBesideContent = false

  func makeNodes(_ context: ViewContext) -> [Node] {
    let environment = context.environment
    let name = environment.accessibilityLabel.map { isBesideContent ? "\($0): " : "\($0) failed: " }
    let mark = environment.isPlain ? name ?? "Failed: " : "✗ "
    let words = Text(environment.isPlain ? environment.accessibilityValue ?? what : what)
    let text = Text(mark).bold().foregroundStyle(\.failure) + (isBold ? words.bold() : words)
    let short = Text(environment.isPlain ? "!" : "✗").bold().foregroundStyle(\.failure)
    return context.resolve(
      Modified(text) { context, node in
        // Replaces a text of which nothing would be left.
        let short = context.child(.role(.copy)).node(short)
        return DrawnNode(context, node) { context, content, region in
          (region.rect.width == 1 ? short : content).draw(in: region)
          if !region.isHidden { context.frame.declare(.failure(region.clip, isMessage: false)) }
        }
      })
  }
}

/// Whether a failed load can be retried.
enum RetryOffer {
  case none, possible
  /// A retry runs.
  case running
}

/// The key that retries; while a retry runs, words in the same room.
///
/// Part of the element around it, which is drawn again with the hint.
struct RetryHint: PrimitiveView {
  var action = KeyAction.reload
  let isRunning: Bool

  func makeNodes(_ context: ViewContext) -> [Node] {
    let hint = KeyHint(action, "to retry").lineLimit(1)
    guard isRunning else { return context.resolve(hint) }
    return context.resolve(
      hint.hidden().overlay(alignment: .leading) {
        Text("Retrying…").foregroundStyle(\.secondary).lineLimit(1)
      })
  }
}

/// The number of the attempt, and the time until the next automatic one.
private struct Countdown: View {
  let activity: LoadActivity
  let next: AnyClock.Instant
  @Environment(\.isPlain) private var isPlain

  var body: some View {
    if isPlain {
      // A screen reader would speak every second.
      words("Retries by itself.")
    } else {
      TimelineView(changesAfter: { next.advanced(by: .seconds(1 - seconds(from: $0))) }) { now in
        words("Next try in \(seconds(from: now)) s.")
      }
    }
  }

  private func words(_ next: String) -> some View {
    let limit = activity.attemptLimit.map { " of \($0)" } ?? ""
    return ViewThatFits(in: .horizontal) {
      Text("Attempt \(activity.attempt)\(limit) failed. \(next)")
      Text(next)
    }
    .foregroundStyle(\.secondary)
  }

  private func seconds(from now: AnyClock.Instant) -> Int {
    let left = max(Duration.zero, now.duration(to: next))
    return Int(left.components.seconds) + (left.components.attoseconds > 0 ? 1 : 0)
  }
}
