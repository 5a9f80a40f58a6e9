public import Loading

/// What is shown where something did not come: what happened, what can be done, and how to retry.
struct ErrorPanel: View {
  let failure: LoadFailure
  let activity: LoadActivity?
  let canRetry: Bool
  @State private var showsDetail = false
  @Environment(\.describeError) private var describe

  var body: some View {
    let description = describe(failure.error)
    VStack(alignment: .leading) {
      Text("✗ ").bold().foregroundStyle(\.failure) + Text(description.what).bold()
      if let advice = description.advice { Text(advice) }
      if let activity, let next = activity.nextAttemptAt {
        Countdown(activity: activity, next: next)
      } else if failure.failureCount > 1 {
        Text("Failed \(failure.failureCount) times.").foregroundStyle(\.secondary)
      }
      if showsDetail, let detail = description.detail {
        Text(detail).foregroundStyle(\.secondary)
      }
      if canRetry { RetryHint(hasDetail: description.detail != nil).padding(.top) }
    }
    .frame(maxWidth: 72)
    .padding(.horizontal)
    .frame(maxWidth: .infinity, maxHeight: .infinity)
    .focusable()
    .onKeyPress(
      "d", label: showsDetail ? "hide details" : "details", when: description.detail != nil
    ) { showsDetail.toggle() }
  }
}

private struct RetryHint: View {
  let hasDetail: Bool

  var body: some View {
    Text("r").bold().foregroundStyle(\.accent) + Text(" to retry").foregroundStyle(\.secondary)
      + (hasDetail
        ? Text("   d").bold().foregroundStyle(\.accent)
          + Text(" for details").foregroundStyle(\.secondary) : Text(""))
  }
}

/// The attempt and the time until the next automatic one.
private struct Countdown: PrimitiveView {
  let activity: LoadActivity
  let next: AnyClock.Instant

  func makeNodes(_ context: ViewContext) -> [Node] {
    let left = max(Duration.zero, context.now.duration(to: next))
    let seconds = Int(left.components.seconds) + (left.components.attoseconds > 0 ? 1 : 0)
    let limit = activity.attemptLimit.map { " of \($0)" } ?? ""
    return context.resolve(
      Text("Attempt \(activity.attempt)\(limit) failed. Next try in \(seconds) s.")
        .foregroundStyle(\.secondary)
        .redraws(at: next.advanced(by: .seconds(-(seconds - 1)))))
  }
}

/// One line beside content that could not be brought up to date.
struct FailureStrip: View {
  let failure: LoadFailure
  let canRetry: Bool
  @Environment(\.describeError) private var describe

  var body: some View {
    HStack {
      (Text("✗ ").foregroundStyle(\.failure) + Text(describe(failure.error).what))
        .lineLimit(1)
      Spacer()
      if canRetry {
        (Text("r").bold().foregroundStyle(\.accent)
          + Text(" to retry").foregroundStyle(\.secondary))
          .lineLimit(1)
      }
    }
  }
}

/// What runs at the moment, beside a title: nothing, or a spinner with what is known of it.
public struct LoadingIndicator<Value: Sendable>: PrimitiveView {
  let resource: Resource<Value>

  /// Shows the loads of `resource` over its content.
  public init(_ resource: Resource<Value>) { self.resource = resource }

  func makeNodes(_ context: ViewContext) -> [Node] {
    let gate = context.environment.loadingViewOptions.gate
    let indication = gate.indicator(for: resource.timing, at: context.now)
    context.frame.redraw(at: indication.changesAt)
    guard indication.isVisible else { return [] }
    return context.resolve(ProgressView(resource.progress))
  }
}
