public import Foundation

/// An entry of the download queue: an article's enclosure, such as a podcast episode.
public struct Download: Sendable, Hashable, Identifiable {
  public struct ID: RawRepresentable, Sendable, Hashable {
    public let rawValue: Int64

    public init(rawValue: Int64) { self.rawValue = rawValue }
  }

  /// The state of a download; it does not tell whether the download is running.
  public enum State: Sendable, Hashable {
    /// It waits for its turn.
    case waiting
    /// The user has paused it.
    case paused
    case failed(UserMessage)
    /// It is complete, in the file at this path.
    case done(path: String)
  }

  public let id: ID
  /// Nil when the article is no longer stored.
  public let articleID: Article.ID?
  /// Not sanitised, like the other texts.
  public let feedTitle: String
  public let title: String
  public let enclosure: Attachment
  public internal(set) var state: State
  /// When it was last played; nil for never.
  public internal(set) var played: Date?
  /// Where the player stopped, in seconds; nil if unknown.
  public internal(set) var position: Int?
  /// How many bytes are on the disk.
  public internal(set) var received: Int
  /// Whether it had finished, and its file is not at its path any more; then it has failed.
  public internal(set) var isFileGone = false

  public init(
    id: ID, articleID: Article.ID?, feedTitle: String, title: String, enclosure: Attachment,
    state: State, played: Date? = nil, position: Int? = nil, received: Int = 0
  ) {
    self.id = id
    self.articleID = articleID
    self.feedTitle = feedTitle
    self.title = title
    self.enclosure = enclosure
    self.state = state
    self.played = played
    self.position = position
    self.received = received
  }

  /// The path of the complete file.
  public var path: String? { if case .done(let path) = state { path } else { nil } }

  /// Whether it has finished, and its file is still there.
  var hasFile: Bool { path.map { access($0, F_OK) == 0 } ?? false }

  /// Whether it waits for its turn.
  public var isWaiting: Bool { state == .waiting }
}

/// Where downloads are stored, and their limits.
public struct DownloadOptions: Sendable {
  /// The folder for the files; created for the first of them, readable by the user only.
  public var folder: String
  /// The folder in which players store their positions, in a subfolder `.positions`.
  ///
  /// Only the user may be able to change it, so that nobody can redirect a player between the check
  /// and its start.
  public var positions: String
  /// How many downloads run at the same time.
  public var parallel: Int
  /// The largest file that is fetched, in bytes.
  public var sizeLimit: Int
  /// Returns how many bytes are free on the disk of a file; replaced only by tests.
  var room: @Sendable (DownloadFile) -> Int? = { $0.room }

  public init(
    folder: String = "/nonexistent", positions: String? = nil, parallel: Int = 2,
    sizeLimit: Int = 2_000_000_000
  ) {
    self.folder = folder
    self.positions = positions ?? folder
    self.parallel = parallel
    self.sizeLimit = sizeLimit
  }
}

/// Why an enclosure could not be downloaded.
public enum DownloadError: MessageError, Sendable, Hashable {
  /// The article has no enclosure.
  case nothingEnclosed
  /// There is no such download, or it was removed.
  case noSuchDownload
  /// The download is not complete.
  case notDownloaded
  /// The server answered with a web page, as a network does whose users have to log in first.
  case page
  /// The server does not accept the password of the feed for the file.
  case passwordRefused
  /// The server sent more than the rest of the file, which is then fetched from its beginning.
  case tooMuchOfFile
  case tooLarge(limit: Int)
  case diskFull(folder: String)
  /// The file cannot be written, or the folder cannot be created.
  case cannotWrite(path: String, reason: String)
  /// Another Argyle process is fetching it.
  case busy
  /// Another program has removed the file.
  case fileGone(path: String)

  public var message: UserMessage {
    switch self {
    case .nothingEnclosed:
      UserMessage(
        what: "Nothing is enclosed with this article.", advice: "Open it in the browser.",
        isLasting: true)
    case .noSuchDownload:
      UserMessage(
        what: "There is no such download.", advice: "List the downloads to see which there are.",
        isLasting: true)
    case .notDownloaded:
      UserMessage(
        what: "It has not been downloaded.", advice: "Download it first.", isLasting: true)
    case .page:
      UserMessage(
        what: "The server sent a web page in place of the file.",
        advice: "Look in the browser whether a login is needed first, then try again.")
    case .passwordRefused:
      UserMessage(
        what: "The server does not accept the feed's password for this file.",
        advice: "Open the article in the browser.", isLasting: true)
    case .tooMuchOfFile:
      UserMessage(
        what: "The server sent more than the rest of the file.",
        advice: "Try again: the file is then fetched from its beginning.")
    case .tooLarge(let limit):
      UserMessage(
        what: "The file is larger than \(max(limit / 1_000_000, 1)) MB.",
        advice: "Change podcasts.largest-file in the configuration file.", isLasting: true)
    case .diskFull(let folder):
      UserMessage(
        what: "There is not enough room on the disk.",
        advice: "Remove files, or change podcasts.folder in the configuration file.",
        detail: folder, isLasting: true)
    case .cannotWrite(let path, let reason):
      UserMessage(
        what: "The file cannot be written.",
        advice: "Check podcasts.folder in the configuration file.", detail: "\(path): \(reason)",
        isLasting: true)
    case .busy:
      UserMessage(
        what: "Another Argyle is downloading this.", advice: "Wait until it has ended.",
        isLasting: true)
    case .fileGone(let path):
      UserMessage(
        what: "The file is not there any more.", advice: "Download it again.", detail: path,
        isLasting: true)
    }
  }
}
