import Loading

/// A line beside content that could not be reloaded.
struct FailureStrip: View {
  let failure: LoadFailure
  let canRetry: Bool
  /// Whether it says how long a retry has to wait, which takes room from the reason.
  var saysPause = true
  @Environment(\.describeError) private var describe

  var body: some View {
    let description = describe(failure.error)
    // The hint to retry is the last to lose room; the gap belongs to the reason.
    HStack(spacing: 0) {
      FailureText(what: description.what, isBesideContent: true).lineLimit(1).padding(.trailing)
      Spacer()
      if let lead = description.lead {
        KeyHint(lead.action, lead.words).lineLimit(1)
          .padding(.trailing, canRetry ? 2 : 0)
          .layoutPriority(1)
      }
      if canRetry {
        KeyHint(.reload, "to retry").lineLimit(1).layoutPriority(1)
      } else if saysPause, let pause = description.pauseLeft {
        Text(pause.words).foregroundStyle(\.secondary).lineLimit(1)
          .padding(.leading, description.lead == nil ? 0 : 2)
          .layoutPriority(1)
      }
    }
  }
}

/// A failure where there is no room for words.
struct FailureMark: View {
  let canRetry: Bool
  @Environment(\.isPlain) private var isPlain

  var body: some View {
    HStack {
      Text(isPlain ? "Failed" : "✗").bold().foregroundStyle(\.failure).lineLimit(1)
      if canRetry { KeyHint(.reload).lineLimit(1) }
    }
  }
}
