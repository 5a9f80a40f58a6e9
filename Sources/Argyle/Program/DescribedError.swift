import Articles
import Foundation
import Loading

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
