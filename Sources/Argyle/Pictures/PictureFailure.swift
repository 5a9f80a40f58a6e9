import Loading
import TerminalUI

/// Why a picture is not there, in one line.
///
/// Several may be on a screen: the colour says which of them has the focus, and with it the keys.
struct PictureFailure: View {
  let failure: LoadFailure
  let canRetry: Bool

  var body: some View {
    PictureFailureLine(failure: failure, canRetry: canRetry).focusable()
  }
}

private struct PictureFailureLine: View {
  let failure: LoadFailure
  let canRetry: Bool
  @Environment(\.isFocused) private var isFocused
  @Environment(\.describeError) private var describe

  var body: some View {
    HStack(spacing: 1) {
      (Text("✗ ").bold().foregroundStyle(\.failure)
        + (isFocused ? Text(words).bold() : Text(words)))
      if canRetry { KeyHint(.reload, "to retry").layoutPriority(1) }
    }
    .lineLimit(1)
  }

  private var words: String { describe(failure.error).what }
}
