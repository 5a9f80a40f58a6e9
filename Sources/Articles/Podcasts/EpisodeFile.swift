import Foundation
import GRDB

/// A stored file about an episode: its chapters or its transcript.
struct EpisodeFile: Sendable, Hashable {
  /// The address in the feed; another address means another file.
  let address: String
  /// The address after redirects.
  let base: String
  let text: String
  /// The private-network host that it came from; nil for the public network.
  let privateHost: String?
}

/// Why an episode has no chapters or no transcript.
public enum EpisodeFileError: MessageError, Sendable, Hashable {
  public enum Kind: String, Sendable {
    case chapters, transcript
  }

  /// The feed names no such file.
  case none(Kind)
  /// The file is empty.
  case empty(Kind)
  case unreadable(Kind, FeedError)

  public var message: UserMessage {
    switch self {
    case .none(.chapters):
      UserMessage(
        what: "The feed names no chapters for this article.",
        advice: "Its text may have some.", isLasting: true)
    case .none(.transcript):
      UserMessage(
        what: "The feed names no transcript for this article.",
        advice: "Its web page may have one.", isLasting: true)
    case .empty(.chapters):
      UserMessage(what: "There are no chapters in the file.", advice: Self.advice)
    case .empty(.transcript):
      UserMessage(what: "There are no words in the transcript.", advice: Self.advice)
    case .unreadable(let kind, let error):
      UserMessage(
        what: "The \(kind.rawValue) cannot be read.", advice: Self.advice, detail: error.words)
    }
  }

  private static let advice = "Try again later; the feed's author has to correct it."
}

extension FeedError {
  /// What is wrong with a file that is not a feed.
  fileprivate var words: String {
    switch self {
    case .malformed(let line, let reason): "Line \(line): \(reason)"
    case .truncated(let line): "It ends in the middle, in line \(line)"
    case .tooDeep(let line): "It is nested too deeply, in line \(line)"
    case .tooMuch(let excess): "It has \(excess.words)"
    default: message.what
    }
  }
}

extension ArticleStore {
  func episodeFile(_ kind: EpisodeFileError.Kind, of id: Article.ID) async throws -> EpisodeFile? {
    try await read { database in
      try Row.fetchOne(
        database,
        sql: """
          SELECT address, base, text, privateHost FROM episodeFile WHERE articleID = ? AND kind = ?
          """, arguments: [id, kind.rawValue]
      ).map { EpisodeFile(address: $0[0], base: $0[1], text: $0[2], privateHost: $0[3]) }
    }
  }

  /// Replaces the stored file; does nothing when the article is gone.
  func setEpisodeFile(
    _ file: EpisodeFile, _ kind: EpisodeFileError.Kind, of id: Article.ID, at date: Date
  ) async throws {
    try await write { database in
      try database.run(
        """
        INSERT OR REPLACE INTO episodeFile
          (articleID, kind, address, base, text, privateHost, fetched)
        SELECT id, ?, ?, ?, ?, ?, ? FROM article WHERE id = ?
        """,
        [
          kind.rawValue, file.address, file.base, file.text, file.privateHost,
          date.timeIntervalSince1970, id,
        ])
    }
  }
}
