import Foundation

/// A server that keeps feeds and marks for several readers: what every protocol for that can do.
///
/// ``AccountSync`` decides what is asked for and in which order; a server only asks. A new protocol is
/// one type that does this.
protocol SyncServer: Sendable {
  /// Checks the name and the password, without anything else.
  ///
  /// - Throws: ``SyncError/passwordRefused``, ``SyncError/notAServer``, or `HTTPError`.
  func logIn() async throws

  /// The feeds of the account.
  func feeds() async throws -> [RemoteFeed]

  /// Subscribes to a feed.
  ///
  /// - Returns: what the server calls it.
  func subscribe(to address: String, title: String?, folder: String?) async throws -> String

  /// Gives a feed another title or moves it to another folder; what is nil stays.
  func edit(_ feed: String, title: String?, folder: FolderMove?) async throws

  func unsubscribe(from feed: String) async throws

  /// The names that articles may have; nil where the server has no such thing.
  func labels() async throws -> [String]?

  /// The ids of all articles that have a mark, every page of them.
  ///
  /// - Throws: also when one page fails: half a list would be a wrong one.
  func articles(with mark: RemoteMark) async throws -> Set<RemoteID>

  /// The articles with these ids; those that the server does not have any more are left out.
  func articles(_ ids: [RemoteID]) async throws -> [RemoteArticle]

  /// How many articles ``articles(_:)`` is asked for at one time.
  var articlesPerRequest: Int { get }

  /// How many times it may be asked at once.
  var requestsAtOnce: Int { get }

  /// Sets or removes a mark.
  ///
  /// - Throws: ``SyncError/unsupported`` where the server does not know such a mark.
  func set(_ mark: RemoteMark, _ value: Bool, of ids: [RemoteID]) async throws

  /// How many articles ``set(_:_:of:)`` is told of at one time.
  var marksPerRequest: Int { get }
}

/// What a server calls an article, always written in the same way.
struct RemoteID: Hashable, Sendable {
  /// 16 hexadecimal digits where the server counts its articles; else as it says.
  let text: String

  /// How the Google Reader API writes ids in full.
  static let prefix = "tag:google.com,2005:reader/item/"

  /// Nil for what is no id.
  ///
  /// - Parameter written: in full, or as the decimal number that lists have; some servers have ids of
  ///   their own instead.
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

  /// As one that was stored.
  init(stored text: String) { self.text = text }

  /// As every server understands it.
  var whole: String { Self.prefix + text }

  /// The number of the article; nil where the server does not count them.
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

/// What a server and this program both know of an article.
enum RemoteMark: Hashable, Sendable {
  case unread, starred
  case label(String)
}

/// A feed as a server has it.
struct RemoteFeed: Sendable, Hashable {
  let id: String
  var address: String
  var title = ""
  /// The name of the folder; nil where it is in none.
  var folder: String?
  var site: String?
}

/// From one folder to another; nil for none.
struct FolderMove: Sendable, Hashable {
  let from: String?
  let to: String?
}

/// An article as a server has it.
struct RemoteArticle: Sendable {
  let id: RemoteID
  /// What the server calls its feed.
  let feed: String
  let content: ParsedArticle
}

/// Why syncing with a server failed, beyond what HTTP itself reports.
public enum SyncError: Error, Sendable, Hashable {
  /// What answers at the address speaks no protocol that we know.
  case notAServer(detail: String)
  /// The server does not accept the name and the password.
  case passwordRefused
  /// There is no password for the account any more.
  case noPassword(reason: String)
  /// The server answered with an error; it may say when to ask again.
  case refused(status: Int, detail: String, retryDate: Date? = nil)
  /// An answer that is not what was asked for.
  case badAnswer(detail: String)
  /// The server does not know what it was asked for.
  case unsupported
  /// Another Argyle is syncing the account.
  case busy
  case noSuchAccount
  /// There is an account with this address and name already.
  case alreadyThere
  /// So many changes have not been sent yet.
  case changesWaiting(Int)
  /// The server does not add a feed, for this reason.
  case feedRefused(String)

  /// What the user is told.
  public var message: UserMessage {
    switch self {
    case .notAServer(let detail):
      UserMessage(
        what: "There is no server for syncing at this address.",
        advice: "Give the address of its Google Reader API, as its settings show it.",
        detail: detail)
    case .passwordRefused:
      UserMessage(
        what: "The server does not accept the name and the password.",
        advice: "Many servers have a password of its own for programs: look in their settings.")
    case .noPassword(let reason):
      UserMessage(
        what: "There is no password for the account.",
        advice: "Give it again with argyle account password.", detail: reason)
    case .refused(let status, let detail, _):
      UserMessage(
        what: status == 429
          ? "The server says that it gets too many requests."
          : status >= 500
            ? "The server has a problem of its own." : "The server refuses the request.",
        advice: status == 429 ? "Try again much later." : "Try again later.",
        detail: "HTTP status \(status)" + (detail.isEmpty ? "" : ": \(detail)"))
    case .badAnswer(let detail):
      UserMessage(
        what: "The server's answer cannot be read.",
        advice: "Try again later, and check the account's address.", detail: detail)
    case .unsupported:
      UserMessage(what: "The server cannot do this.", advice: "Do it on the server itself.")
    case .busy:
      UserMessage(
        what: "Another Argyle is syncing this account.",
        advice: "What it brings is shown here, too.")
    case .noSuchAccount:
      UserMessage(
        what: "There is no such account.", advice: "argyle account list shows which there are.")
    case .alreadyThere:
      UserMessage(
        what: "You already have this account.", advice: "argyle sync brings what is new.")
    case .changesWaiting(let count):
      UserMessage(
        what: "\(count) change\(count == 1 ? " has" : "s have") not been sent to the server yet.",
        advice: "Sync first, or remove the account with --drop-changes.")
    case .feedRefused(let reason):
      UserMessage(
        what: "The server does not add the feed.", advice: "Check the address.", detail: reason)
    }
  }
}
