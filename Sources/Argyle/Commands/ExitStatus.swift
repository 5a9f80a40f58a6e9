import ArgumentParser
import Articles
import Socks

/// How a command ended, for scripts: the numbers of BSD's `sysexits`.
///
/// A mistyped command line ends with 64, by the parser.
enum ExitStatus: Int32 {
  /// Anything else.
  case failure = 1
  /// What was given makes no sense.
  case badData = 65
  /// There is no such file, article or sock.
  case notThere = 66
  /// The system allows too few open files, or too little memory.
  case outOfResources = 71
  /// A file cannot be written.
  case cannotWrite = 73
  /// A store was locked, or something was not saved before the program ended: try again later.
  case locked = 75
  /// The configuration file cannot be used.
  case badConfiguration = 78

  var code: ExitCode { ExitCode(rawValue) }

  init(_ error: any Error) {
    self =
      switch error {
      case SockError.noSuchSock, LibraryError.articleGone, NewsboatCacheError.missing: .notThere
      case SockError.store(.locked), StoreError.locked: .locked
      case SockError.store(.full), SockError.store(.overQuota), SockError.store(.tooLarge),
        SockError.store(.readOnly), StoreError.full, StoreError.overQuota, StoreError.tooLarge,
        StoreError.readOnly:
        .cannotWrite
      case SockError.store: .failure
      case is SockError, is DrawerDocumentError, is OPMLError, is NewsboatCacheError: .badData
      case let error as CommandFailure: error.status
      case is ConfigurationFailure: .badConfiguration
      default: .failure
      }
  }

  /// What the help says about them.
  static let discussion = """
    The status is 0, or 64 for a mistyped command line, 65 for bad data, 66 when there is no such \
    file or sock, 73 when a file cannot be written, 75 when another program has kept the drawer \
    locked, 78 when the configuration file cannot be used, and 1 for anything else.
    """
}

/// Why a command cannot do its work, for a person and for a script.
struct CommandFailure: Error {
  let status: ExitStatus
  let message: PersonMessage

  init(status: ExitStatus, _ what: String, advice: String, detail: String? = nil) {
    self.status = status
    message = PersonMessage(what: what, advice: advice, detail: detail)
  }
}
