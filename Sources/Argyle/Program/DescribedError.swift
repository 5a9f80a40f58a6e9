import Articles
import Foundation
import Loading
import TerminalUI

/// An error that brings its own message for the user.
struct DescribedError: MessageError, RetryAdvice {
  let message: UserMessage
  let isRetryable: Bool

  init(_ what: String, advice: String, detail: String? = nil, isRetryable: Bool = true) {
    message = UserMessage(what: what, advice: advice, detail: detail)
    self.isRetryable = isRetryable
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

extension Text {
  /// Returns the message of a failure after its mark, which is a word in plain mode.
  @MainActor
  static func failure(_ words: String, isPlain: Bool) -> Text {
    Text(isPlain ? "Failed: " : "✗ ").bold().foregroundStyle(\.failure) + Text(words)
  }
}
