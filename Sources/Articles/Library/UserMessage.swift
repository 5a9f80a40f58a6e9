public import Foundation
public import Loading
public import UserErrors

/// A message to the user about something that went wrong.
public struct UserMessage: Sendable, Hashable, Codable {
  /// What happened: one sentence.
  public let what: String
  /// What the user can do about it: one sentence.
  public let advice: String
  /// Technical details.
  public let detail: String?
  /// Whether trying again cannot help: something has to be changed first, such as the address.
  public var isLasting: Bool
  /// The time before which the server allows no other request, not even by the user; nil if it has
  /// not said.
  public var retryDate: Date?

  /// What is said of a server that answers with status 429.
  static let tooManyRequests = (
    what: "The server says that it gets too many requests.", advice: "Try again much later."
  )

  /// The advice for a feed that looks like an attack.
  static let distrust = "Remove the feed, unless you trust its author to correct it."

  /// - Parameter detail: may come from outside; it is sanitised and shortened.
  public init(
    what: String, advice: String, detail: String? = nil, isLasting: Bool = false,
    retryDate: Date? = nil
  ) {
    self.what = what
    self.advice = advice
    self.detail = detail.map { Self.cleaned($0) }
    self.isLasting = isLasting
    self.retryDate = retryDate
  }

  /// Sanitises outside text for a message: one line, without control characters, at most `limit`
  /// characters.
  static func cleaned(_ text: String, limit: Int = 200) -> String {
    var output = String.UnicodeScalarView()
    var joiner: Unicode.Scalar?
    // Limited before anything else is done: a message may contain a title of megabytes.
    for scalar in text.unicodeScalars.prefix(limit * 4) {
      switch scalar.properties.generalCategory {
      case .control, .lineSeparator, .paragraphSeparator, .surrogate:
        joiner = nil
        output.append(" ")
      // Invisible characters, some of which change the direction of the text after them. Between two
      // others, joiners and non-joiners belong to the spelling of a word, or to an emoji.
      case .format: joiner = ["\u{200C}", "\u{200D}"].contains(scalar) ? scalar : nil
      default:
        let isBetween = output.last.map { !$0.properties.isWhitespace } ?? false
        if let joiner, isBetween, !scalar.properties.isWhitespace { output.append(joiner) }
        joiner = nil
        output.append(scalar)
      }
    }
    let line = PlainText.line(String(output))
    return line.count > limit ? line.prefix(limit) + "…" : line
  }
}

/// An error that is explained by a ``UserMessage``, which also says whether it can be retried.
public protocol MessageError: ExplainedError, RetryAdvice {
  /// The message shown to the user.
  var message: UserMessage { get }
}

extension MessageError {
  public var what: String { message.what }
  public var advice: String { message.advice }
  public var detail: String? { message.detail }
  public var retryDate: Date? { message.retryDate }
  public var isRetryable: Bool { !message.isLasting }
}

extension FeedError: MessageError {
  public var message: UserMessage {
    switch self {
    case .empty:
      UserMessage(
        what: "The answer is empty: there is no feed in it.",
        advice: "Try again later, or check the address.")
    case .notAFeed(.xml(root: "opml")):
      UserMessage(
        what: "This is a list of feeds, not a feed.", advice: "Save it as a file and import that.",
        isLasting: true)
    case .notAFeed(let found):
      UserMessage(what: found.sentence, advice: found.advice, detail: found.detail, isLasting: true)
    case .truncated(let line):
      UserMessage(
        what: "The feed ends in the middle.",
        advice: "Try again: the transfer may have broken off.",
        detail: "Cut at line \(line)")
    case .malformed(let line, let reason):
      UserMessage(
        what: "The feed has a mistake in line \(line) and cannot be read further.",
        advice: "Try again later; its author has to correct it.", detail: reason)
    case .ownEntity(let name):
      UserMessage(
        what: "The feed defines entities of its own, which is refused because it can do harm.",
        advice: UserMessage.distrust, detail: "Entity \(name)", isLasting: true)
    case .tooDeep(let line):
      UserMessage(
        what: "The feed is nested too deeply to be read.",
        advice: UserMessage.distrust, detail: "Line \(line)", isLasting: true)
    case .tooLarge(let limit):
      UserMessage(
        what: "The feed is larger than \(limit >> 20) MB.",
        advice: "Ask its author for a shorter one.", isLasting: true)
    case .tooMuch(let excess):
      UserMessage(
        what: "The feed has \(excess.words).", advice: UserMessage.distrust, isLasting: true)
    case .cancelled:
      UserMessage(what: "The feed was not read to its end.", advice: "Try again.")
    }
  }
}

extension FeedError.Kind {
  fileprivate var sentence: String {
    switch self {
    case .html: "This is a web page, not a feed."
    case .json: "This is JSON, but not a feed."
    case .text: "This is plain text, not a feed."
    case .binary: "This is binary data, not a feed."
    case .xml: "This is XML, but not a feed."
    }
  }

  fileprivate var advice: String {
    switch self {
    case .html: "Look on the page for the address of its feed."
    case .json, .text, .binary, .xml: "Check the address."
    }
  }

  fileprivate var detail: String? {
    if case .xml(let root) = self { "The outermost element is \(root)" } else { nil }
  }
}
