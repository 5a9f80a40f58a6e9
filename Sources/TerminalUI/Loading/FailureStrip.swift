import Loading

/// One line beside content that could not be brought up to date.
struct FailureStrip: View {
  let failure: LoadFailure
  let canRetry: Bool
  @Environment(\.describeError) private var describe

  var body: some View {
    // How to retry is the last to lose room, and the gap belongs to the reason.
    HStack(spacing: 0) {
      FailureText(what: describe(failure.error).what).lineLimit(1).padding(.trailing)
      Spacer()
      if canRetry {
        (Text("r").bold().foregroundStyle(\.accent)
          + Text(" to retry").foregroundStyle(\.secondary))
          .lineLimit(1)
          .layoutPriority(1)
      }
    }
  }
}
