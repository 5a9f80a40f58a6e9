public import Foundation
public import HTTP
public import Loading
import Storage
import UserErrors

extension UserMessage {
  /// Creates the message for any error.
  public init(_ error: any Error) {
    switch error {
    case let error as HTTPError: self = Self.message(of: error)
    case let error as any MessageError: self = error.message
    default:
      let error = explained(error)
      self.init(
        what: error.what, advice: error.advice, detail: error.detail, retryDate: error.retryDate)
    }
    isLasting = !error.allowsRetry
  }

  private static let checkOrRetry = "Try again, or check the address."

  private static func message(of error: HTTPError) -> UserMessage {
    switch error {
    case .invalidAddress(let address):
      UserMessage(
        what: "This is not a web address.", advice: "Check the address.", detail: address)
    case .unsupportedScheme(let scheme):
      UserMessage(
        what: "Only http and https addresses can be loaded.", advice: "Check the address.",
        detail: scheme)
    case .invalidHeader(let name):
      UserMessage(
        what: "The request has a header that cannot be sent.", advice: "Try again.", detail: name)
    case .noLibrary(let reason):
      UserMessage(
        what: "The library libcurl, which fetches from the web, is missing.",
        advice: "Install the package libcurl4, then start again.", detail: reason)
    case .noAuthorities(let reason):
      UserMessage(
        what: "The file of trusted certificates cannot be read.",
        advice: "Check SSL_CERT_FILE, or install the package ca-certificates.", detail: reason)
    case .cannotResolve(let host):
      UserMessage(
        what: "The server's name is not known.",
        advice: "Check the address and the network connection.", detail: host)
    case .cannotConnect(let host, let reason):
      UserMessage(
        what: "The server refuses connections.", advice: checkOrRetry,
        detail: "\(host): \(reason)")
    case .proxy(let reason):
      UserMessage(
        what: "The proxy cannot be used.", advice: "Check the proxy in the environment.",
        detail: reason)
    case .certificate(let fault, let reason):
      UserMessage(what: fault.sentence, advice: fault.advice, detail: reason)
    case .cannotSecure(let host, let reason):
      UserMessage(
        what: "No secure connection to the server could be made.", advice: checkOrRetry,
        detail: "\(host): \(reason)")
    case .timedOut(let phase):
      UserMessage(what: phase.sentence, advice: checkOrRetry)
    case .tooSlow:
      UserMessage(
        what: "The server sends its answer too slowly.", advice: "Try again later.")
    case .tooLarge(let limit):
      UserMessage(
        what: "The answer is larger than \(max(limit >> 20, 1)) MB.", advice: "Check the address.")
    case .headersTooLarge(let limit):
      UserMessage(
        what: "The headers of the answer are larger than \(limit >> 10) KB.",
        advice: distrust)
    case .tooManyRedirects(let limit):
      UserMessage(
        what: "The server redirects from one address to the next without end.",
        advice: "Check the address.", detail: "More than \(limit) redirects")
    case .bodyRedirected(let address):
      UserMessage(
        what: "The server redirects a login or a change to another address.",
        advice: "Check the address of the account.", detail: address)
    case .redirectRefused(let address):
      UserMessage(
        what: "The server redirects to something that is not a web address.",
        advice: distrust, detail: address)
    case .insecureRedirect(let address):
      UserMessage(
        what: "The server redirects from https to http, which is not secure.",
        advice: "If you accept that, add it again with its http:// address.", detail: address)
    case .privateAddress(let host):
      UserMessage(
        what: "The address leads into a private network, where a public page may not send you.",
        advice: "If it is your own, remove it and add it again with this address.", detail: host)
    case .redirectIntoPrivateNetwork(let address):
      UserMessage(
        what: "The server redirects into a private network.",
        advice: distrust, detail: address)
    case .passwordInClear(let host):
      UserMessage(
        what: "The password would be sent over http, where others can read it.",
        advice: "Use https://, or set passwords-over-http = true in the configuration file.",
        detail: host)
    case .truncated:
      UserMessage(
        what: "The connection ended before everything had arrived.", advice: "Try again.")
    case .connectionLost(let reason):
      UserMessage(what: "The connection was lost.", advice: "Try again.", detail: reason)
    case .emptyAnswer:
      UserMessage(
        what: "The server closed the connection without an answer.", advice: checkOrRetry)
    case .malformedAnswer(let reason):
      UserMessage(
        what: "The server's answer is not HTTP.", advice: "Check the address.", detail: reason)
    case .badEncoding(let reason):
      UserMessage(
        what: "The answer cannot be decompressed.", advice: "Try again later.", detail: reason)
    case .other(let code, let reason):
      UserMessage(
        what: "The address could not be fetched.", advice: checkOrRetry,
        detail: "curl \(code): \(reason)")
    }
  }
}

extension HTTPPhase {
  fileprivate var sentence: String {
    switch self {
    case .connecting: "No connection to the server could be made in time."
    case .waiting: "The server accepted the request but sent no answer in time."
    case .receiving: "The server stopped in the middle of its answer."
    }
  }
}

extension CertificateFault {
  fileprivate var sentence: String {
    switch self {
    case .expired: "The server's certificate has expired."
    case .notYetValid: "The server's certificate is not valid yet."
    case .selfSigned: "The certificate is self-signed and not trusted."
    case .wrongName: "The server's certificate is for another server."
    case .untrusted: "The server's certificate is not trusted."
    }
  }

  fileprivate var advice: String {
    switch self {
    case .expired, .notYetValid: "Try again later, and check this machine's clock."
    case .selfSigned, .wrongName, .untrusted: "Be careful; check the address."
    }
  }
}

extension HTTPError: RetryAdvice {}

/// The server answered with an error status.
public struct StatusError: MessageError, Sendable, Hashable {
  /// What was requested, such as `the transcript`.
  let thing: String
  let status: Int
  /// The time before which the server allows no other request.
  public var retryDate: Date?

  public var message: UserMessage {
    let isLasting = !HTTPError.isRetryable(status: status)
    let (what, advice) =
      if status == 429 {
        UserMessage.tooManyRequests
      } else {
        (
          "The server does not give \(thing).",
          (isLasting ? "Open" : "Try again later, or open") + " the article in the browser."
        )
      }
    return UserMessage(
      what: what, advice: advice, detail: "HTTP status \(status)", isLasting: isLasting,
      retryDate: retryDate)
  }
}

extension StatusError {
  init(of thing: String, _ head: HTTPResponseHead, now: Date) {
    self.init(
      thing: thing, status: head.status,
      retryDate: CacheHeaders.retryDate(head.headers, now: now))
  }
}

/// Why the store cannot be opened or used.
public typealias StoreError = Storage.StoreError

extension StoreError: MessageError {
  public var message: UserMessage {
    UserMessage(what: what(of: "articles"), advice: advice, detail: detail)
  }
}
