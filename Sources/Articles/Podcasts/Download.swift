import Foundation

/// What is enclosed with an article, such as an episode of a podcast, on its way to a file or in one.
public struct Download: Sendable, Hashable, Identifiable {
  public struct ID: RawRepresentable, Sendable, Hashable {
    public let rawValue: Int64

    public init(rawValue: Int64) { self.rawValue = rawValue }
  }

  /// How far it is, apart from whether it is being fetched at the moment.
  public enum State: Sendable, Hashable {
    /// It is fetched when its turn comes.
    case waiting
    /// The user has stopped it.
    case paused
    case failed(UserMessage)
    /// All of it is in the file at this path.
    case done(path: String)
  }

  public let id: ID
  /// Nil when the article is no longer stored.
  public let articleID: Article.ID?
  /// Not sanitised, as the other texts.
  public let feedTitle: String
  public let title: String
  public let enclosure: Attachment
  public internal(set) var state: State
  /// When it was last played; nil for never.
  public internal(set) var played: Date?
  /// Where the player has stopped in it, in seconds; nil where the player has not said.
  public internal(set) var position: Int?
  /// How many bytes of it are on the disk.
  public internal(set) var received: Int

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

  /// The path of the file, once all of it is there.
  public var path: String? { if case .done(let path) = state { path } else { nil } }

  /// Whether it is fetched when its turn comes.
  public var isWaiting: Bool { state == .waiting }
}

/// Where downloads go, and what they may cost.
public struct DownloadOptions: Sendable, Hashable {
  /// The folder for the files; it is made when the first of them comes, for the user alone.
  public var folder: String
  /// The folder in which players leave where they stop, below a folder `.positions`: one that the user
  /// alone can change, so that nobody leads a player elsewhere between a check and its start.
  public var positions: String
  /// How many are fetched at one time.
  public var parallel: Int
  /// Larger files are not fetched, in bytes.
  public var sizeLimit: Int

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

/// Why what is enclosed with an article is not in a file.
public enum DownloadError: Error, Sendable, Hashable {
  /// The article has nothing enclosed.
  case nothingEnclosed
  /// There is no such download, or it was removed.
  case noSuchDownload
  /// It has not all been fetched.
  case notDownloaded
  case status(Int)
  case tooLarge(limit: Int)
  case diskFull(folder: String)
  /// The file cannot be written, or the folder not be made.
  case cannotWrite(path: String, reason: String)
  /// Another Argyle is fetching it.
  case busy
  /// The file was removed by another program.
  case fileGone(path: String)

  /// What the user is told.
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
    case .status(let status):
      UserMessage(
        what: "The server does not give the file.", advice: "Try again later.",
        detail: "HTTP status \(status)")
    case .tooLarge(let limit):
      UserMessage(
        what: "The file is larger than \(max(limit / 1_000_000, 1)) MB.",
        advice: "Change podcasts.largest-file in the configuration file.", isLasting: true)
    case .diskFull(let folder):
      UserMessage(
        what: "There is not enough room on the disk.",
        advice: "Remove files, or change podcasts.folder in the configuration file.",
        detail: folder)
    case .cannotWrite(let path, let reason):
      UserMessage(
        what: "The file cannot be written.",
        advice: "Check podcasts.folder in the configuration file.", detail: "\(path): \(reason)")
    case .busy:
      UserMessage(what: "Another Argyle is downloading this.", advice: "Wait until it has ended.")
    case .fileGone(let path):
      UserMessage(
        what: "The file is not there any more.", advice: "Download it again.", detail: path)
    }
  }
}
