import Articles
import Foundation
import Loading
import Pictures
import Socks

/// An error that brings its own message for the user.
struct DescribedError: RetryAdvice {
  let message: UserMessage
  let isRetryable: Bool

  init(_ what: String, advice: String, detail: String? = nil, isRetryable: Bool = true) {
    message = UserMessage(what: what, advice: advice, detail: detail)
    self.isRetryable = isRetryable
  }
}

extension UserMessage {
  /// The message for any error that a part of the program can throw.
  init(explaining error: any Error) {
    switch error {
    case let error as DescribedError: self = error.message
    case let error as CommandFailure: self = error.message
    case let error as PictureError:
      self.init(what: error.what, advice: error.advice, detail: error.detail)
    case let error as SockError:
      self.init(what: error.what, advice: error.advice, detail: error.detail)
    case let error as DrawerDocumentError:
      self.init(what: error.what, advice: error.advice, detail: error.detail)
    case let error as SockChangeFailure:
      let reason = UserMessage(explaining: error.reason)
      self.init(
        what: error.what, advice: "\(reason.what) \(reason.advice)", detail: reason.detail)
    default: self.init(error)
    }
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
