import Foundation
import HTTP
import Limits

/// Why a feed could not be fetched, apart from the errors of HTTP itself.
public enum FetchError: MessageError, Sendable, Hashable {
  /// The server answered without a document; `retryDate` is when it allows another request.
  case status(Int, retryDate: Date? = nil)
  /// The server has answered to another feed that it gets too many requests, and allows none until
  /// this date; the feed itself was not requested.
  case serverBusy(until: Date)
  /// The server rejects the user name and password of the address.
  case passwordRefused
  /// The feed has moved to another server, which asks for a password and did not get that of the
  /// first.
  case passwordWithheld(address: String)
  /// The server answered "not modified" to a request that was not conditional.
  case nothingToCompare
  case fileMissing(path: String)
  case fileUnreadable(path: String, reason: String)
  case notAFile(path: String)
  case fileTooLarge(path: String, limit: Int)
  /// A folder that was added has no file that would be an article.
  case noMarkdown(path: String)

  public var message: UserMessage {
    switch self {
    case .status(let status, let retryDate): Self.message(status: status, retryDate)
    case .serverBusy(let date): Self.message(status: 429, date)
    case .passwordRefused:
      UserMessage(
        what: "The server does not accept the password.",
        advice: "Add the feed again with the right one.", detail: "HTTP status 401", isLasting: true
      )
    case .passwordWithheld(let address):
      UserMessage(
        what: "The feed has moved to another server, which asks for a password.",
        advice: "Add it with its new address and a password, if you trust that server.",
        detail: address, isLasting: true)
    case .nothingToCompare:
      UserMessage(
        what: "The server says that nothing has changed, but nothing was here before.",
        advice: "Try again later; the server has a mistake.", detail: "HTTP status 304")
    case .fileMissing(let path):
      UserMessage(
        what: "There is no such file.", advice: "Check the path.", detail: path, isLasting: true)
    case .fileUnreadable(let path, let reason):
      UserMessage(
        what: "The file cannot be read.", advice: "Check its permissions.",
        detail: "\(path): \(reason)")
    case .notAFile(let path):
      UserMessage(
        what: "This is not a regular file.", advice: "Give the path of a file or a folder.",
        detail: path, isLasting: true)
    case .fileTooLarge(let path, let limit):
      UserMessage(
        what: "The file is larger than \(limit >> 20) MB.", advice: "Check the path.", detail: path,
        isLasting: true)
    case .noMarkdown(let path):
      UserMessage(
        what: "There is no Markdown file in this folder.",
        advice: "Check the path, or put files there whose names end in .md.", detail: path,
        isLasting: true)
    }
  }

  private static func message(status: Int, _ retryDate: Date?) -> UserMessage {
    let (what, advice) =
      switch status {
      case 401:
        ("The server asks for a password.", "Add the feed as https://name:password@… .")
      case 407: ("The proxy asks for a password.", "Give it in the proxy's address.")
      case 403: ("The server refuses to give this feed.", "Check the address, or ask its author.")
      case 404: ("The server has no feed at this address.", "Check the address.")
      case 410: ("The feed is gone for good.", "Remove it; it is not fetched again by itself.")
      case 429: UserMessage.tooManyRequests
      case 500...: ("The server has a problem of its own.", "Try again later.")
      default: ("The server answered with something other than a feed.", "Check the address.")
      }
    return UserMessage(
      what: what, advice: advice, detail: "HTTP status \(status)",
      isLasting: !HTTPError.isRetryable(status: status), retryDate: retryDate)
  }
}

extension FetchError {
  /// Reads a feed's file, or a list of feeds, with blocking calls.
  static func bytes(ofFile path: String) throws(FetchError) -> [UInt8] {
    let limit = FeedParser.sizeLimit
    do {
      return try FileReader.bytes(of: path, limit: limit)
    } catch {
      switch error {
      case .missing: throw .fileMissing(path: path)
      case .notAFile: throw .notAFile(path: path)
      case .tooLarge: throw .fileTooLarge(path: path, limit: limit)
      case .refused: throw .fileUnreadable(path: path, reason: error.reason)
      }
    }
  }
}
