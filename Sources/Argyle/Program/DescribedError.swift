import Articles
import Foundation
import Loading
import Pictures
import Socks

/// An error that brings its own words for the user.
struct DescribedError: RetryAdvice {
  let message: UserMessage
  let isRetryable: Bool

  init(_ what: String, advice: String, detail: String? = nil, isRetryable: Bool = true) {
    message = UserMessage(what: what, advice: advice, detail: detail)
    self.isRetryable = isRetryable
  }
}

extension UserMessage {
  /// What the user is told of an error, from whichever part of the program it comes.
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
  /// Until when the server does not want to be asked again, in a sentence; nil when that is over.
  func pauseWords(_ days: DayText) -> String? {
    guard let retryDate, retryDate > days.now() else { return nil }
    return "The server asks to wait until \(days.end(retryDate))."
  }
}
