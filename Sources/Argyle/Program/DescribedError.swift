import Articles
import Foundation
import Loading
import TerminalUI

/// An error that brings its own message for the user.
struct DescribedError: MessageError {
  let message: UserMessage

  init(_ what: String, advice: String, detail: String? = nil, isRetryable: Bool = true) {
    message = UserMessage(
      what: what, advice: advice, detail: detail, isLasting: !isRetryable)
  }
}

extension UserMessage {
  /// Returns a sentence that says until when the server refuses requests; nil if that time has
  /// passed.
  func pauseWords(_ days: DayText) -> String? {
    guard let retryDate, retryDate > days.now() else { return nil }
    return "The server asks to wait until \(days.end(retryDate))."
  }
}

/// The message of a failure after its mark, which is a word in plain mode.
struct FailureText: View {
  let words: String
  let plainMark: String
  @Environment(\.isPlain) private var isPlain

  init(_ words: String, plainMark: String = "Failed: ") {
    (self.words, self.plainMark) = (words, plainMark)
  }

  var body: some View {
    Text(isPlain ? plainMark : "✗ ").bold().foregroundStyle(\.failure) + Text(words)
  }
}
