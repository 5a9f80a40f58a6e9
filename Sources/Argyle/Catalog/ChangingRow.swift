import Loading
import TerminalUI

/// A row of a list, with its pending change or the change that failed.
struct ChangingRow: View {
  let name: String
  /// The pending change, in a word.
  let change: String
  let isChanging: Bool
  let failure: FailedMutation?
  @Environment(\.isPlain) private var isPlain
  @Environment(\.describeError) private var describe

  var body: some View {
    HStack {
      (isChanging ? Text(name).dim() : Text(name)).lineLimit(1)
      Spacer()
      if isChanging {
        ProgressView(change)
      } else if let failure {
        Text((isPlain ? "failed: " : "✗ ") + describe(failure.error).what).foregroundStyle(
          \.failure
        ).lineLimit(1)
      }
    }
  }
}
