import ArgumentParser
import Articles
import HTTP
import Socks

/// The exit statuses of commands: the numbers of BSD's `sysexits`, and 1 for other failures.
///
/// A mistyped command line ends with 64, which the parser sets.
enum ExitStatus: Int32, CaseIterable {
  case failure = 1
  case badData = 65
  case notThere = 66
  case notFetched = 69
  case outOfResources = 71
  case cannotWrite = 73
  case locked = 75
  case badConfiguration = 78

  var code: ExitCode { ExitCode(rawValue) }

  /// When a command ends with this status, for the help and the manual page.
  var meaning: String {
    switch self {
    case .failure: "the command failed for another reason, or a search found nothing"
    case .badData: "the input is not valid, or a name fits several feeds, accounts or socks"
    case .notThere:
      "there is no such file, feed, folder, tag, account, article, download, sock or server, or an "
        + "article does not have what was asked for"
    case .notFetched: "the feed was added, or was there already, but could not be fetched"
    case .outOfResources: "the system allows too few open files, or too little memory"
    case .cannotWrite: "a file, a folder or the output cannot be written"
    case .locked: "another program has locked the data, or a change was not saved: try again later"
    case .badConfiguration:
      "the configuration file, or $ARGYLE_TIMEOUT, cannot be used, or the file does not set what the "
        + "command needs"
    }
  }

  /// Every status, including those that the parser sets.
  static let all: [(status: Int32, meaning: String)] =
    ([
      (ExitCode.success.rawValue, "success"),
      (ExitCode.validationFailure.rawValue, "the command line is not valid"),
    ] + allCases.map { ($0.rawValue, $0.meaning) }).sorted { $0.0 < $1.0 }

  init(_ error: any Error) {
    self =
      switch error {
      case SockError.noSuchSock, LibraryError.articleGone, LibraryError.noSuchFeed,
        LibraryError.noSuchFolder, LibraryError.noSuchTag, NewsboatCacheError.missing,
        SyncError.noSuchAccount, SyncError.notAServer, DownloadError.noSuchDownload,
        DownloadError.nothingEnclosed, DownloadError.notDownloaded, DownloadError.fileGone,
        EpisodeFileError.none,
        FetchError.fileMissing, FetchError.noMarkdown, FetchError.status(404, _),
        LibraryError.goneForGood:
        .notThere
      case FeedError.notAFeed, LibraryError.unusableAddress, LibraryError.severalAddresses,
        LibraryError.ambiguousTitle, HTTPError.invalidAddress:
        .badData
      case EpisodeFileError.empty, EpisodeFileError.unreadable: .badData
      case DownloadError.diskFull, DownloadError.cannotWrite: .cannotWrite
      case DownloadError.busy: .locked
      case SockError.store(.locked), StoreError.locked, SyncError.busy: .locked
      case SockError.store(.full), SockError.store(.overQuota), SockError.store(.tooLarge),
        SockError.store(.readOnly), SockError.store(.noFolder), StoreError.full,
        StoreError.overQuota, StoreError.tooLarge, StoreError.readOnly, StoreError.noFolder:
        .cannotWrite
      case SockError.store: .failure
      case is SockError, is DrawerDocumentError, is OPMLError, is NewsboatCacheError: .badData
      case let error as CommandFailure: error.status
      case is ConfigurationFailure: .badConfiguration
      default: .failure
      }
  }
}

/// Why a command failed, with a message for the user and a status for scripts.
struct CommandFailure: MessageError {
  let status: ExitStatus
  let message: UserMessage

  init(status: ExitStatus, _ what: String, advice: String, detail: String? = nil) {
    self.status = status
    message = UserMessage(what: what, advice: advice, detail: detail)
  }
}
