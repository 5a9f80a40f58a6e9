import Loading
import TerminalUI

/// Why a picture is not there, in the place that is kept for it.
///
/// Several may be on a screen: the frame says which of them has the focus, and with it the keys.
struct PictureFailure: View {
  let failure: LoadFailure
  let canRetry: Bool

  var body: some View {
    PictureFailureBox(failure: failure, canRetry: canRetry).focusable()
  }
}

private struct PictureFailureBox: View {
  let failure: LoadFailure
  let canRetry: Bool
  @Environment(\.isFocused) private var isFocused
  @Environment(\.describeError) private var describe

  /// From this many rows on there is room for a frame.
  private static let rowsForFrame = 5

  var body: some View {
    GeometryReader { size in
      if size.height >= Self.rowsForFrame {
        words.padding(.horizontal)
          .frame(maxWidth: .infinity, maxHeight: .infinity)
          .border(color: isFocused ? \.accent : \.separator)
      } else {
        words
      }
    }
  }

  private var words: some View {
    let description = describe(failure.error)
    return VStack(alignment: .leading) {
      (Text("✗ ").bold().foregroundStyle(\.failure) + Text(description.what).bold())
        .layoutPriority(2)
      if let advice = description.advice { Text(advice).foregroundStyle(\.secondary) }
      if failure.failureCount > 1 {
        Text("Failed \(failure.failureCount) times.").foregroundStyle(\.secondary)
      }
      if canRetry {
        KeyHint(.reload, "to retry").layoutPriority(3)
      }
    }
  }
}
