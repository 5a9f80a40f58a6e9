import Foundation
import HTTP

/// A server that stores feeds and marks for several readers: the operations of every protocol.
///
/// ``AccountSync`` decides what is requested and in which order; a conforming type only sends the
/// requests of its API.
protocol SyncServer: Sendable {
  /// Checks the user name and the password.
  ///
  /// - Throws: ``SyncError/passwordRefused``, ``SyncError/notAServer``, or `HTTPError`.
  func logIn() async throws

  /// Returns the feeds of the account.
  func feeds() async throws -> [RemoteFeed]

  /// Subscribes to a feed.
  ///
  /// - Returns: the server's id of the feed.
  func subscribe(to address: String, title: String?, folder: String?) async throws -> String

  /// Changes the title of a feed or moves it to another folder; nil changes nothing.
  ///
  /// - Throws: ``SyncError/unsupported`` or ``SyncError/folderRequired``; then nothing is changed.
  func edit(_ feed: String, title: String?, folder: FolderMove?) async throws

  func unsubscribe(from feed: String) async throws

  /// Returns the labels of articles; nil when the server has no labels.
  func labels() async throws -> [String]?

  /// Returns the ids of all articles with a mark, from all pages.
  ///
  /// - Throws: also when one page fails: half a list would be wrong.
  func articles(with mark: RemoteMark) async throws -> Set<RemoteID>

  /// Returns the ids of the newest articles of a feed, at most `limit`, read or not; empty when the
  /// protocol has no such list.
  func newestArticles(of feed: String, limit: Int) async throws -> Set<RemoteID>

  /// Returns the articles with these ids, without those that the server no longer has.
  func articles(_ ids: [RemoteID]) async throws -> [RemoteArticle]

  /// How many articles ``articles(_:)`` may request at once.
  var articlesPerRequest: Int { get }

  /// How many requests for articles may run at the same time.
  var requestsAtOnce: Int { get }

  /// Sets or removes a mark.
  ///
  /// - Throws: ``SyncError/unsupported`` when the server has no such mark.
  func set(_ mark: RemoteMark, _ value: Bool, of ids: [RemoteID]) async throws

  /// How many articles ``set(_:_:of:)`` may change at once.
  var marksPerRequest: Int { get }
}

/// A server's id of an article, in a canonical form.
struct RemoteID: Hashable, Sendable {
  /// 16 hexadecimal digits for numeric ids; otherwise as the server writes it.
  let text: String

  /// The prefix of full ids in the Google Reader API.
  static let prefix = "tag:google.com,2005:reader/item/"

  /// Parses an id; nil when the text is not one.
  ///
  /// - Parameter written: the full form, or the decimal number used in lists; some servers have
  ///   other ids.
  init?(_ written: String) {
    text =
      if written.hasPrefix(Self.prefix) {
        written.dropFirst(Self.prefix.count).lowercased()
      } else {
        Int64(written).map(Self.digits) ?? written
      }
    guard 1...100 ~= text.utf8.count, text.utf8.allSatisfy(Self.isPlain) else { return nil }
  }

  init(number: Int64) { text = Self.digits(number) }

  /// Creates an id from its stored text.
  init(stored text: String) { self.text = text }

  /// The full form, which every server understands.
  var whole: String { Self.prefix + text }

  /// The number of the article; nil for ids that are not numbers.
  var number: Int64? { UInt64(text, radix: 16).map { Int64(bitPattern: $0) } }

  private static func digits(_ number: Int64) -> String {
    let digits = String(UInt64(bitPattern: number), radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }

  private static func isPlain(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"),
      UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "-"), UInt8(ascii: "_"),
      UInt8(ascii: "."):
      true
    default: false
    }
  }
}

/// A mark that servers and this program have in common.
enum RemoteMark: Hashable, Sendable {
  case unread, starred
  case label(String)
}

/// A feed on a server.
struct RemoteFeed: Sendable, Hashable {
  let id: String
  var address: String
  var title = ""
  /// The name of the folder; nil for none.
  var folder: String?
  var site: String?
}

/// A move from one folder to another; nil for no folder.
struct FolderMove: Sendable, Hashable {
  let from: String?
  let to: String?
}

/// An article on a server.
struct RemoteArticle: Sendable {
  let id: RemoteID
  /// The server's id of the article's feed.
  let feed: String
  let content: ParsedArticle
}

extension RemoteArticle {
  init(
    id: RemoteID, feed: String, title: String?, author: String?, link: String?, published: Date?,
    html: String?, attachments: [Attachment] = []
  ) {
    self.init(
      id: id, feed: feed,
      content: ParsedArticle(
        guid: id.whole, title: PlainText.line(html: title ?? ""),
        author: author.map { PlainText.line($0) }.flatMap { $0.isEmpty ? nil : $0 }, link: link,
        published: published, html: html ?? "", base: link, attachments: attachments))
  }
}

extension UserMessage {
  /// Whether an account failed because its password is missing, or because the server does not
  /// accept it.
  package var isAboutPassword: Bool {
    let errors: [SyncError] = [.noPassword(reason: ""), .noPasswordPrinted(reason: "")]
    return isRefusedPassword || errors.contains { $0.message.what == what }
  }

  /// Whether an account failed because the server does not accept its password.
  package var isRefusedPassword: Bool { what == SyncError.passwordRefused.message.what }
}

/// Why syncing with a server failed, apart from the errors of HTTP itself.
public enum SyncError: MessageError, Sendable, Hashable {
  /// The server at the address uses no known API.
  case notAServer(detail: String)
  /// The server rejects the user name and the password.
  case passwordRefused
  /// The account's password is no longer available.
  case noPassword(reason: String)
  /// The command that prints the password of the account printed none.
  case noPasswordPrinted(reason: String)
  /// The program that prints the account's password did not end in time, and was ended.
  case passwordTimedOut(program: String, limit: Duration)
  /// The server answered with an error; `retryDate` is when it allows another request.
  case refused(status: Int, detail: String, retryDate: Date? = nil)
  /// The server has asked to wait, with the failure of this message, and the time has not come.
  case askedToWait(UserMessage)
  /// The answer does not match the request.
  case badAnswer(detail: String)
  /// The server does not support the request.
  case unsupported
  /// On the server, every feed is in a folder.
  case folderRequired
  /// Another Argyle process is syncing the account.
  case busy
  case noSuchAccount
  /// There is already an account with this address and user name.
  case alreadyThere
  /// This many changes have not been sent yet.
  case changesWaiting(Int)
  /// The server refuses to add a feed, for this reason.
  case feedRefused(String)

  /// What FreshRSS answers with status 503 while its API is switched off, as after an installation.
  private static let freshRSSIsOff = "Service Unavailable!"

  public var message: UserMessage {
    switch self {
    case .notAServer(let detail):
      UserMessage(
        what: "There is no server for syncing at this address.",
        advice: "Give the address of its Google Reader API, as its settings show it.",
        detail: detail, isLasting: true)
    case .passwordRefused:
      UserMessage(
        what: "The server does not accept the name and the password.",
        advice: "Many servers have a separate password for programs: look in their settings.",
        isLasting: true)
    case .noPassword(let reason):
      UserMessage(
        what: "There is no password for the account.",
        advice: "Give it again with argyle account password.", detail: reason, isLasting: true)
    case .noPasswordPrinted(let reason):
      UserMessage(
        what: "The command printed no password.", advice: "Run it by hand to see why.",
        detail: reason, isLasting: true)
    case .passwordTimedOut(let program, let limit):
      UserMessage(
        what: "The program did not print the password within \(limit.components.seconds) seconds.",
        advice: "Run it by hand to see why, or unlock the keyring that it reads.", detail: program)
    case .refused(503, let detail, nil) where detail == Self.freshRSSIsOff:
      UserMessage(
        what: "The server's API is switched off.",
        advice: "In the settings of FreshRSS, under Authentication, allow API access.",
        detail: "HTTP status 503: \(detail)")
    case .refused(let status, let detail, let retryDate):
      UserMessage(
        what: status == 429
          ? UserMessage.tooManyRequests.what
          : status >= 500
            ? "The server has a problem of its own." : "The server refuses the request.",
        advice: status == 429 ? UserMessage.tooManyRequests.advice : "Try again later.",
        detail: "HTTP status \(status)" + (detail.isEmpty ? "" : ": \(detail)"),
        isLasting: !HTTPError.isRetryable(status: status), retryDate: retryDate)
    case .askedToWait(let message): message
    case .badAnswer(let detail):
      UserMessage(
        what: "The server's answer cannot be read.",
        advice: "Try again later, and check the account's address.", detail: detail)
    case .unsupported:
      UserMessage(
        what: "The server cannot do this.", advice: "Do it on the server itself.", isLasting: true)
    case .folderRequired:
      UserMessage(
        what: "The server keeps every feed in a folder.", advice: "Choose another folder for it.",
        isLasting: true)
    case .busy:
      UserMessage(
        what: "Another Argyle is syncing this account.",
        advice: "What it brings is shown here, too.")
    case .noSuchAccount:
      UserMessage(
        what: "There is no such account.", advice: "argyle account list shows which there are.",
        isLasting: true)
    case .alreadyThere:
      UserMessage(
        what: "You already have this account.", advice: "argyle sync brings what is new.",
        isLasting: true)
    case .changesWaiting(let count):
      UserMessage(
        what: "\(count) change\(count == 1 ? " has" : "s have") not been sent to the server yet.",
        advice: "Sync first, or remove the account with --drop-changes.", isLasting: true)
    case .feedRefused(let reason):
      UserMessage(
        what: "The server does not add the feed.", advice: "Check the address.", detail: reason,
        isLasting: true)
    }
  }
}
