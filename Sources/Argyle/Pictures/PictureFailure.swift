import Loading
import TerminalUI

/// Why a picture cannot be shown, in one line.
///
/// A screen may show several: the colour marks the one that has the focus and thus gets the keys.
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
    let description = describe(failure.error)
    HStack(spacing: 1) {
      (Text("✗ ").bold().foregroundStyle(\.failure)
        + (isFocused ? Text(description.what).bold() : Text(description.what)))
      if let pause = description.pauseLeft {
        Text(pause.words).foregroundStyle(\.secondary).layoutPriority(1)
      } else if canRetry {
        KeyHint(.reload, "to retry").layoutPriority(1)
      }
    }
    .lineLimit(1)
  }
}
